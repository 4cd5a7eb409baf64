/// An event of commerce, committed with its postings and never changed.
package struct JournalEntry: Hashable, Sendable {
    package enum Kind: Hashable, Sendable, CaseIterable, RawRepresentable {
        /// A product other than an auto-renewable subscription was sold.
        case purchased
        /// An owned non-consumable or free subscription was bought again without a charge.
        case boughtAgain
        case finished
        /// A product other than an auto-renewable subscription was refunded.
        case refunded
        /// A refund of a purchase was requested, declined or reversed.
        case purchaseRefundRequested, purchaseRefundDeclined, purchaseRefundReversed
        case freeSubscriptionEnded
        /// A family member got access to a non-consumable of another member.
        case shared
        /// A family member lost access to a shared non-consumable.
        case sharingEnded
        /// An account downloaded the app for the first time, and paid for it if it has a price.
        case appDownloaded
        /// The app came to another device of the account, or back to one.
        case appRedownloaded
        /// A newer version of the app came to a device.
        case appUpdated
        /// An event of an auto-renewable subscription.
        case subscription(DomainEvent.Kind)
        /// An event of the seller's own journal.
        case finance(FinanceEvent)

        package static let allCases: [Kind] =
            [
                .purchased, .boughtAgain, .finished, .refunded, .purchaseRefundRequested, .purchaseRefundDeclined,
                .purchaseRefundReversed, .freeSubscriptionEnded, .shared, .sharingEnded, .appDownloaded,
                .appRedownloaded, .appUpdated,
            ]
            + DomainEvent.Kind.allCases.map { .subscription($0) } + FinanceEvent.allCases.map { .finance($0) }

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
            case .appDownloaded: "appDownloaded"
            case .appRedownloaded: "appRedownloaded"
            case .appUpdated: "appUpdated"
            case .subscription(let event): event.rawValue
            case .finance(let event): event.rawValue
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
            case "appDownloaded": self = .appDownloaded
            case "appRedownloaded": self = .appRedownloaded
            case "appUpdated": self = .appUpdated
            default:
                if let event = DomainEvent.Kind(rawValue: rawValue) {
                    self = .subscription(event)
                } else if let event = FinanceEvent(rawValue: rawValue) {
                    self = .finance(event)
                } else {
                    return nil
                }
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
    /// Facts for reports; `nil` for entries without a sale and for those of before they were stored.
    package var facts: SaleFacts?

    package init(
        _ kind: Kind, at: Instant, accountID: Account.ID, transactionID: TransactionID? = nil,
        originalID: TransactionID? = nil, productID: Product.ID? = nil, postings: [Posting] = [],
        facts: SaleFacts? = nil
    ) {
        self.kind = kind
        self.at = at
        self.accountID = accountID
        self.transactionID = transactionID
        self.originalID = originalID
        self.productID = productID
        self.postings = postings
        self.facts = facts
    }

    /// Creates the entry of a subscription's event.
    package init(_ event: DomainEvent, of subscription: Subscription) {
        self.init(
            .subscription(event.kind), at: event.at, accountID: subscription.accountID,
            transactionID: event.transactionID,
            originalID: subscription.id, productID: event.productID, postings: event.postings, facts: event.facts)
    }

    /// Creates the entry of a transaction.
    package init(_ kind: Kind, at: Instant, _ transaction: Transaction, postings: [Posting] = []) {
        self.init(
            kind, at: at, accountID: transaction.accountID, transactionID: transaction.id,
            originalID: transaction.originalID, productID: transaction.productID, postings: postings)
    }
}
