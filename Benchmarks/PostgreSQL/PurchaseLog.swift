import Foundation
import Perennial
import PerennialStorage
import PerennialStore

/// Purchases in a copy of a database whose server logs every statement.
enum PurchaseLog {
    private static let name = "logged"
    private static let mark = "the purchases are logged"
    /// Purchases that each customer makes before: so revisions differ from each other and from positions.
    private static let before = [1, 4]
    /// Logged purchases of each customer.
    private static let logged = 3

    /// Sells to two customers, one purchase after the other, and returns what their transactions sent.
    ///
    /// - Parameter source: A store with its app, to which nothing is connected.
    static func read(
        copying source: DatabaseLocation, on server: BenchmarkPostgreSQL, tokens: [String], _ bench: Bench
    ) async throws -> [LoggedPurchase] {
        let location = try server.copy(source, to: name)
        try server.set("log_statement", "all", in: name)
        let shop = try await BenchmarkStore(location, identities: bench.identities)
        defer { shop.database.close() }
        var made: [Made] = []
        for (token, count) in zip(tokens, before) {
            for _ in 0..<count { _ = try await buy(token, in: shop) }
        }
        for _ in 0..<logged {
            for token in tokens.prefix(before.count) { made.append(try await buy(token, in: shop)) }
        }
        try server.psql("SELECT '\(mark)'", in: location)
        let transactions = try await server.loggedTransactions(of: name, until: mark)
        return try made.map { made in
            guard let transaction = transactions.last(where: { $0.isPurchase(made.transactionID) }) else {
                throw BenchmarkError("no logged transaction sold \(made.transactionID)")
            }
            return LoggedPurchase(
                transaction: transaction, tokenDigest: made.tokenDigest, keyDigest: made.keyDigest,
                accountID: made.accountID, transactionID: made.transactionID, position: made.position,
                revision: made.revision, time: made.time)
        }
    }

    /// The facts of a purchase besides its statements.
    private struct Made {
        let tokenDigest: [UInt8]
        let keyDigest: [UInt8]
        let accountID: Int64
        let transactionID: Int64
        let position: Int64
        let revision: Int64
        let time: ClosedRange<Int64>
    }

    private static func buy(_ token: String, in shop: BenchmarkStore) async throws -> Made {
        let key = UUID().uuidString
        let request = PurchaseRequest(
            productID: BenchmarkCatalog.consumable, applicationUsername: "reader-4711", idempotencyKey: key)
        let begin = Instant(Date()).milliseconds
        let (transaction, customer) = try await shop.store.purchases.buy(request, token: token)
        let end = Instant(Date()).milliseconds
        let (id, account) = (transaction.id.rawValue, customer.key.account.rawValue)
        let stored = try await shop.database.read { connection in
            try connection.first(
                """
                SELECT transactions.journal_position, customers.revision, devices.token_digest
                FROM transactions
                JOIN customers ON customers.environment = transactions.environment AND customers.app = transactions.app
                AND customers.account = transactions.account
                JOIN devices ON devices.environment = transactions.environment AND devices.account = transactions.account
                WHERE transactions.id = $1
                """, [.integer(id)]
            ) { (position: try $0.integer(0), revision: try $0.integer(1), digest: try $0.blob(2)) }
        }
        guard let stored else { throw BenchmarkError("purchase \(id) isn't stored") }
        return Made(
            tokenDigest: stored.digest, keyDigest: PurchaseRequestsTable.Digest(of: key).bytes, accountID: account,
            transactionID: id, position: stored.position, revision: stored.revision,
            // Dates of purchase are whole seconds.
            time: begin / 1000 * 1000...end)
    }
}

extension LoggedTransaction {
    /// True if this is the transaction that made a purchase and no other change.
    fileprivate func isPurchase(_ id: Int64) -> Bool {
        statements.last?.text.uppercased().hasPrefix("COMMIT") == true
            && statements.contains {
                $0.text.contains("INTO purchase_requests") && $0.values.contains(String(id))
            }
    }
}
