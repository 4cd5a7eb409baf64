import Perennial
import PerennialStorage

/// The active subscriptions that renew with a product, in each environment.
package struct RenewingSubscriptions: Sendable {
    /// The environments that have some, Production first.
    package var environments: [(name: String, count: Int)] = []
    /// False if the app has more subscriptions than were read.
    package var isComplete = true

    package var count: Int { environments.map(\.count).reduce(0, +) }
}

extension StoreRegistry {
    /// Counts the subscriptions that end when a product isn't sold any more: the catalog is that of all environments.
    ///
    /// Each one is read, since its row doesn't say what it renews with.
    ///
    /// - Parameter limit: The number of subscriptions to read, so that an answer comes at once however many there are.
    package func subscriptions(
        renewing product: Product.ID, of app: Int64, reading limit: Int = 2_000
    ) async throws -> RenewingSubscriptions {
        try await database.read { connection in
            var found = RenewingSubscriptions()
            var left = limit
            for environment in try EnvironmentsTable.withSubscriptions(of: app, on: connection) {
                guard left > 0 else {
                    found.isComplete = false
                    break
                }
                let page = try SubscriptionsTable.page(
                    after: TransactionID(rawValue: 0), limit: left, app: app, environment.id, on: connection)
                let count = page.subscriptions.count(where: { $0.renewsOwn(product) })
                if count > 0 { found.environments.append((environment.name, count)) }
                // A full page may be the last one, which "at least" says as well.
                if page.count == left { found.isComplete = false }
                left -= page.count
            }
            return found
        }
    }
}
