import AppStoreFormats
import Perennial
import PerennialStorage

/// How a customer's subscriptions stand, group by group.
package struct SubscriptionStatuses: Sendable {
    package struct Group: Sendable {
        package var id: String
        package var items: [Item]
    }

    package struct Item: Sendable {
        package var status: SubscriptionStatus
        package var originalTransactionID: TransactionID
        /// Of the newest period; signed, a JSON string with its quotes. So is the following.
        package var signedTransaction: [UInt8]
        package var signedRenewalInfo: [UInt8]
    }

    package var app: App
    package var groups: [Group]
}

extension Store {
    /// Get All Subscription Statuses: those of a customer's subscriptions that have one of the statuses asked for, or
    /// all of them.
    ///
    /// - Parameter id: Of a transaction of the customer's, or of the download of the app.
    /// - Throws: ``StoreError`` `.unauthorized`, ``ServerAPIError`` 4040010.
    package func subscriptionStatuses(
        ofCustomerOf id: TransactionID, _ wanted: Set<SubscriptionStatus>, for caller: ServerAPICaller
    ) async throws -> SubscriptionStatuses {
        let (app, found) = try await database.read { [self] connection in
            let app = try admit(caller, on: connection).app
            let key = try customer(of: id, in: app, on: connection)
            let now = try clock.now(on: connection)
            let subscriptions = try SubscriptionsTable.all(of: key, on: connection).filter {
                wanted.isEmpty || wanted.contains($0.status(at: now))
            }
            return (app, try subscriptions.map { try standing(of: $0, in: app, at: now, on: connection) })
        }
        var groups: [SubscriptionStatuses.Group] = []
        for standing in found {
            let item = try signed(standing)
            if let index = groups.firstIndex(where: { $0.id == standing.groupID }) {
                groups[index].items.append(item)
            } else {
                groups.append(SubscriptionStatuses.Group(id: standing.groupID, items: [item]))
            }
        }
        return SubscriptionStatuses(app: app, groups: groups)
    }

    /// A subscription as it was read, to be signed.
    private struct Standing: Sendable {
        var id: TransactionID
        var groupID: String
        var status: SubscriptionStatus
        var transaction: SignableTransaction
        var renewalInfo: RenewalInfoPayload
    }

    private func standing(
        of subscription: Subscription, in app: App, at now: Instant, on connection: any Connection
    ) throws -> Standing {
        let newest = subscription.current.transactionID
        guard
            let place = try TransactionsTable.place(of: newest, app: app.appleID, environment.id, on: connection)
        else {
            throw StorageError(
                .corrupt, "transactions", "the subscription \(subscription.id) names \(newest), which is gone")
        }
        return Standing(
            id: subscription.id, groupID: subscription.groupID, status: subscription.status(at: now),
            transaction: try signable(place, of: app, at: now, on: connection),
            renewalInfo: try renewalInfo(subscription, of: app, on: connection))
    }

    private func signed(_ standing: Standing) throws -> SubscriptionStatuses.Item {
        SubscriptionStatuses.Item(
            status: standing.status, originalTransactionID: standing.id,
            signedTransaction: try signed(standing.transaction),
            signedRenewalInfo: Self.jsonString(try signing.jws.sign(payload: standing.renewalInfo.encoded())))
    }
}
