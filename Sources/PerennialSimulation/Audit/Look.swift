import Perennial
import PerennialStorage

/// One look at the tables, in one transaction: what several customers have to do with is read once.
struct Look {
    /// A subscription, and the column that the engine finds it by when it is due.
    struct Subscribed: Sendable {
        var subscription: Subscription
        var due: Instant?
    }

    private let environment: StoreEnvironment.ID
    private let now: Instant
    private let known: KnownRows
    private let connection: any Connection
    private var subscriptions: [Account.ID: [Subscribed]] = [:]
    private var held: [Account.ID: [Held]] = [:]

    init(_ environment: StoreEnvironment.ID, at now: Instant, _ known: KnownRows, on connection: any Connection) {
        self.environment = environment
        self.now = now
        self.known = known
        self.connection = connection
    }

    private func key(_ account: Account.ID) -> CustomerKey {
        CustomerKey(environment: environment, app: SimulatedCatalog.appleID, account: account)
    }

    /// - Returns: `nil` where there is no such account.
    mutating func books(of account: Account.ID) throws -> Books? {
        guard let found = try AccountsTable.account(account, environment, on: connection) else { return nil }
        let rows = try rows(of: account)
        held[account] = rows.map(\.transaction).filter { $0.isInForce(at: now) }.map(Held.init)
        let family = try relatives(of: account)
        return Books(
            account: found, rows: rows, subscribed: try subscriptions(of: account),
            shares: try shares(with: account, family), family: family)
    }

    /// A customer's transactions, in the order of their numbers.
    private func rows(of account: Account.ID) throws -> [Books.Row] {
        let marks = try connection.query(
            """
            SELECT id, modified, journal_position, expires, revoked, revocation_percentage, is_upgraded, is_finished
            FROM transactions WHERE environment = $1 AND app = $2 AND account = $3 ORDER BY id
            """, key(account).values
        ) { row in
            let mark = KnownRows.Mark(
                modified: try row.integer(1), position: try row.integer(2), expires: try row.optionalInteger(3),
                revoked: try row.optionalInteger(4), percentage: try row.optionalInteger(5),
                isUpgraded: try row.bool(6), isFinished: try row.bool(7))
            return (TransactionID(rawValue: try row.integer(0)), mark)
        }
        return try marks.map { id, mark in
            let transaction = try known.transaction(id, mark) {
                let found = try TransactionsTable.transaction(
                    id, app: SimulatedCatalog.appleID, environment, on: connection)
                guard let found else { throw Violation(.journalAndTables, "\(id) is there, and is not") }
                return found
            }
            return Books.Row(transaction: transaction, position: mark.position)
        }
    }

    /// A customer's subscriptions, oldest first.
    private mutating func subscriptions(of account: Account.ID) throws -> [Subscribed] {
        if let read = subscriptions[account] { return read }
        let found = try connection.query(
            """
            SELECT original_id, due, document FROM subscriptions
            WHERE environment = $1 AND app = $2 AND account = $3 ORDER BY original_id
            """, key(account).values
        ) { (TransactionID(rawValue: try $0.integer(0)), try $0.optionalInstant(1), try $0.text(2)) }
        let read = try found.map { id, due, document in
            Subscribed(subscription: try known.subscription(id, document), due: due)
        }
        subscriptions[account] = read
        return read
    }

    /// What somebody has in force.
    private mutating func held(by account: Account.ID) throws -> [Held] {
        if let read = held[account] { return read }
        let read = try connection.query(
            """
            SELECT id, original_id, product, expires, price FROM transactions WHERE environment = $1 AND app = $2
            AND account = $3 AND revoked IS NULL AND is_upgraded = 0
            AND (expires IS NULL OR expires > $4 AND expires > purchased) ORDER BY id
            """, key(account).values + [.integer(now.milliseconds)]
        ) { row in
            Held(
                id: TransactionID(rawValue: try row.integer(0)),
                originalID: TransactionID(rawValue: try row.integer(1)),
                productID: Product.ID(rawValue: try row.text(2)), expiresDate: try row.optionalInstant(3),
                milliunits: try row.integer(4))
        }
        held[account] = read
        return read
    }

    // MARK: - Families

    /// Everybody else in a customer's family, in the order in which they joined; nobody where there is none.
    private mutating func relatives(of account: Account.ID) throws -> [Relative] {
        let accounts = try connection.query(
            """
            SELECT account FROM family_members WHERE environment = $1 AND account <> $2 AND family =
            (SELECT family FROM family_members WHERE environment = $1 AND account = $2) ORDER BY place
            """, [.integer(environment.rawValue), .integer(account.rawValue)]
        ) { Account.ID(rawValue: try $0.integer(0)) }
        return try accounts.map { Relative(account: $0, products: Set(try held(by: $0).map(\.productID))) }
    }

    /// All that a customer shares with others, or others with them, now or once.
    private mutating func shares(with account: Account.ID, _ family: [Relative]) throws -> [SharedPurchase] {
        let relatives = Set(family.map(\.account))
        return try SharedPurchasesTable.shares(with: key(account), on: connection).map { share in
            SharedPurchase(
                purchase: try side(share.source, of: share.owner), copy: try side(share.copy, of: share.account),
                isFamily: relatives.contains(share.owner == account ? share.account : share.owner))
        }
    }

    private mutating func side(_ id: TransactionID, of account: Account.ID) throws -> SharedPurchase.Side {
        SharedPurchase.Side(
            id: id, account: account,
            subscription: try subscriptions(of: account).first { $0.subscription.id == id }?.subscription,
            inForce: try held(by: account).filter { $0.originalID == id })
    }
}
