import Perennial
import PerennialStorage

/// A subscription with work that falls due: a charge, a period's end, the end of a grace period.
package struct UpcomingWork: Hashable, Sendable {
    package var due: Instant
    package var bundleID: App.BundleID
    package var account: String
    package var productID: Product.ID
    /// The original transaction ID.
    package var subscriptionID: TransactionID
}

extension Renewals {
    /// Returns the instant of the next due work; `nil` if nothing will be due.
    package func nextDue() async throws -> Instant? {
        try await database.read { [environment] in
            try SubscriptionsTable.nextDue(after: nil, environment.id, on: $0)
        }
    }

    package static let maximumUpcoming = 100

    /// Returns the work that falls due next, soonest first.
    ///
    /// - Parameter limit: At most ``maximumUpcoming``.
    package func upcoming(limit: Int) async throws -> [UpcomingWork] {
        try await database.read { [self] connection in
            let due = try SubscriptionsTable.due(
                until: .endOfTime, limit: min(limit, Self.maximumUpcoming), environment.id, on: connection)
            return try due.compactMap { found -> UpcomingWork? in
                let app = found.customer.app
                guard let entry = try catalog.entry(number: app, on: connection),
                    let account = try AccountsTable.account(found.customer.account, environment.id, on: connection),
                    // One that can't be read is quarantined when it is due.
                    let subscription = try? SubscriptionsTable.subscription(
                        found.subscriptionID, app: app, environment.id, on: connection)
                else { return nil }
                return UpcomingWork(
                    due: found.due, bundleID: entry.app.bundleID, account: account.name,
                    productID: subscription.product.id, subscriptionID: found.subscriptionID)
            }
        }
    }
}
