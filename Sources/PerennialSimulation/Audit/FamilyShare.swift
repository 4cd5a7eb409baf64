import Perennial

/// A purchase and a family member's share of it, as the tables have both.
struct FamilyShare: Sendable {
    /// The transactions of one of the two customers.
    struct Side: Sendable {
        var id: TransactionID
        var account: Account.ID
        /// The subscription; `nil` for a non-consumable.
        var subscription: Subscription?
        /// Transactions in force, or charged ahead.
        var inForce: [ActiveTransaction]

        /// Transactions in force that a family shares.
        var shared: [ActiveTransaction] { inForce.filter(\.isShareable) }

        /// Returns the shareable product with a running grace period.
        func grace(at now: Instant) -> Product.ID? {
            guard let subscription, case .gracePeriod = subscription.state, subscription.isEntitled(at: now),
                subscription.product.isFamilyShareable
            else { return nil }
            return subscription.product.id
        }

        /// True in billing retry, without access.
        var isRetried: Bool {
            guard let subscription, case .billingRetry = subscription.state else { return false }
            return true
        }
    }

    var purchaser: Side
    var member: Side
    /// True if both belong to one family now.
    var isFamily: Bool
}

/// A relative of a customer, with the products in force.
struct FamilyMember: Sendable {
    var account: Account.ID
    var products: Set<Product.ID>
}

/// A transaction in force, with the fields that sharing is about.
struct ActiveTransaction: Sendable {
    var id: TransactionID
    var originalID: TransactionID
    var productID: Product.ID
    var expiresDate: Instant?
    var milliunits: Int64

    var isShareable: Bool { SimulatedCatalog.products[productID]?.isFamilyShareable == true }

    /// True if the transaction gives a member a purchaser's period, to the same instant.
    func shares(_ purchase: ActiveTransaction) -> Bool {
        productID == purchase.productID && expiresDate == purchase.expiresDate && milliunits == 0
    }
}

extension ActiveTransaction {
    init(_ transaction: Transaction) {
        self.init(
            id: transaction.id, originalID: transaction.originalID, productID: transaction.productID,
            expiresDate: transaction.expiresDate, milliunits: transaction.price.milliunits)
    }
}
