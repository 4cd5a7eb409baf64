import Perennial
import PerennialStorage
import TestSupport
import Testing

/// Changes of purchases in a database from before migration 32.
struct ChangesMigrationTests {
    private static let key = CustomerKey(
        environment: StoreEnvironment.ID(rawValue: 7), app: 5, account: Account.ID(rawValue: 3))

    @Test(arguments: Engine.allCases)
    func `transactions of earlier versions are changes, finished ones too`(engine: Engine) async throws {
        let before = Array(Migration.all.prefix { $0.name != "changes" })
        let database = try engine.makeDatabase(migrations: before)
        try await database.write { connection in
            try CustomersTable.join(Self.key, at: Instant(milliseconds: 0), on: connection)
            for (id, modified, isFinished) in [(11, 0, 1), (12, 4, 0), (13, 2, 1)] as [(Int64, Int64, Int64)] {
                try connection.execute(
                    """
                    INSERT INTO transactions (environment, app, journal_position, modified, id, original_id, account,
                    product, type, quantity, purchased, originally_purchased, price, currency, storefront, ownership,
                    reason, is_upgraded, is_finished)
                    VALUES ($1, $2, $3, $4, $3, $3, $5, 'film', 'consumable', 1, 1, 1, 990, 'USD', 'USA', 'PURCHASED',
                    'PURCHASE', 0, $6)
                    """,
                    [
                        .integer(Self.key.environment.rawValue), .integer(Self.key.app), .integer(id),
                        .integer(modified), .integer(Self.key.account.rawValue), .integer(isFinished),
                    ])
            }
        }
        try database.migrate()
        let (all, later, deleted) = try await database.write { connection in
            let all = try TransactionsTable.changes(of: Self.key, after: nil, limit: 10, on: connection)
            try TransactionsTable.finish(
                TransactionID(rawValue: 12), revision: 9, Self.key, on: connection)
            return (
                all, try TransactionsTable.changes(of: Self.key, after: all.last?.place, limit: 10, on: connection),
                try CustomersTable.deletedRevision(Self.key, on: connection)
            )
        }
        #expect(all.map(\.place.id.rawValue) == [11, 13, 12])
        #expect(all.map(\.isFinished) == [true, true, false])
        #expect(later.map(\.place) == [.init(revision: 9, id: TransactionID(rawValue: 12))])
        #expect(later.map(\.history.modified) == [4])
        #expect(deleted == 0)
    }
}
