import Foundation

/// Purchases outside of the store. This store entitles no app to them, so that none is possible.
///
/// Source: Apple, StoreKit documentation, "ExternalPurchase".
public enum ExternalPurchase: Sendable {
    /// The answer of a customer to the notice.
    public enum NoticeResult: Hashable, Sendable {
        /// The customer cancelled.
        case cancelled
        /// The customer continued.
        case continued
        /// The customer continued, with a token for the seller's reports.
        case continuedWithExternalPurchaseToken(token: String)
    }

    /// True if the notice can be shown. Always false: no app is entitled to it.
    public static var canPresent: Bool { get async { false } }

    /// Shows the notice about purchases outside of the store.
    ///
    /// - Throws: ``StoreKitError/notEntitled``, always: as for any app without the entitlement.
    public static func presentNoticeSheet() async throws -> NoticeResult {
        throw StoreKitError.notEntitled
    }
}

/// Links to purchases outside of the store. This store entitles no app to them.
///
/// Source: Apple, StoreKit documentation, "ExternalPurchaseLink".
public enum ExternalPurchaseLink: Sendable {
    /// True if a link can be opened. Always false: no app is entitled to it.
    public static var canOpen: Bool { get async { false } }
    /// Links of the app in the customer's storefront. Always `nil`.
    public static var eligibleURLs: [URL]? { get async { nil } }

    /// Opens the link of the app.
    ///
    /// - Throws: ``StoreKitError/notEntitled``, always: as for any app without the entitlement.
    public static func open() async throws {
        throw StoreKitError.notEntitled
    }

    /// Opens a link.
    ///
    /// - Throws: ``StoreKitError/notEntitled``, always: as for any app without the entitlement.
    public static func open(url: URL) async throws {
        throw StoreKitError.notEntitled
    }
}

/// Links of the app's own to purchases outside of the store. This store entitles no app to them.
///
/// Source: Apple, StoreKit documentation, "ExternalPurchaseCustomLink".
public enum ExternalPurchaseCustomLink: Sendable {
    /// Destinations of a link.
    public enum NoticeType: Int, Hashable, Sendable {
        /// A browser.
        case browser
        /// The app.
        case withinApp
    }

    /// The answer of a customer to the notice.
    public enum NoticeResult: Hashable, Sendable {
        /// The customer continued.
        case continued
        /// The customer cancelled.
        case cancelled
    }

    /// A token for the seller's reports.
    public struct Token: Hashable, Sendable {
        /// The token in base64.
        public let value: String
    }

    /// True if the app may link. Always false: no app is entitled to it.
    public static var isEligible: Bool { get async { false } }

    /// Returns a token for the seller's reports.
    ///
    /// - Throws: ``StoreKitError/notEntitled``, always: as for any app without the entitlement.
    public static func token(for tokenType: String) async throws -> Token? {
        throw StoreKitError.notEntitled
    }

    /// Shows the notice about purchases outside of the store.
    ///
    /// - Throws: ``StoreKitError/notEntitled``, always: as for any app without the entitlement.
    public static func showNotice(type: NoticeType) async throws -> NoticeResult {
        throw StoreKitError.notEntitled
    }
}

/// The link of a reader app to its website. This store entitles no app to it.
///
/// Source: Apple, StoreKit documentation, "ExternalLinkAccount".
public enum ExternalLinkAccount: Sendable {
    /// True if the link can be opened. Always false: no app is entitled to it.
    public static var canOpen: Bool { get async { false } }

    /// Opens the link.
    ///
    /// - Throws: ``StoreKitError/notEntitled``, always: as for any app without the entitlement.
    public static func open() async throws {
        throw StoreKitError.notEntitled
    }
}
