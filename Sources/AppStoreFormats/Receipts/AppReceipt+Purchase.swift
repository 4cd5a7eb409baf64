import Foundation

extension AppReceipt {
    /// An in-app purchase in an app receipt (attribute 17). Dates have whole seconds.
    public struct Purchase: Sendable, Equatable {
        /// How many were bought (attribute 1701): 1 to 10.
        public var quantity: Int64 = 1
        /// The product bought (attribute 1702).
        public var productID: String
        /// The transaction (attribute 1703).
        public var transactionID: String
        /// The transaction this one renews or restores, else itself (attribute 1705).
        public var originalTransactionID: String
        /// When it was bought, renewed or restored (attribute 1704).
        public var purchaseDate: Date
        /// When the original transaction was bought (attribute 1706).
        public var originalPurchaseDate: Date
        /// The kind of product (attribute 1707).
        public var productType: ProductType
        /// The end of the subscription's period (attribute 1708); `nil` for everything else.
        public var expiresDate: Date?
        /// The paid period of a subscription (attribute 1711); `nil` for everything else.
        public var webOrderLineItemID: Int64?
        /// When it was refunded or revoked (attribute 1712).
        public var cancellationDate: Date?
        /// Whether the period is a free trial (attribute 1713).
        public var isTrialPeriod: Bool = false
        /// Whether the period is sold at an introductory price (attribute 1719).
        public var isInIntroOfferPeriod: Bool = false
        /// Why it was refunded: 1 for an issue with the app, 0 for another reason (attribute 1720).
        public var cancellationReason: Int64?
        /// The promotional offer that was used (attribute 1721).
        public var promotionalOfferID: String?

        /// Makes a purchase; what is optional is set afterwards.
        public init(
            productID: String, transactionID: String, originalTransactionID: String, purchaseDate: Date,
            originalPurchaseDate: Date, productType: ProductType, quantity: Int64 = 1
        ) {
            self.productID = productID
            self.transactionID = transactionID
            self.originalTransactionID = originalTransactionID
            self.purchaseDate = purchaseDate
            self.originalPurchaseDate = originalPurchaseDate
            self.productType = productType
            self.quantity = quantity
        }
    }

    /// The kind of product as receipts number it (attribute 1707).
    public struct ProductType: RawRepresentable, Hashable, Sendable {
        /// The number on the wire.
        public let rawValue: Int64

        /// Takes any number, known or not.
        public init(rawValue: Int64) { self.rawValue = rawValue }

        /// Bought once, kept for ever.
        public static let nonConsumable = Self(rawValue: 0)
        /// Used up and bought again.
        public static let consumable = Self(rawValue: 1)
        /// A subscription whose term the seller keeps.
        public static let nonRenewingSubscription = Self(rawValue: 2)
        /// A subscription that the store renews.
        public static let autoRenewableSubscription = Self(rawValue: 3)
    }
}

extension AppReceipt.Purchase {
    /// Whether it is a period of an auto-renewable subscription: by its type, or because it has an end, which is all
    /// that the receipts of some senders tell.
    public var isAutoRenewable: Bool {
        productType == .autoRenewableSubscription || expiresDate != nil
    }
}

extension AppReceipt {
    /// Whether it holds a period of an auto-renewable subscription: verifyReceipt then asks for the shared secret.
    public var hasAutoRenewables: Bool { purchases.contains { $0.isAutoRenewable } }
}
