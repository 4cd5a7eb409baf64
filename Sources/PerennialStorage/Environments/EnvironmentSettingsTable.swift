import Foundation
import Perennial

/// Settings of an environment that override its kind and the apps' catalogs, for one app or for all. Changes of products
/// have rows of their own (``ProductChangesTable``).
package struct EnvironmentSettings: Hashable, Sendable, Codable {
    /// A price change whose subscribers haven't all been notified.
    package struct PriceMigration: Hashable, Sendable, Codable {
        package var productID: Product.ID
        /// True if subscribers must consent; `nil` to decide by the rules.
        package var needsConsent: Bool?
        /// The original transaction up to which all subscribers have been notified.
        package var reached: Int64
        /// The instant of a scheduled price; `nil` if the change applies from its request on.
        package var at: Instant?
        /// The storefronts whose subscribers the change touches, in alphabetical order; `nil` for all.
        package var storefronts: [Storefront]?

        package init(
            productID: Product.ID, needsConsent: Bool?, reached: Int64 = 0, at: Instant? = nil,
            storefronts: [Storefront]? = nil
        ) {
            self.productID = productID
            self.needsConsent = needsConsent
            self.reached = reached
            self.at = at
            self.storefronts = storefronts
        }
    }

    package var billing: BillingSettings?
    package var following: [PriceMigration]

    package init(billing: BillingSettings? = nil, following: [PriceMigration] = []) {
        self.billing = billing
        self.following = following
    }
}

package enum EnvironmentSettingsTable {
    /// The app number that stands for all apps.
    package static let allApps: Int64 = 0

    /// Writes an environment's settings. If the catalog changes by it, call ``AppsTable/touch(_:on:)`` too.
    package static func put(
        _ settings: EnvironmentSettings, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        let encoder = JSONEncoder()
        encoder.outputFormatting = .sortedKeys
        try connection.send(
            """
            INSERT INTO environment_settings (environment, app, document) VALUES ($1, $2, $3)
            ON CONFLICT (environment, app) DO UPDATE SET document = excluded.document
            """,
            [
                .integer(environment.rawValue), .integer(app),
                .text(String(decoding: try encoder.encode(settings), as: UTF8.self)),
            ])
    }

    /// Returns an environment's settings for an app, or for ``allApps``; empty ones if none are stored.
    package static func settings(
        app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> EnvironmentSettings {
        try connection.first(
            "SELECT document FROM environment_settings WHERE environment = $1 AND app = $2",
            [.integer(environment.rawValue), .integer(app)]
        ) { try decode(try $0.text(0)) } ?? EnvironmentSettings()
    }

    /// Returns the settings of all environments; for unreadable ones, the error.
    package static func all(
        on connection: any Connection
    ) throws -> [(environment: StoreEnvironment.ID, app: Int64, settings: Result<EnvironmentSettings, any Error>)] {
        try connection.query("SELECT environment, app, document FROM environment_settings") { row in
            let text = try row.text(2)
            return (
                StoreEnvironment.ID(rawValue: try row.integer(0)), try row.integer(1), Result { try decode(text) }
            )
        }
    }

    /// Returns an environment's settings for single apps.
    package static func all(
        of environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> [(app: Int64, settings: EnvironmentSettings)] {
        try connection.query(
            "SELECT app, document FROM environment_settings WHERE environment = $1 AND app <> $2 ORDER BY app",
            [.integer(environment.rawValue), .integer(allApps)]
        ) { (app: try $0.integer(0), settings: try decode(try $0.text(1))) }
    }

    private static func decode(_ text: String) throws -> EnvironmentSettings {
        try JSONDecoder().decode(EnvironmentSettings.self, from: Data(text.utf8))
    }
}
