import Perennial
import PerennialStorage

/// Reads customers from the tables in one transaction. Rows that several customers share are read once.
struct Snapshot {
    /// A subscription with its `due` column.
    struct Subscribed: Sendable {
        var subscription: Subscription
        var due: Instant?
    }

    private let environment: StoreEnvironment.ID
    private let now: Instant
    private let cache: RowCache
    private let connection: any Connection
    private var subscriptions: [Account.ID: [Subscribed]] = [:]
    private var active: [Account.ID: [ActiveTransaction]] = [:]

    init(_ environment: StoreEnvironment.ID, at now: Instant, _ cache: RowCache, on connection: any Connection) {
        self.environment = environment
        self.now = now
        self.cache = cache
        self.connection = connection
    }

    private func key(_ account: Account.ID) -> CustomerKey {
        CustomerKey(environment: environment, app: SimulatedCatalog.appleID, account: account)
    }

    /// Reads a customer. Returns `nil` for an unknown account.
    mutating func customer(_ account: Account.ID) throws -> CustomerState? {
        guard let found = try AccountsTable.account(account, environment, on: connection) else { return nil }
        let rows = try rows(of: account)
        active[account] = rows.map(\.transaction).filter { $0.isInForce(at: now) }.map(ActiveTransaction.init)
        let family = try relatives(of: account)
        return CustomerState(
            account: found, rows: rows, subscribed: try subscriptions(of: account),
            shares: try shares(with: account, family), family: family)
    }

    /// Reads a customer's transactions, by ID.
    private func rows(of account: Account.ID) throws -> [CustomerState.Row] {
        let versions = try connection.query(
            """
            SELECT id, modified, journal_position, expires, revoked, revocation_percentage, is_upgraded, is_finished
            FROM transactions WHERE environment = $1 AND app = $2 AND account = $3 ORDER BY id
            """, key(account).values
        ) { row in
            let version = RowCache.Version(
                modified: try row.integer(1), position: try row.integer(2), expires: try row.optionalInteger(3),
                revoked: try row.optionalInteger(4), percentage: try row.optionalInteger(5),
                isUpgraded: try row.bool(6), isFinished: try row.bool(7))
            return (TransactionID(rawValue: try row.integer(0)), version)
        }
        return try versions.map { id, version in
            let transaction = try cache.transaction(id, version) {
                let found = try TransactionsTable.transaction(
                    id, app: SimulatedCatalog.appleID, environment, on: connection)
                guard let found else { throw Violation(.journalAndTables, "\(id) has columns, and can't be read") }
                return found
            }
            return CustomerState.Row(transaction: transaction, position: version.position)
        }
    }

    /// Reads a customer's subscriptions, by ID.
    private mutating func subscriptions(of account: Account.ID) throws -> [Subscribed] {
        if let read = subscriptions[account] { return read }
        let found = try connection.query(
            """
            SELECT original_id, due, document FROM subscriptions
            WHERE environment = $1 AND app = $2 AND account = $3 ORDER BY original_id
            """, key(account).values
        ) { (TransactionID(rawValue: try $0.integer(0)), try $0.optionalInstant(1), try $0.text(2)) }
        let read = try found.map { id, due, document in
            Subscribed(subscription: try cache.subscription(id, document), due: due)
        }
        subscriptions[account] = read
        return read
    }

    /// Reads a customer's transactions in force.
    private mutating func active(of account: Account.ID) throws -> [ActiveTransaction] {
        if let read = active[account] { return read }
        let read = try connection.query(
            """
            SELECT id, original_id, product, expires, price FROM transactions WHERE environment = $1 AND app = $2
            AND account = $3 AND revoked IS NULL AND is_upgraded = 0
            AND (expires IS NULL OR expires > $4 AND expires > purchased) ORDER BY id
            """, key(account).values + [.integer(now.milliseconds)]
        ) { row in
            ActiveTransaction(
                id: TransactionID(rawValue: try row.integer(0)),
                originalID: TransactionID(rawValue: try row.integer(1)),
                productID: Product.ID(rawValue: try row.text(2)), expiresDate: try row.optionalInstant(3),
                milliunits: try row.integer(4))
        }
        active[account] = read
        return read
    }

    // MARK: - Families

    /// Reads the other members of a customer's family, in the order in which they joined.
    private mutating func relatives(of account: Account.ID) throws -> [FamilyMember] {
        let accounts = try connection.query(
            """
            SELECT account FROM family_members WHERE environment = $1 AND account <> $2 AND family =
            (SELECT family FROM family_members WHERE environment = $1 AND account = $2) ORDER BY place
            """, [.integer(environment.rawValue), .integer(account.rawValue)]
        ) { Account.ID(rawValue: try $0.integer(0)) }
        return try accounts.map { FamilyMember(account: $0, products: Set(try active(of: $0).map(\.productID))) }
    }

    /// Reads a customer's present and former shares, own and of others.
    private mutating func shares(with account: Account.ID, _ family: [FamilyMember]) throws -> [FamilyShare] {
        let relatives = Set(family.map(\.account))
        return try SharedPurchasesTable.shares(with: key(account), on: connection).map { share in
            FamilyShare(
                purchaser: try side(share.source, of: share.owner), member: try side(share.copy, of: share.account),
                isFamily: relatives.contains(share.owner == account ? share.account : share.owner))
        }
    }

    private mutating func side(_ id: TransactionID, of account: Account.ID) throws -> FamilyShare.Side {
        FamilyShare.Side(
            id: id, account: account,
            subscription: try subscriptions(of: account).first { $0.subscription.id == id }?.subscription,
            inForce: try active(of: account).filter { $0.originalID == id })
    }
}
