import Foundation

extension AppReceipt {
    /// An in-app purchase in an app receipt (attribute 17). Dates have whole seconds.
    public struct Purchase: Sendable, Equatable {
        /// The quantity bought (attribute 1701): 1 to 10.
        public var quantity: Int64 = 1
        /// The product bought (attribute 1702).
        public var productID: String
        /// The transaction (attribute 1703).
        public var transactionID: String
        /// The transaction this one renews or restores, else itself (attribute 1705).
        public var originalTransactionID: String
        /// The date of the purchase, renewal or restore (attribute 1704).
        public var purchaseDate: Date
        /// The date of the original transaction (attribute 1706).
        public var originalPurchaseDate: Date
        /// The kind of product (attribute 1707).
        public var productType: ProductType
        /// The end of the subscription's period (attribute 1708); `nil` for everything else.
        public var expiresDate: Date?
        /// The paid period of a subscription (attribute 1711); `nil` for everything else.
        public var webOrderLineItemID: Int64?
        /// The date of the refund or revocation (attribute 1712).
        public var cancellationDate: Date?
        /// True if the period is a free trial (attribute 1713).
        public var isTrialPeriod: Bool = false
        /// True if the period was sold at an introductory price (attribute 1719).
        public var isInIntroOfferPeriod: Bool = false
        /// The reason of the refund: 1 for an issue with the app, 0 for another reason (attribute 1720).
        public var cancellationReason: Int64?
        /// The promotional offer that was used (attribute 1721).
        public var promotionalOfferID: String?

        /// Makes a purchase; optional properties are set afterwards.
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

        /// A product that is bought once and kept.
        public static let nonConsumable = Self(rawValue: 0)
        /// A product that is used up and bought again.
        public static let consumable = Self(rawValue: 1)
        /// A subscription whose term the seller keeps.
        public static let nonRenewingSubscription = Self(rawValue: 2)
        /// A subscription that the store renews.
        public static let autoRenewableSubscription = Self(rawValue: 3)
    }
}

extension AppReceipt.Purchase {
    /// True for a period of an auto-renewable subscription: by its type, or because it has an end, the only sign in the
    /// receipts of some senders.
    public var isAutoRenewable: Bool {
        productType == .autoRenewableSubscription || expiresDate != nil
    }
}

extension AppReceipt {
    /// True if the receipt has a period of an auto-renewable subscription: verifyReceipt then asks for the shared
    /// secret.
    public var hasAutoRenewables: Bool { purchases.contains { $0.isAutoRenewable } }
}
