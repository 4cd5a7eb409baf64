import Perennial

/// Default messages, the seller's real-time endpoint and its tests.
package enum RetentionSettingsTable {
    package static func setDefault(
        _ message: String, product: Product.ID, locale: String, _ key: AppKey, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO retention_defaults (environment, app, product, locale, message) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (environment, app, product, locale) DO UPDATE SET message = excluded.message
            """, key.values + [.text(product.rawValue), .text(locale), .text(message)])
    }

    package static func defaultMessage(
        product: Product.ID, locale: String, _ key: AppKey, on connection: any Connection
    ) throws -> String? {
        try connection.first(
            """
            SELECT message FROM retention_defaults
            WHERE environment = $1 AND app = $2 AND product = $3 AND locale = $4
            """, key.values + [.text(product.rawValue), .text(locale)]
        ) { try $0.text(0) }
    }

    /// Deletes a default message.
    /// - Returns: False if there was none.
    package static func deleteDefault(
        product: Product.ID, locale: String, _ key: AppKey, on connection: any Connection
    ) throws -> Bool {
        try connection.execute(
            """
            DELETE FROM retention_defaults WHERE environment = $1 AND app = $2 AND product = $3 AND locale = $4
            """, key.values + [.text(product.rawValue), .text(locale)]) > 0
    }

    package static func setURL(_ url: String, _ key: AppKey, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO retention_urls (environment, app, url) VALUES ($1, $2, $3)
            ON CONFLICT (environment, app) DO UPDATE SET url = excluded.url
            """, key.values + [.text(url)])
    }

    package static func url(_ key: AppKey, on connection: any Connection) throws -> String? {
        try connection.first(
            "SELECT url FROM retention_urls WHERE environment = $1 AND app = $2", key.values
        ) { try $0.text(0) }
    }

    /// Deletes the endpoint.
    /// - Returns: False if there was none.
    package static func deleteURL(_ key: AppKey, on connection: any Connection) throws -> Bool {
        try connection.execute("DELETE FROM retention_urls WHERE environment = $1 AND app = $2", key.values) > 0
    }

    package static func insertTest(
        _ id: String, passed: Bool, document: String, _ key: AppKey, on connection: any Connection
    ) throws {
        try connection.send(
            "INSERT INTO retention_tests (environment, app, id, passed, document) VALUES ($1, $2, $3, $4, $5)",
            key.values + [.text(id), SQLValue(passed), .text(document)])
    }

    package static func test(_ id: String, _ key: AppKey, on connection: any Connection) throws -> String? {
        try connection.first(
            "SELECT document FROM retention_tests WHERE environment = $1 AND app = $2 AND id = $3",
            key.values + [.text(id)]
        ) { try $0.text(0) }
    }

    /// Returns true if the app's endpoint has passed a test in any environment.
    package static func hasPassed(app: Int64, on connection: any Connection) throws -> Bool {
        try connection.first("SELECT 1 FROM retention_tests WHERE app = $1 AND passed = 1 LIMIT 1", [.integer(app)]) {
            try $0.integer(0)
        } != nil
    }
}
