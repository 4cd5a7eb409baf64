/// Kinds of the store's own advertisements in an app.
///
/// Source: Apple, StoreKit documentation, "AppStoreMerchandisingKind".
public struct AppStoreMerchandisingKind: Sendable {
    private let subscriptionGroupID: String

    /// An advertisement for the bundles with a subscription group.
    public static func subscriptionBundle(_ groupID: String) -> AppStoreMerchandisingKind {
        AppStoreMerchandisingKind(subscriptionGroupID: groupID)
    }

    /// The outcome of an advertisement.
    public enum PresentationResult: Sendable {
        /// The customer dismissed it.
        case dismissed
        /// The customer went through a purchase.
        case purchaseCompleted(Product.PurchaseResult)
    }
}

/// An option of the sheet for offer codes. The store defines none.
///
/// Source: Apple, StoreKit documentation, "RedeemOption".
public struct RedeemOption: Equatable, Hashable, Sendable {}
