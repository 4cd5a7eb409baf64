import Perennial
import PerennialStorage

/// Conditions on the subscriptions of a list: those match that meet all that are set.
package struct SubscriptionFilter: Sendable, Hashable {
    /// The account's name.
    package var account: String?
    /// The product of the newest period.
    package var product: Product.ID?
    package var status: SubscriptionStatus?

    package init(account: String? = nil, product: Product.ID? = nil, status: SubscriptionStatus? = nil) {
        (self.account, self.product, self.status) = (account, product, status)
    }

    func matches(_ subscription: Subscription, at now: Instant) -> Bool {
        (product == nil || subscription.product.id == product)
            && (status == nil || subscription.status(at: now) == status)
    }
}

extension Subscriptions {
    /// Returns subscriptions of an app, those with the highest original transaction IDs first.
    ///
    /// Product and status are in the subscriptions' documents, which no index has: a page reads no more than
    /// ``PageReader/maximumRows`` of them, and may be shorter than its limit although it has a cursor. Documents that can't be
    /// read are left out.
    ///
    /// - Throws: ``StoreError`` `.appNotFound`, `.accountNotFound`; `.malformed` for a cursor that isn't one.
    package func list(
        of bundleID: App.BundleID, _ filter: SubscriptionFilter = SubscriptionFilter(), after cursor: String? = nil,
        limit: Int
    ) async throws -> (page: ListPage<Listed<Subscription>>, now: Instant) {
        let limit = ListLimit.clamped(limit)
        let start = TransactionID(rawValue: try cursor.map { try ListCursor.numbers($0, count: 1)[0] } ?? .max)
        return try await database.read { [self] connection in
            let app = try app(bundleID, on: connection).app.appleID
            let account = try filter.account.map { try accountID(named: $0, on: connection) }
            let now = try clock.now(on: connection)
            let reader = PageReader(
                limit: limit,
                read: { place, count in
                    try SubscriptionsTable.newest(
                        before: place, account: account, limit: count, app: app, environment.id, on: connection)
                }, place: \.id)
            let (found, next) = try reader.page(after: start) { row in
                row.subscription.map { filter.matches($0, at: now) } ?? false
            }
            return (
                ListPage(
                    try named(found.compactMap(\.subscription), \.accountID, on: connection),
                    next: next.map { ListCursor.text($0.rawValue) }), now
            )
        }
    }
}
