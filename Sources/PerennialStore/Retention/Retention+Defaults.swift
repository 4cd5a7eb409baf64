import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage

extension Retention {
    /// Sets the default message of a product in a language, which is shown if no other is chosen. It replaces an earlier
    /// one.
    ///
    /// - Throws: ``ServerAPIError`` 4000023 (no auto-renewable subscription of the app), 4000164, 4040015, 4030017,
    ///   4030018.
    package func setDefaultMessage(
        _ message: UUID, for product: Product.ID, locale: String, of app: App
    ) async throws {
        try await database.write { [self] connection in
            let entry = try catalog.entry(number: app.appleID, on: connection)
            guard entry?.products[product]?.subscription != nil else {
                throw ServerAPIError(
                    .invalidProductID, "productId", "the app has no auto-renewable subscription \(product)")
            }
            try Self.checkLocale(locale)
            _ = try approvedMessage(message.name, of: app, on: connection)
            try RetentionSettingsTable.setDefault(
                message.name, product: product, locale: locale, key(of: app), on: connection)
        }
    }

    /// Returns the default message of a product in a language.
    ///
    /// - Throws: ``ServerAPIError`` 4040020.
    package func defaultMessage(for product: Product.ID, locale: String, of app: App) async throws -> UUID {
        let found = try await database.read { [self] connection in
            try RetentionSettingsTable.defaultMessage(
                product: product, locale: locale, key(of: app), on: connection)
        }
        guard let id = found.flatMap(UUID.init(uuidString:)) else { throw Self.noDefault }
        return id
    }

    /// Deletes the default message of a product in a language.
    ///
    /// - Throws: ``ServerAPIError`` 4040020.
    package func deleteDefaultMessage(for product: Product.ID, locale: String, of app: App) async throws {
        try await database.write { [self] connection in
            guard
                try RetentionSettingsTable.deleteDefault(
                    product: product, locale: locale, key(of: app), on: connection)
            else { throw Self.noDefault }
        }
    }

    /// Sets the URL of the seller's server for real-time requests.
    ///
    /// - Throws: ``ServerAPIError`` 4030026: Production requires a passed performance test.
    package func setRealtimeURL(_ url: RealtimeURL, of app: App) async throws {
        try await database.write { [self] connection in
            if environment.kind == .production {
                guard try RetentionSettingsTable.hasPassed(app: app.appleID, on: connection) else {
                    throw ServerAPIError(
                        .noPassingPerformanceTest, nil, "the endpoint has to pass a performance test in Sandbox first")
                }
            }
            try RetentionSettingsTable.setURL(url.realtimeURL, key(of: app), on: connection)
        }
    }

    /// Returns the URL for real-time requests.
    ///
    /// - Throws: ``ServerAPIError`` 4040021.
    package func realtimeURL(of app: App) async throws -> RealtimeURL {
        let url = try await database.read { [self] in try RetentionSettingsTable.url(key(of: app), on: $0) }
        guard let url else { throw Self.noURL }
        return RealtimeURL(realtimeURL: url)
    }

    /// Deletes the URL for real-time requests.
    ///
    /// - Throws: ``ServerAPIError`` 4040021.
    package func deleteRealtimeURL(of app: App) async throws {
        try await database.write { [self] connection in
            guard try RetentionSettingsTable.deleteURL(key(of: app), on: connection) else { throw Self.noURL }
        }
    }

    /// Checks a locale: a language, with script and region if needed, as in App Store Connect: `en-US`, `zh-Hans`.
    private static func checkLocale(_ locale: String) throws {
        guard locale.wholeMatch(of: /[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?/) != nil else {
            throw ServerAPIError(.invalidLocale, "locale", "a locale is written as en-US or zh-Hans")
        }
    }

    private static var noDefault: ServerAPIError {
        ServerAPIError(.defaultMessageNotFound, nil, "the product has no default message in that language")
    }

    private static var noURL: ServerAPIError {
        ServerAPIError(.realtimeURLNotFound, nil, "the app has no real-time URL")
    }
}
