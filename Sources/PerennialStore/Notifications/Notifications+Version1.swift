import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

extension Notifications {
    /// Returns the body of a notification of version 1 for operators: as it is sent now, without the shared secret.
    ///
    /// The secret is for admins only.
    ///
    /// - Returns: `nil` for version 2.
    /// - Throws: ``StoreError`` `.appNotFound`.
    package func version1Body(of snapshot: NotificationSnapshot, _ bundleID: App.BundleID) async throws -> [UInt8]? {
        guard snapshot.record.version != NotificationSettings.Version.two.rawValue else { return nil }
        let entry = try await database.read { [self] connection in try app(bundleID, on: connection) }
        var body = try await version1Content(snapshot.record, entry)
        body.password = "…"
        return body.encoded()
    }

    /// Returns the body of a notification of version 1, with the customer's newest receipt and the subscription's state at
    /// the event.
    func version1Body(_ record: NotificationRecord, _ entry: CatalogCache.Entry) async throws -> [UInt8] {
        try await version1Content(record, entry).encoded()
    }

    private func version1Content(
        _ record: NotificationRecord, _ entry: CatalogCache.Entry
    ) async throws -> NotificationV1Body {
        let key = customerKey(of: record.account, in: entry.app)
        let (transactions, subscriptions, now) = try await database.read { [clock] connection in
            (
                try TransactionsTable.all(of: key, on: connection),
                try SubscriptionsTable.all(of: key, on: connection), try clock.now(on: connection)
            )
        }
        let customer = Customer(
            key: key, bundleID: entry.app.bundleID, device: "", applicationVersion: entry.app.version)
        let newest = LatestReceiptInfo.transactions(transactions, newestOnly: false)
        var body = NotificationV1Body(
            notificationType: record.type, environment: AppStoreEnvironment(rawValue: environment.kind.rawValue),
            password: entry.sharedSecret, bundleID: entry.app.bundleID.rawValue, bundleVersion: entry.app.version,
            latestReceipt: try await receipts.appReceipt(for: customer),
            latestReceiptInfo: newest.prefix(NotificationV1Body.maximumTransactions)
                .map { LatestReceiptInfo.transaction($0, of: entry) },
            pendingRenewalInfo: LatestReceiptInfo.pendingRenewals(subscriptions, transactions, of: entry, at: now))
        body.originalTransactionID = record.originalID?.rawValue
        guard let text = record.content.renewalInfo else { return body }
        let renewal = try JSONDecoder().decode(RenewalInfoPayload.self, from: Data(text.utf8))
        body.autoRenewProductID = renewal.autoRenewProductId
        let product = entry.products[Product.ID(rawValue: renewal.autoRenewProductId)]
        body.autoRenewAdamID = product.map { "\($0.appleID)" }
        body.autoRenewStatus = renewal.autoRenewStatus == .on
        body.expirationIntent = renewal.expirationIntent.map { Int64($0.rawValue) }
        if record.type == NotificationV1.changeOfStatus { body.autoRenewStatusChangeDate = record.signed.date }
        return body
    }
}
