import Perennial

/// What the journal alone says: replayed entry by entry, with nothing read from the tables.
struct Replay: Sendable {
    /// A transaction as the journal tells of it.
    struct Told: Sendable {
        var originalID: TransactionID
        var accountID: Account.ID
        var productID: Product.ID?
        var position: Int64
        var kind: JournalEntry.Kind
        /// What the customer paid for it, and has had back, in milliunits.
        var paid: Int64
        var givenBack: Int64 = 0
        /// What the sale moved by account of the ledger, and what refunds have moved since.
        var sale: [Posting.Account: Int64] = [:]
        var takenBack: [Posting.Account: Int64] = [:]
        var currency: Currency?
        var isRevoked = false
        /// Whether a refund of it was undone.
        var isReinstated = false
        var isFinished = false
        var hasEnded = false
    }

    private(set) var told: [TransactionID: Told] = [:]
    private(set) var transactions: [Account.ID: [TransactionID]] = [:]
    /// By ledger account and currency.
    private(set) var money: [String: Int64] = [:]
    /// By original transaction.
    var standings: [TransactionID: Standing] = [:]
    private(set) var digest = JournalDigest()

    /// - Throws: ``Violation`` where an entry can't follow those before it.
    mutating func append(_ position: Int64, _ entry: JournalEntry) throws(Violation) {
        guard position == digest.last + 1 else {
            throw Violation(.journalOrder, "position \(position) follows \(digest.last)")
        }
        guard entry.postings.balances else {
            throw Violation(.unbalanced, "the postings of the \(entry.kind.rawValue) entry at \(position)")
        }
        digest.append(position, entry)
        for posting in entry.postings {
            money[Self.ledger(posting), default: 0] += posting.amount.milliunits
        }
        tell(entry)
        guard let id = entry.transactionID else { return }
        if entry.kind.isSale { return try sell(id, position, entry) }
        guard var known = told[id] else {
            throw Violation(
                .journalAndTables, "the \(entry.kind.rawValue) entry at \(position) names \(id), which nobody sold")
        }
        try change(&known, by: entry, at: position)
        told[id] = known
    }

    static func ledger(_ posting: Posting) -> String { "\(posting.account.rawValue) \(posting.amount.currency)" }

    private mutating func sell(_ id: TransactionID, _ position: Int64, _ entry: JournalEntry) throws(Violation) {
        guard told[id] == nil else {
            throw Violation(.paidTwice, "the transaction \(id) is sold again at \(position)")
        }
        told[id] = Told(
            originalID: entry.originalID ?? id, accountID: entry.accountID, productID: entry.productID,
            position: position, kind: entry.kind, paid: -entry.customers,
            sale: entry.byAccount, currency: entry.postings.first?.amount.currency)
        transactions[entry.accountID, default: []].append(id)
    }

    private func change(_ told: inout Told, by entry: JournalEntry, at position: Int64) throws(Violation) {
        told.givenBack += entry.customers
        guard told.givenBack >= 0, told.givenBack <= told.paid else {
            throw Violation(
                .wrongRefund,
                "\(told.givenBack) of \(told.paid) milliunits were given back, the last at \(position)")
        }
        for (account, amount) in entry.byAccount { told.takenBack[account, default: 0] += amount }
        try told.checkShares(at: position)
        switch entry.kind {
        case .finished: told.isFinished = true
        case .refunded, .sharingEnded, .subscription(.subscriptionRefunded), .subscription(.familyAccessRevoked):
            told.isRevoked = true
        case .subscription(.subscriptionRefundReversed), .purchaseRefundReversed:
            (told.isRevoked, told.isReinstated) = (false, true)
        case .freeSubscriptionEnded: told.hasEnded = true
        default: break
        }
    }
}

extension Replay.Told {
    /// Parts of a milliunit that roundings may add up to.
    private static let roundingMax: Int64 = 2

    /// Commission and tax are taken back in the share that was given back, of what the sale itself moved.
    fileprivate func checkShares(at position: Int64) throws(Violation) {
        guard paid > 0 else { return }
        for account in [Posting.Account.commission, .tax] {
            let exact = Double(sale[account] ?? 0) * Double(givenBack) / Double(paid)
            let off = (Double(takenBack[account] ?? 0) + exact).magnitude
            guard off <= Double(Self.roundingMax) else {
                throw Violation(
                    .wrongRefund,
                    "\(givenBack) of \(paid) milliunits were given back, and \(takenBack[account] ?? 0) of \(sale[account] ?? 0) "
                        + "of \(account.rawValue), the last at \(position)")
            }
        }
    }
}

extension JournalEntry {
    /// What moved, by account of the ledger.
    fileprivate var byAccount: [Posting.Account: Int64] {
        postings.reduce(into: [:]) { $0[$1.account, default: 0] += $1.amount.milliunits }
    }

    /// What moved for customers: negative where they paid.
    fileprivate var customers: Int64 {
        postings.reduce(0) { $1.account == .customer ? $0 + $1.amount.milliunits : $0 }
    }
}

extension JournalEntry.Kind {
    /// Whether it tells of a new transaction.
    var isSale: Bool {
        switch self {
        case .purchased, .boughtAgain, .shared: true
        case .finished, .refunded, .purchaseRefundRequested, .purchaseRefundDeclined, .purchaseRefundReversed,
            .freeSubscriptionEnded, .sharingEnded:
            false
        case .subscription(let fact):
            switch fact {
            case .subscribed, .resubscribed, .upgraded, .upgradedWithOffer, .renewed, .recovered: true
            default: false
            }
        }
    }
}
