/// A purchase in a verified receipt, which the seller's server may rely on.
package struct VerifiedPurchase: Hashable, Sendable {
    package var productID: Product.ID
    package var transactionID: TransactionID
    package var originalTransactionID: TransactionID
    package var purchaseDate: Instant
    /// The end of a subscription's paid period, exclusive.
    package var expiresDate: Instant?
    /// The date of the refund or revocation. In a receipt it may also be the date of an upgrade;
    /// ``resolvingUpgrades(_:)`` tells them apart.
    package var cancellationDate: Instant?
    /// True if an upgrade replaced it, which isn't a refund.
    package var isUpgraded: Bool
    /// The start of the upgrade, which is the end of this period.
    package var replacedDate: Instant?
    /// The date of the store's answer; `nil` if unknown.
    package var reportedDate: Instant?
    /// The newest reversed refund.
    package var reversedRefund: ReversedRefund?
    package var quantity: Int
    /// The product type in the seller's catalog, which receipts don't have.
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

    /// The type in the catalog, otherwise the type that the dates suggest.
    package var presumedType: ProductType {
        type ?? (expiresDate == nil ? .nonConsumable : .autoRenewable)
    }

    /// Orders purchases by date, then by transaction ID.
    package static func isEarlier(_ one: VerifiedPurchase, _ other: VerifiedPurchase) -> Bool {
        (one.purchaseDate, one.transactionID) < (other.purchaseDate, other.transactionID)
    }
}

/// A reversed refund. Purchases between the two dates were made without the refunded one.
package struct ReversedRefund: Hashable, Sendable {
    package let refundDate: Instant
    package let reversalDate: Instant

    package init(refundDate: Instant, reversalDate: Instant) {
        self.refundDate = refundDate
        self.reversalDate = reversalDate
    }

    /// Returns true if the refund was in effect at an instant.
    func wasRefunded(at instant: Instant) -> Bool { refundDate <= instant && instant < reversalDate }
}

extension VerifiedPurchase {
    /// Creates a verified purchase from the store's transaction.
    package init(_ transaction: Transaction) {
        self.init(
            productID: transaction.productID, transactionID: transaction.id,
            originalTransactionID: transaction.originalID, purchaseDate: transaction.purchaseDate,
            expiresDate: transaction.expiresDate, cancellationDate: transaction.revocation?.date,
            isUpgraded: transaction.isUpgraded, quantity: transaction.quantity, type: transaction.type)
    }
}

/// A purchase that grants nothing, with the reason. Purchases are never deleted, so the refusal may end later.
package struct RefusedPurchase: Hashable, Sendable {
    package enum Code: String, Sendable, CaseIterable {
        /// Neither the product ID nor the configuration gives the term of the non-renewing product.
        case termUnknown
        /// An earlier term was still running, and the seller refuses overlaps.
        case overlaps
        /// Refunded or revoked.
        case revoked
        /// A non-renewing purchase requires a customer, and none was given.
        case customerNeeded
        /// Another customer has claimed this transaction.
        case belongsToAnother
    }

    package let code: Code
    package let productID: Product.ID
    package let transactionID: TransactionID
    /// A message for people: the problem and its cure.
    package let reason: String

    package init(_ code: Code, _ purchase: VerifiedPurchase, _ reason: String) {
        self.code = code
        self.productID = purchase.productID
        self.transactionID = purchase.transactionID
        self.reason = reason
    }
}
