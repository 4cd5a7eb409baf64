import Foundation

/// The store, seen from the app.
///
/// Source: Apple, StoreKit documentation, "AppStore".
public enum AppStore: Sendable {
    /// True if the customer may buy, as of the last sign-in; also before the first.
    public static var canMakePayments: Bool { CurrentStore.connection?.canMakePayments ?? true }

    /// Identifier of the device, to which signed data is bound; `nil` without a store.
    ///
    /// Source: Apple, StoreKit documentation, "deviceVerificationID".
    public static var deviceVerificationID: UUID? { CurrentStore.connection?.deviceID }

    /// The app's age rating in the customer's storefront. Always `nil`: this store rates no apps.
    public static var ageRatingCode: Int? { get async { nil } }

    /// Fetches the customer's transactions and subscription status from the store.
    ///
    /// - Throws: ``StoreKitError``.
    ///
    /// Source: Apple, StoreKit documentation, "sync()".
    public static func sync() async throws {
        guard let connection = CurrentStore.connection else { throw StoreKitError(wrapping: StoreFailure.noStore) }
        if let error = connection.simulatedErrors.error(for: .appStoreSync) { throw error }
        do {
            // Also finds out whether the store can be reached.
            try await connection.store.refreshStorefront()
        } catch {
            throw StoreKitError(wrapping: error)
        }
        await connection.synchronize()
    }
}

extension AppStore {
    /// Environments of the store: the known ones, or another one.
    ///
    /// Source: Apple, StoreKit documentation, "AppStore.Environment".
    public struct Environment: RawRepresentable, Equatable, Hashable, Sendable {
        /// Name of the environment, as in signed data.
        public let rawValue: String

        /// Makes an environment from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The environment with real purchases.
        public static let production = Environment(rawValue: "Production")
        /// The environment of test accounts.
        public static let sandbox = Environment(rawValue: "Sandbox")
        /// The environment of StoreKitTest.
        public static let xcode = Environment(rawValue: "Xcode")
    }

    /// Platforms of apps: the known ones, or a later one.
    ///
    /// Source: Apple, StoreKit documentation, "AppStore.Platform".
    public struct Platform: RawRepresentable, Equatable, Hashable, Sendable {
        /// Name of the platform, as in signed data.
        public let rawValue: String

        /// Makes a platform from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// iPhone and iPad.
        public static let iOS = Platform(rawValue: "iOS")
        /// Mac.
        public static let macOS = Platform(rawValue: "macOS")
        /// Apple TV.
        public static let tvOS = Platform(rawValue: "tvOS")
        /// Apple Vision.
        public static let visionOS = Platform(rawValue: "visionOS")
        /// A managed purchase for several platforms.
        public static var managed: Platform { Platform(rawValue: "MANAGED") }
    }
}
