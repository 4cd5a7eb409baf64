import Perennial
import PerennialStorage

/// An app as its seller sees it: with its settings for server notifications in both permanent environments.
package struct SellerApp: Sendable {
    package let app: App
    package let production: NotificationSettings?
    package let sandbox: NotificationSettings?
}

extension Products {
    /// Returns the seller's apps with this environment's prices, ordered by Apple ID.
    package func apps() async throws -> [SellerApp] {
        try await database.read { [catalog] connection in
            try catalog.all(on: connection).map {
                SellerApp(
                    app: $0.soldApp, production: $0.notifications[.production], sandbox: $0.notifications[.sandbox])
            }
        }
    }
}
