import Perennial

/// What the tables say of one customer.
struct Books: Sendable {
    struct Row: Sendable {
        var transaction: Transaction
        var position: Int64
    }

    var account: Account
    var rows: [Row]
    var subscriptions: [Subscription]
    /// The column that the engine finds work by.
    var due: [TransactionID: Instant?]
    /// What the customer shares with others, or others with them, now or once.
    var shares: [SharedPurchase]
    /// The others in the customer's family.
    var family: [Relative]

    private let periods: [TransactionID: [Transaction]]

    init(
        account: Account, rows: [Row], subscribed: [Look.Subscribed], shares: [SharedPurchase], family: [Relative]
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
    /// Whether it counts, whenever that is: neither taken back nor replaced.
    var isLive: Bool { revocation == nil && !isUpgraded }

    func covers(_ instant: Instant) -> Bool {
        guard purchaseDate <= instant, let expiresDate else { return false }
        return instant < expiresDate
    }
}
