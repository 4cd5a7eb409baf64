import Foundation
import Perennial
import PerennialStorage
import TestSupport
import Testing

/// Pending purchases in a database from before migration 15.
struct PendingPurchaseMigrationTests {
    private static let now = Instant(seconds: 1_767_225_600)
    private static let key = CustomerKey(
        environment: StoreEnvironment.ID(rawValue: 1), app: 1, account: Account.ID(rawValue: 9))

    private static func text(_ value: some Encodable) throws -> String {
        String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    }

    @Test(arguments: Engine.allCases)
    func `waiting purchases are found after the migration, ended ones aren't`(engine: Engine) async throws {
        let before = Array(Migration.all.prefix { $0.name != "turns" })
        let database = try engine.makeDatabase(migrations: before)
        let request = PurchaseRequest(productID: Product.ID(rawValue: "film.roll"))
        try await database.write { connection in
            for (id, cause, isAnswered, at) in [
                (1, PendingPurchase.Cause.approval, true, Self.now), (2, .approval, false, Self.now),
                (3, .approval, false, Self.now + -.days(2)), (4, .interruption, false, Self.now + -.days(2)),
            ] {
                var pending = PendingPurchase(request.productID, by: Self.key.account, cause, at: at)
                if isAnswered { _ = pending.answer(approved: false, at: at) }
                try connection.execute(
                    """
                    INSERT INTO pending_purchases (environment, app, account, id, product, request, state)
                    VALUES ($1, $2, $3, $4, $5, $6, $7)
                    """,
                    Self.key.values + [
                        .integer(Int64(id)), .text(request.productID.rawValue), .text(try Self.text(request)),
                        .text(try Self.text(pending)),
                    ])
            }
        }
        try database.migrate()
        let found = try await database.read { connection in
            try PendingPurchase.Cause.allCases.map { cause in
                try PendingPurchasesTable.waiting(
                    app: Self.key.app, Self.key.environment, cause, at: Self.now, limit: 10, on: connection
                ).map(\.id)
            }
        }
        #expect(found == [[2], [4]])
    }
}
