import Perennial
import PerennialStorage

/// The scheduled prices of a product that take effect at one instant.
package struct UpcomingPrices: Hashable, Sendable {
    package var due: Instant
    package var bundleID: App.BundleID
    package var productID: Product.ID
    /// One for each storefront, or the base price.
    package var prices: [ScheduledPrice]
}

extension Products {
    /// Returns the scheduled prices that take effect next, soonest first.
    package func upcomingPrices(limit: Int) async throws -> [UpcomingPrices] {
        try await database.read { [self] connection in
            var upcoming: [UpcomingPrices] = []
            for entry in try catalog.all(on: connection) where entry.nextPrice != nil {
                for (id, pending) in entry.pendingPrices {
                    let instants = Dictionary(grouping: pending.prices, by: \.at)
                    upcoming += instants.map { at, prices in
                        UpcomingPrices(due: at, bundleID: entry.app.bundleID, productID: id, prices: prices)
                    }
                }
            }
            upcoming.sort {
                ($0.due, $0.bundleID.rawValue, $0.productID.rawValue)
                    < ($1.due, $1.bundleID.rawValue, $1.productID.rawValue)
            }
            return Array(upcoming.prefix(max(limit, 0)))
        }
    }
}
