import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

/// A customer's subscription statuses, by subscription group.
package struct SubscriptionStatuses: Sendable {
    package struct Group: Sendable {
        package var id: String
        package var items: [Item]
    }

    package struct Item: Sendable {
        package var status: SubscriptionStatus
        package var originalTransactionID: TransactionID
        /// The newest period: a signed JSON string with its quotes. ``signedRenewalInfo`` has the same form.
        package var signedTransaction: [UInt8]
        package var signedRenewalInfo: [UInt8]
    }

    package var app: App
    package var groups: [Group]
}

extension History {
    /// Returns the statuses of a customer's subscriptions (Get All Subscription Statuses): those with one of the wanted
    /// statuses, or all.
    ///
    /// - Parameter id: A transaction ID of the customer, or the app transaction ID.
    /// - Throws: ``StoreError`` `.unauthorized`, ``ServerAPIError`` 4040010.
    package func subscriptionStatuses(
        ofCustomerOf id: TransactionID, _ wanted: Set<SubscriptionStatus>, for caller: ServerAPICaller
    ) async throws -> SubscriptionStatuses {
        let (app, found) = try await database.read { [self] connection in
            let app = try credentials.authorize(caller, on: connection).app
            let key = try transactions.customer(of: id, in: app, on: connection)
            let now = try clock.now(on: connection)
            let subscriptions = try SubscriptionsTable.all(of: key, on: connection).filter {
                wanted.isEmpty || wanted.contains($0.status(at: now))
            }
            return (app, try subscriptions.map { try item(of: $0, in: app, at: now, on: connection) })
        }
        var groups: [SubscriptionStatuses.Group] = []
        for unsigned in found {
            let item = try signed(unsigned)
            if let index = groups.firstIndex(where: { $0.id == unsigned.groupID }) {
                groups[index].items.append(item)
            } else {
                groups.append(SubscriptionStatuses.Group(id: unsigned.groupID, items: [item]))
            }
        }
        return SubscriptionStatuses(app: app, groups: groups)
    }

    /// A subscription that is read and not signed yet.
    struct UnsignedItem: Sendable {
        var id: TransactionID
        var groupID: String
        var status: SubscriptionStatus
        var transaction: SignableTransaction
        var renewalInfo: RenewalInfoPayload
    }

    func item(
        of subscription: Subscription, in app: App, at now: Instant, for device: UUID? = nil,
        on connection: any Connection
    ) throws -> UnsignedItem {
        let newest = subscription.current.transactionID
        guard
            let place = try TransactionsTable.place(of: newest, app: app.appleID, environment.id, on: connection)
        else {
            throw StorageError(
                .corrupt, "transactions", "the subscription \(subscription.id) names \(newest), which is gone")
        }
        return UnsignedItem(
            id: subscription.id, groupID: subscription.groupID, status: subscription.status(at: now),
            transaction: try signable(place, of: app, at: now, for: device, on: connection),
            renewalInfo: try receipts.renewalInfo(subscription, of: app, for: device, on: connection))
    }

    func signed(_ unsigned: UnsignedItem) throws -> SubscriptionStatuses.Item {
        SubscriptionStatuses.Item(
            status: unsigned.status, originalTransactionID: unsigned.id,
            signedTransaction: try signed(unsigned.transaction).json,
            signedRenewalInfo: Self.jsonString(try signing.jws.sign(payload: unsigned.renewalInfo.encoded())))
    }
}
