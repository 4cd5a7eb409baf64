import Perennial

/// One customer's rows, as read from the tables.
struct CustomerState: Sendable {
    struct Row: Sendable {
        var transaction: Transaction
        var position: Int64
    }

    var account: Account
    var rows: [Row]
    var subscriptions: [Subscription]
    /// The `due` column of each subscription, by which the store finds due work.
    var due: [TransactionID: Instant?]
    /// Present and former shares, the customer's own and those of others with the customer.
    var shares: [FamilyShare]
    /// The others in the customer's family.
    var family: [FamilyMember]

    private let periods: [TransactionID: [Transaction]]

    init(
        account: Account, rows: [Row], subscribed: [Snapshot.Subscribed], shares: [FamilyShare], family: [FamilyMember]
    ) {
        self.account = account
        self.rows = rows
        self.subscriptions = subscribed.map(\.subscription)
        self.due = Dictionary(subscribed.map { ($0.subscription.id, $0.due) }) { first, _ in first }
        self.shares = shares
        self.family = family
        periods = Dictionary(
            grouping: rows.map(\.transaction).filter { $0.type == .autoRenewable }, by: \.originalID)
    }

    /// The transactions of a subscription, in the order in which they were sold.
    func periods(of subscription: Subscription) -> [Transaction] { periods[subscription.id] ?? [] }
}

extension Transaction {
    /// True if the transaction is neither revoked nor replaced, whenever its period is.
    var isLive: Bool { revocation == nil && !isUpgraded }

    func covers(_ instant: Instant) -> Bool {
        guard purchaseDate <= instant, let expiresDate else { return false }
        return instant < expiresDate
    }
}
