import Perennial
import PerennialStorage

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

    init(of key: CustomerKey, on connection: any Connection) throws {
        guard let account = try AccountsTable.account(key.account, key.environment, on: connection) else {
            throw Violation(.journalAndTables, "the account \(key.account.rawValue) is gone")
        }
        self.account = account
        let positions = try connection.query(
            """
            SELECT id, journal_position FROM transactions WHERE environment = $1 AND app = $2 AND account = $3
            """, key.values
        ) { (TransactionID(rawValue: try $0.integer(0)), try $0.integer(1)) }
        let positionOf = Dictionary(positions) { first, _ in first }
        rows = try TransactionsTable.all(of: key, on: connection).map {
            Row(transaction: $0, position: positionOf[$0.id] ?? 0)
        }
        subscriptions = try SubscriptionsTable.all(of: key, on: connection)
        let due = try connection.query(
            "SELECT original_id, due FROM subscriptions WHERE environment = $1 AND app = $2 AND account = $3",
            key.values
        ) { (TransactionID(rawValue: try $0.integer(0)), try $0.optionalInstant(1)) }
        self.due = Dictionary(due) { first, _ in first }
        family = try Relative.all(of: key, on: connection)
        shares = try SharedPurchase.all(with: key, family, on: connection)
    }

    /// The transactions of a subscription, in the order in which they were sold.
    func periods(of subscription: Subscription) -> [Transaction] {
        rows.map(\.transaction).filter { $0.originalID == subscription.id }
    }
}

extension Transaction {
    /// Whether it counts, whenever that is: neither taken back nor replaced.
    var isLive: Bool { revocation == nil && !isUpgraded }

    func covers(_ instant: Instant) -> Bool {
        guard purchaseDate <= instant, let expiresDate else { return false }
        return instant < expiresDate
    }
}
