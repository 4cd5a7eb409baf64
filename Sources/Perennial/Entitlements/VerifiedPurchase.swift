/// A purchase as a verified receipt tells of it: what the seller's server may rely on.
package struct VerifiedPurchase: Hashable, Sendable {
    package var productID: Product.ID
    package var transactionID: TransactionID
    package var originalTransactionID: TransactionID
    package var purchaseDate: Instant
    /// Subscriptions only: the end of the paid period, not part of it.
    package var expiresDate: Instant?
    /// When it was refunded or revoked; of an upgraded period, as a receipt tells it, also when that was replaced
    /// (``resolvingUpgrades(_:)`` tells the two apart).
    package var cancellationDate: Instant?
    /// Whether an upgrade took its place, which no refund is.
    package var isUpgraded: Bool
    /// Where the upgrade began that took its place: the period ends there.
    package var replacedDate: Instant?
    /// The instant at which the store said this; `nil` where it isn't known.
    package var reportedDate: Instant?
    /// The newest refund of it that was undone.
    package var reversedRefund: ReversedRefund?
    package var quantity: Int
    /// What the seller's catalog says it is; receipts don't tell.
    package var type: ProductType?

    package init(
        productID: Product.ID, transactionID: TransactionID, originalTransactionID: TransactionID? = nil,
        purchaseDate: Instant, expiresDate: Instant? = nil, cancellationDate: Instant? = nil, isUpgraded: Bool = false,
        reportedDate: Instant? = nil, quantity: Int = 1, type: ProductType? = nil
    ) {
        self.productID = productID
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID ?? transactionID
        self.purchaseDate = purchaseDate
        self.expiresDate = expiresDate
        self.cancellationDate = cancellationDate
        self.isUpgraded = isUpgraded
        self.reportedDate = reportedDate
        self.quantity = quantity
        self.type = type
    }

    /// The catalog's type, or what the dates suggest where the catalog doesn't know the product.
    package var presumedType: ProductType {
        type ?? (expiresDate == nil ? .nonConsumable : .autoRenewable)
    }

    /// The order in which purchases are considered: by date, then by number.
    package static func isEarlier(_ one: VerifiedPurchase, _ other: VerifiedPurchase) -> Bool {
        (one.purchaseDate, one.transactionID) < (other.purchaseDate, other.transactionID)
    }
}

/// A refund that was undone: what was bought between the two dates was bought without it.
package struct ReversedRefund: Hashable, Sendable {
    package let refunded: Instant
    package let reversed: Instant

    package init(refunded: Instant, reversed: Instant) {
        self.refunded = refunded
        self.reversed = reversed
    }

    /// Whether the purchase was taken back at an instant.
    func wasRefunded(at instant: Instant) -> Bool { refunded <= instant && instant < reversed }
}

extension VerifiedPurchase {
    /// A transaction of the store's own.
    package init(_ transaction: Transaction) {
        self.init(
            productID: transaction.productID, transactionID: transaction.id,
            originalTransactionID: transaction.originalID, purchaseDate: transaction.purchaseDate,
            expiresDate: transaction.expiresDate, cancellationDate: transaction.revocation?.date,
            isUpgraded: transaction.isUpgraded, quantity: transaction.quantity, type: transaction.type)
    }
}

/// A purchase that gives nothing, and why. It is refused now; what was bought is never forgotten.
package struct RefusedPurchase: Hashable, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        /// A non-renewing product whose term neither its ID nor the seller's configuration says.
        case termUnknown
        /// A term still ran when it was bought, and the seller chose to refuse.
        case overlaps
        /// Refunded or revoked.
        case revoked
        /// A non-renewing purchase belongs to a customer, and none signed in.
        case customerNeeded
        /// Another customer brought this transaction first.
        case belongsToAnother
    }

    package let code: Code
    package let productID: Product.ID
    package let transactionID: TransactionID
    /// For a person: what was wrong, and what would be right.
    package let reason: String

    package init(_ code: Code, _ purchase: VerifiedPurchase, _ reason: String) {
        self.code = code
        self.productID = purchase.productID
        self.transactionID = purchase.transactionID
        self.reason = reason
    }
}
