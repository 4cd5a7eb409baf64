/// Something that happened in commerce. Committed with its money, never changed afterwards.
package struct JournalEntry: Hashable, Sendable {
    package enum Kind: String, Sendable, CaseIterable {
        case purchased
        /// An owned non-consumable or free subscription was bought again, without a charge.
        case boughtAgain
        case finished
        case refunded
        case refundReversed
        case freeSubscriptionEnded
        case accountCreated
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

    /// The entry that tells of a transaction.
    package init(_ kind: Kind, at: Instant, _ transaction: Transaction, postings: [Posting] = []) {
        self.init(
            kind, at: at, accountID: transaction.accountID, transactionID: transaction.id,
            originalID: transaction.originalID, productID: transaction.productID, postings: postings)
    }
}
