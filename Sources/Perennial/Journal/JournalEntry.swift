/// Something that happened in commerce. Committed with its money, never changed afterwards.
package struct JournalEntry: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable, RawRepresentable {
        /// Anything but an auto-renewable subscription was sold.
        case purchased
        /// An owned non-consumable or free subscription was bought again, without a charge.
        case boughtAgain
        case finished
        /// Anything but an auto-renewable subscription was refunded.
        case refunded
        /// The same, of its refund: asked for, declined, taken back.
        case purchaseRefundRequested, purchaseRefundDeclined, purchaseRefundReversed
        case freeSubscriptionEnded
        /// A family member got a copy of a non-consumable that another one bought.
        case shared
        /// A family member lost such a copy.
        case sharingEnded
        /// Something in the life of an auto-renewable subscription.
        case subscription(Fact.Kind)

        package static let allCases: [Kind] =
            [
                .purchased, .boughtAgain, .finished, .refunded, .purchaseRefundRequested, .purchaseRefundDeclined,
                .purchaseRefundReversed, .freeSubscriptionEnded, .shared, .sharingEnded,
            ]
            + Fact.Kind.allCases.map { .subscription($0) }

        package var rawValue: String {
            switch self {
            case .purchased: "purchased"
            case .boughtAgain: "boughtAgain"
            case .finished: "finished"
            case .refunded: "refunded"
            case .purchaseRefundRequested: "purchaseRefundRequested"
            case .purchaseRefundDeclined: "purchaseRefundDeclined"
            case .purchaseRefundReversed: "purchaseRefundReversed"
            case .freeSubscriptionEnded: "freeSubscriptionEnded"
            case .shared: "shared"
            case .sharingEnded: "sharingEnded"
            case .subscription(let fact): fact.rawValue
            }
        }

        package init?(rawValue: String) {
            switch rawValue {
            case "purchased": self = .purchased
            case "boughtAgain": self = .boughtAgain
            case "finished": self = .finished
            case "refunded": self = .refunded
            case "purchaseRefundRequested": self = .purchaseRefundRequested
            case "purchaseRefundDeclined": self = .purchaseRefundDeclined
            case "purchaseRefundReversed": self = .purchaseRefundReversed
            case "freeSubscriptionEnded": self = .freeSubscriptionEnded
            case "shared": self = .shared
            case "sharingEnded": self = .sharingEnded
            default:
                guard let fact = Fact.Kind(rawValue: rawValue) else { return nil }
                self = .subscription(fact)
            }
        }
    }

    package var kind: Kind
    package var at: Instant
    package var accountID: Account.ID
    package var transactionID: TransactionID?
    package var originalID: TransactionID?
    package var productID: Product.ID?
    package var postings: [Posting]

    package init(
        _ kind: Kind, at: Instant, accountID: Account.ID, transactionID: TransactionID? = nil,
        originalID: TransactionID? = nil, productID: Product.ID? = nil, postings: [Posting] = []
    ) {
        self.kind = kind
        self.at = at
        self.accountID = accountID
        self.transactionID = transactionID
        self.originalID = originalID
        self.productID = productID
        self.postings = postings
    }

    /// The entry that tells of a fact in a subscription's life.
    package init(_ fact: Fact, of subscription: Subscription) {
        self.init(
            .subscription(fact.kind), at: fact.at, accountID: subscription.accountID, transactionID: fact.transactionID,
            originalID: subscription.id, productID: fact.productID, postings: fact.postings)
    }

    /// The entry that tells of a transaction.
    package init(_ kind: Kind, at: Instant, _ transaction: Transaction, postings: [Posting] = []) {
        self.init(
            kind, at: at, accountID: transaction.accountID, transactionID: transaction.id,
            originalID: transaction.originalID, productID: transaction.productID, postings: postings)
    }
}
