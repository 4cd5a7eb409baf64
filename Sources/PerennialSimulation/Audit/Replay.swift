import Perennial

/// The state that follows from the journal alone, entry by entry. Nothing is read from the tables.
struct Replay: Sendable {
    /// A transaction as the journal records it.
    struct Sale: Sendable {
        var originalID: TransactionID
        var accountID: Account.ID
        var productID: Product.ID?
        var position: Int64
        var kind: JournalEntry.Kind
        /// Milliunits that the customer paid, and those refunded.
        var paid: Int64
        var refunded: Int64 = 0
        /// Postings of the sale and of its refunds, by account of the ledger.
        var salePostings: [Posting.Account: Int64] = [:]
        var refundPostings: [Posting.Account: Int64] = [:]
        var currency: Currency?
        var isRevoked = false
        /// True if a refund was reversed.
        var isReinstated = false
        var isFinished = false
        var hasEnded = false
    }

    private(set) var sales: [TransactionID: Sale] = [:]
    private(set) var transactions: [Account.ID: [TransactionID]] = [:]
    /// Balances by ledger account and currency.
    private(set) var money: [String: Int64] = [:]
    /// Subscriptions by original transaction.
    var subscriptions: [TransactionID: ReplayedSubscription] = [:]
    private(set) var digest = JournalDigest()

    /// - Throws: ``Violation`` if an entry can't follow those before it.
    mutating func append(_ position: Int64, _ entry: JournalEntry) throws(Violation) {
        guard CommonRules.follows(position, digest.last) else {
            throw Violation(.journalOrder, "position \(position) follows \(digest.last)")
        }
        guard CommonRules.balance(entry.postings) else {
            throw Violation(.unbalanced, "the postings of the \(entry.kind.rawValue) entry at \(position)")
        }
        digest.append(position, entry)
        for posting in entry.postings {
            money[Self.ledger(posting), default: 0] += posting.amount.milliunits
        }
        applyToSubscription(entry)
        guard let id = entry.transactionID else { return }
        if entry.kind.isSale { return try sell(id, position, entry) }
        guard var sale = sales[id] else {
            throw Violation(
                .journalAndTables, "the \(entry.kind.rawValue) entry at \(position) names \(id), which wasn't sold")
        }
        try change(&sale, by: entry, at: position)
        sales[id] = sale
    }

    static func ledger(_ posting: Posting) -> String { "\(posting.account.rawValue) \(posting.amount.currency)" }

    private mutating func sell(_ id: TransactionID, _ position: Int64, _ entry: JournalEntry) throws(Violation) {
        guard sales[id] == nil else {
            throw Violation(.paidTwice, "the transaction \(id) is sold again at \(position)")
        }
        sales[id] = Sale(
            originalID: entry.originalID ?? id, accountID: entry.accountID, productID: entry.productID,
            position: position, kind: entry.kind, paid: -entry.customers,
            salePostings: entry.byAccount, currency: entry.postings.first?.amount.currency)
        transactions[entry.accountID, default: []].append(id)
    }

    private func change(_ sale: inout Sale, by entry: JournalEntry, at position: Int64) throws(Violation) {
        sale.refunded += entry.customers
        guard sale.refunded >= 0, sale.refunded <= sale.paid else {
            throw Violation(
                .wrongRefund,
                "\(sale.refunded) of \(sale.paid) milliunits were refunded, the last at \(position)")
        }
        for (account, amount) in entry.byAccount { sale.refundPostings[account, default: 0] += amount }
        try sale.checkShares(at: position)
        switch entry.kind {
        case .finished: sale.isFinished = true
        case .refunded, .sharingEnded, .subscription(.subscriptionRefunded), .subscription(.familyAccessRevoked):
            sale.isRevoked = true
        case .subscription(.subscriptionRefundReversed), .purchaseRefundReversed:
            (sale.isRevoked, sale.isReinstated) = (false, true)
        case .freeSubscriptionEnded: sale.hasEnded = true
        default: break
        }
    }
}

extension Replay.Sale {
    /// Coins that roundings may add up to: commission and tax are refunded in whole coins.
    private static let roundingMax: Int64 = 1

    /// Checks that commission and tax were refunded in the same share as the price, of the sale's own postings.
    fileprivate func checkShares(at position: Int64) throws(Violation) {
        guard paid > 0, let coin = currency?.smallestAmount else { return }
        for account in [Posting.Account.commission, .tax] {
            let exact = Double(salePostings[account] ?? 0) * Double(refunded) / Double(paid)
            let off = (Double(refundPostings[account] ?? 0) + exact).magnitude
            guard off <= Double(Self.roundingMax * coin) else {
                throw Violation(
                    .wrongRefund,
                    "\(refunded) of \(paid) milliunits were refunded, and \(refundPostings[account] ?? 0) of "
                        + "\(salePostings[account] ?? 0) of \(account.rawValue), the last at \(position)")
            }
        }
    }
}

extension JournalEntry {
    /// Amounts by account of the ledger.
    fileprivate var byAccount: [Posting.Account: Int64] {
        postings.reduce(into: [:]) { $0[$1.account, default: 0] += $1.amount.milliunits }
    }

    /// Amount of the customer's account: negative for a payment.
    fileprivate var customers: Int64 {
        postings.reduce(0) { $1.account == .customer ? $0 + $1.amount.milliunits : $0 }
    }
}

extension JournalEntry.Kind {
    /// True if the entry records a new transaction.
    var isSale: Bool {
        switch self {
        case .purchased, .boughtAgain, .shared: true
        case .finished, .refunded, .purchaseRefundRequested, .purchaseRefundDeclined, .purchaseRefundReversed,
            .freeSubscriptionEnded, .sharingEnded, .appDownloaded, .appRedownloaded, .appUpdated, .finance:
            false
        case .subscription(let fact):
            switch fact {
            case .subscribed, .resubscribed, .upgraded, .upgradedWithOffer, .renewed, .recovered: true
            default: false
            }
        }
    }
}
