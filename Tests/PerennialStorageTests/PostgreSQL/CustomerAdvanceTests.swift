import Perennial
import PerennialStorage
import TestSupport
import Testing

/// Customers of a batch of renewals, which one statement locks, compares and updates.
struct CustomerAdvanceTests {
    private static let count = 10_000
    private static let batch = 100

    private static func advance(
        _ account: Int, from revision: Int64, _ method: Account.PaymentMethod = .valid, _ rate: TimeRate? = nil
    ) -> CustomerAdvance {
        CustomerAdvance(
            key: CustomerKey(environment: .sandbox, app: 7, account: Account.ID(rawValue: Int64(account))),
            payer: BillingAccount(paymentMethod: method, renewalRate: rate), revision: revision,
            nextRevision: revision + 1)
    }

    /// Makes customers at revision 1.
    private static func database() async throws -> Database {
        let database = try Engine.postgres.makeDatabase()
        try await database.write(timeout: .long) { connection in
            try connection.execute(
                SQL(
                    """
                    INSERT INTO accounts (environment, id, name, storefront, payment_method, can_make_payments, created)
                    SELECT 2, n, 'account' || n, 'USA', 'valid', 1, 0 FROM generate_series(1, \(count)) AS n
                    """), [])
            try connection.execute(
                SQL(
                    """
                    INSERT INTO customers (environment, app, account, revision, joined)
                    SELECT 2, 7, n, 1, 0 FROM generate_series(1, \(count)) AS n
                    """), [])
        }
        _ = try await database.analyzeNewTables()
        return database
    }

    private static func revisions(_ database: Database) async throws -> [Int64: Int64] {
        try await database.read { connection in
            let rows = try connection.query("SELECT revision, COUNT(*) FROM customers GROUP BY revision", []) {
                (try $0.integer(0), try $0.integer(1))
            }
            return Dictionary(rows) { first, _ in first }
        }
    }

    /// Returns the rows that sequential scans have read.
    private static func rowsReadInOrder(_ connection: any Connection) throws -> Int64 {
        try connection.query("SELECT CAST(SUM(seq_tup_read) AS BIGINT) FROM pg_stat_xact_user_tables", []) {
            try $0.integer(0)
        }.first ?? -1
    }

    /// The planner's first plans know the batch, and its later ones are for any.
    @Test func `a batch of many customers is found by their keys`() async throws {
        let database = try await Self.database()
        for start in stride(from: 1, to: 1 + 10 * Self.batch, by: Self.batch) {
            let read = try await database.write { connection -> Int64 in
                let before = try Self.rowsReadInOrder(connection)
                let customers = (start..<start + Self.batch).map { Self.advance($0, from: 1) }
                #expect(try CustomersTable.advance(customers, on: connection))
                return try Self.rowsReadInOrder(connection) - before
            }
            if start > 6 * Self.batch { #expect(read == 0, "rows that were read one after the other") }
        }
        #expect(
            try await Self.revisions(database) == [1: Int64(Self.count - 10 * Self.batch), 2: Int64(10 * Self.batch)])
    }

    @Test(arguments: [
        advance(2, from: 2), advance(2, from: 1, .declined),
        advance(2, from: 1, .valid, .monthlyRenewalEveryThirtySeconds),
        advance(count + 1, from: 1),
    ])
    func `a customer who isn't as expected refuses the batch`(other: CustomerAdvance) async throws {
        let database = try await Self.database()
        struct Refused: Error {}
        await #expect(throws: Refused.self) {
            try await database.write { connection in
                let customers = [Self.advance(1, from: 1), other, Self.advance(3, from: 1)]
                if try !CustomersTable.advance(customers, on: connection) { throw Refused() }
            }
        }
        #expect(try await Self.revisions(database) == [1: Int64(Self.count)])
    }
}
