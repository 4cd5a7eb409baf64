import Perennial
import PerennialStorage

/// The first statements of a purchase, which are known before its transaction: waiting purchases on PostgreSQL share the round
/// trip of all of them.
extension Purchases {
    /// A reservation of a request's key that is announced.
    struct PlannedReservation: Sendable {
        var reservation: PurchaseRequestsTable.AnnouncedReservation
        /// The era of its transaction ID (`Database.era`). In another one the ID may be that of a lost purchase.
        var era: Int64
    }

    /// The reservation of the request's key, if it is announced, and the announced statements.
    typealias Plan = (plan: PlannedReservation?, announced: [AnnouncedRead])

    func plan(
        _ request: PurchaseRequest, _ identity: PurchaseRequestsTable.Identity?, by customer: CustomerKey
    ) -> Plan {
        plan(request, identity, locking: CustomersTable.lockingWithAccount(customer)) {
            PurchaseRequestsTable.AnnouncedReservation($0, for: $1, of: customer)
        }
    }

    func plan(
        _ request: PurchaseRequest, _ identity: PurchaseRequestsTable.Identity?, tokenDigest: [UInt8]
    ) -> Plan {
        plan(request, identity, locking: DevicesTable.lockingCustomer(tokenDigest: tokenDigest, environment.id)) {
            PurchaseRequestsTable.AnnouncedReservation($0, for: $1, tokenDigest: tokenDigest, environment.id)
        }
    }

    private func plan(
        _ request: PurchaseRequest, _ identity: PurchaseRequestsTable.Identity?,
        locking: @autoclosure () -> AnnouncedRead,
        reserving: (PurchaseRequestsTable.Identity, TransactionID) -> PurchaseRequestsTable.AnnouncedReservation
    ) -> Plan {
        guard database.engine == .postgres else { return (nil, []) }
        var announced = [locking(), CatalogHeadTable.readingRevision]
        // Without an ID the body asks for a block of them and runs again.
        guard let identity, (try? request.checkSizes()) != nil, let (number, era) = try? ids.nextWithEra()
        else {
            return (nil, announced)
        }
        let reservation = reserving(identity, TransactionID(rawValue: number))
        announced.append(reservation.read)
        return (PlannedReservation(reservation: reservation, era: era), announced)
    }
}
