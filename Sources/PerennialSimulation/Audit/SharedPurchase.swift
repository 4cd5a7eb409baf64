import Perennial

/// A purchase and what stands for it at a family member's: as the tables have both.
struct SharedPurchase: Sendable {
    /// One side of it.
    struct Side: Sendable {
        var id: TransactionID
        var account: Account.ID
        /// `nil` for a non-consumable.
        var subscription: Subscription?
        /// What is in force now, or was charged ahead.
        var inForce: [Held]

        /// The same, as far as a family shares it.
        var shared: [Held] { inForce.filter(\.isShareable) }

        /// The product, one that a family shares, that goes on in a grace period.
        func grace(at now: Instant) -> Product.ID? {
            guard let subscription, case .gracePeriod = subscription.state, subscription.isEntitled(at: now),
                subscription.product.isFamilyShareable
            else { return nil }
            return subscription.product.id
        }

        /// Whether there is no access, and a charge is tried again.
        var isRetried: Bool {
            guard let subscription, case .billingRetry = subscription.state else { return false }
            return true
        }
    }

    var purchase: Side
    var copy: Side
    /// Whether both belong to one family now.
    var isFamily: Bool
}

/// Somebody in a customer's family, with what they have in force.
struct Relative: Sendable {
    var account: Account.ID
    var products: Set<Product.ID>
}

/// A transaction in force, as far as sharing is about it.
struct Held: Sendable {
    var id: TransactionID
    var originalID: TransactionID
    var productID: Product.ID
    var expiresDate: Instant?
    var milliunits: Int64

    /// Whether a family shares what was sold.
    var isShareable: Bool { SimulatedCatalog.products[productID]?.isFamilyShareable == true }

    /// Whether it gives a member what a purchaser bought, to the same instant.
    func isCopy(of purchase: Held) -> Bool {
        productID == purchase.productID && expiresDate == purchase.expiresDate && milliunits == 0
    }
}

extension Held {
    init(_ transaction: Transaction) {
        self.init(
            id: transaction.id, originalID: transaction.originalID, productID: transaction.productID,
            expiresDate: transaction.expiresDate, milliunits: transaction.price.milliunits)
    }
}
