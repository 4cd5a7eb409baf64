import Perennial
import PerennialStorage

/// A purchase and what stands for it at a family member's: as the tables have both.
struct SharedPurchase: Sendable {
    /// One side of it.
    struct Side: Sendable {
        var id: TransactionID
        var account: Account.ID
        /// `nil` for a non-consumable.
        var subscription: Subscription?
        var transactions: [Transaction]

        /// What is in force now, or was charged ahead.
        func inForce(at now: Instant) -> [Transaction] { transactions.filter { $0.isInForce(at: now) } }

        /// The same, as far as a family shares it.
        func shared(at now: Instant) -> [Transaction] { inForce(at: now).filter(\.isShareable) }

        /// The product, one that a family shares, that goes on in a grace period.
        func grace(at now: Instant) -> Product.ID? {
            guard let subscription, case .gracePeriod = subscription.state, subscription.isEntitled(at: now),
                subscription.product.isFamilyShareable
            else { return nil }
            return subscription.product.id
        }
    }

    var purchase: Side
    var copy: Side
    /// Whether both belong to one family now.
    var isFamily: Bool

    /// All that a customer shares with others, or others with them, now or once.
    static func all(
        with key: CustomerKey, _ relatives: [Relative], on connection: any Connection
    ) throws -> [SharedPurchase] {
        let family = Set(relatives.map(\.account))
        return try SharedPurchasesTable.shares(with: key, on: connection).map { share in
            SharedPurchase(
                purchase: try side(share.source, of: share.owner, key, on: connection),
                copy: try side(share.copy, of: share.account, key, on: connection),
                isFamily: family.contains(share.owner == key.account ? share.account : share.owner))
        }
    }

    private static func side(
        _ id: TransactionID, of account: Account.ID, _ key: CustomerKey, on connection: any Connection
    ) throws -> Side {
        var owner = key
        owner.account = account
        return Side(
            id: id, account: account,
            subscription: try SubscriptionsTable.subscription(id, app: key.app, key.environment, on: connection),
            transactions: try TransactionsTable.all(of: owner, on: connection).filter { $0.originalID == id })
    }
}

/// Somebody in a customer's family.
struct Relative: Sendable {
    var account: Account.ID
    var transactions: [Transaction]

    /// Everybody but the customer, in the order in which they joined; nobody where there is no family.
    static func all(of key: CustomerKey, on connection: any Connection) throws -> [Relative] {
        let accounts = try connection.query(
            """
            SELECT account FROM family_members WHERE environment = $1 AND account <> $2 AND family =
            (SELECT family FROM family_members WHERE environment = $1 AND account = $2) ORDER BY place
            """, [.integer(key.environment.rawValue), .integer(key.account.rawValue)]
        ) { Account.ID(rawValue: try $0.integer(0)) }
        return try accounts.map { account in
            var relative = key
            relative.account = account
            return Relative(account: account, transactions: try TransactionsTable.all(of: relative, on: connection))
        }
    }
}

extension Transaction {
    /// Whether a family shares what was sold.
    var isShareable: Bool { SimulatedCatalog.products[productID]?.isFamilyShareable == true }
}
