import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import TestSupport
import Testing

/// Databases of other versions of the program.
struct UpgradeTests {
    /// A database as version 1 made and used it.
    private func makeFirstVersion(_ path: String) async throws -> TransactionID {
        let database = try Database(.sqlite(path: path), options: .forTests)
        defer { database.close() }
        try database.migrate([.initial])
        return try await database.write { connection in
            // In that version's words: these tables have had columns since.
            try connection.execute(
                """
                INSERT INTO environments (id, name, kind, clock, next_id, secret)
                VALUES ($1, 'Sandbox', 'Sandbox', 'real', 2000000000000001, $2)
                """,
                [.integer(StoreEnvironment.ID.sandbox.rawValue), .blob([UInt8](repeating: 7, count: 32))])
            let app = App(bundleID: App.BundleID(rawValue: RunningStore.bundleID), appleID: 99, name: "Camera")
            try connection.execute(
                """
                INSERT INTO apps (id, bundle_id, revision, shared_secret, definition)
                VALUES (99, $1, 1, 'ffeeddccbbaa99887766554433221100', $2)
                """,
                [
                    .text(RunningStore.bundleID),
                    .text(String(decoding: try JSONEncoder().encode(app), as: UTF8.self)),
                ])
            let first = try EnvironmentsTable.takeIDs(2, .sandbox, on: connection)
            try connection.execute(
                """
                INSERT INTO accounts (environment, id, name, storefront, payment_method, can_make_payments, created)
                VALUES ($1, $2, 'ann', 'USA', 'valid', 1, $3)
                """,
                [
                    .integer(StoreEnvironment.ID.sandbox.rawValue), .integer(first),
                    .integer(TestStore.opening.milliseconds),
                ])
            let key = CustomerKey(environment: .sandbox, app: 99, account: Account.ID(rawValue: first))
            try CustomersTable.join(key, at: TestStore.opening, on: connection)
            let price = Money(milliunits: 1990, .usd)
            let sold = Transaction(
                id: TransactionID(rawValue: first + 1), originalID: TransactionID(rawValue: first + 1),
                accountID: key.account, productID: Product.ID(rawValue: "filter.amber"), type: .nonConsumable,
                purchaseDate: TestStore.opening.wholeSeconds, originalPurchaseDate: TestStore.opening.wholeSeconds,
                price: price, storefront: .usa)
            try connection.execute(
                """
                INSERT INTO journal (environment, app, position, kind, at, account, transaction_id, original_id, product)
                VALUES ($1, $2, 1, 'purchased', $3, $4, $5, $5, 'filter.amber')
                """,
                [
                    .integer(key.environment.rawValue), .integer(key.app), .integer(TestStore.opening.milliseconds),
                    .integer(key.account.rawValue), .integer(sold.id.rawValue),
                ])
            try connection.execute(
                "INSERT INTO journal_heads (environment, app, position) VALUES ($1, $2, 1)",
                [.integer(key.environment.rawValue), .integer(key.app)])
            for (line, (account, amount)) in [("customer", -1990), ("proceeds", 1393), ("commission", 597)].enumerated()
            {
                try connection.execute(
                    """
                    INSERT INTO postings (environment, app, position, line, account, amount, currency)
                    VALUES ($1, $2, 1, $3, $4, $5, 'USD')
                    """,
                    [
                        .integer(key.environment.rawValue), .integer(key.app), .integer(Int64(line)), .text(account),
                        .integer(Int64(amount)),
                    ])
            }
            try connection.execute(
                """
                INSERT INTO transactions (environment, app, id, original_id, account, product, type, quantity, purchased,
                originally_purchased, price, currency, storefront, ownership, reason, is_upgraded, is_finished,
                journal_position)
                VALUES ($1, $2, $3, $3, $4, 'filter.amber', 'nonConsumable', 1, $5, $5, 1990, 'USD', 'USA', 'PURCHASED',
                'PURCHASE', 0, 0, $6)
                """,
                [
                    .integer(key.environment.rawValue), .integer(key.app), .integer(sold.id.rawValue),
                    .integer(key.account.rawValue), .integer(sold.purchaseDate.milliseconds), .integer(1),
                ])
            try CustomersTable.setRevision(1, key, on: connection)
            return sold.id
        }
    }

    @Test func `a database of version 1 is upgraded in place, with all that it holds`() async throws {
        let data = try TemporaryFolder.make()
        let sold = try await makeFirstVersion("\(data)/store.sqlite")
        // Each version has kept its keys in this folder.
        _ = try SigningIdentities.loadOrMake(in: URL(filePath: "\(data)/keys"))
        let store = try await RunningStore.start(data: data)
        #expect(store.ready["apps"]?.elements?.first?["appAppleId"] == 99)
        try await RunningStore.withClient { client in
            let token = try await RunningStore.signIn(client, store.sandbox, "ann")
            let unfinished = try await RunningStore.ask(
                client, "\(store.sandbox)/store/v1/transactions/unfinished", bearer: token)
            #expect(unfinished["transactions"]?.elements?.map { $0["transactionId"] } == [.string(sold.description)])
            // What was bought then isn't charged again now.
            let again = try await RunningStore.buy(client, store.sandbox, "filter.amber", token: token, key: "k")
            #expect(again["transaction"]?["price"] == 0)
            #expect(again["transaction"]?["originalTransactionId"] == .string(sold.description))
        }
        #expect(await store.stop().status == 0)
        let database = try Database(.sqlite(path: "\(data)/store.sqlite"), options: .forTests)
        defer { database.close() }
        try await StoredBooks(database).expectInOrder()
    }

    @Test func `a database of a newer version is refused, and the message says why`() async throws {
        let data = try TemporaryFolder.make()
        let newer = Migration(number: Migration.all.count + 1, name: "from the future", statements: [])
        let database = try Database(.sqlite(path: "\(data)/store.sqlite"), options: .forTests)
        try database.migrate(Migration.all + [newer])
        database.close()
        let ended = try await PerennialProcess(["serve", "--port", "0", "--data", data]).ended()
        #expect(ended.status == 1)
        #expect(ended.errors.contains("newer version"), "\(ended.errors)")
        #expect(ended.errors.contains("from the future"), "\(ended.errors)")
    }

    /// Versions whose databases are migrated to the present one at once: some that are far apart, the first and the last, and
    /// those about the last schema that is repaired. In `make test-long` every one. Databases in memory have no versions.
    private static let versions =
        ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil
        ? [0, 1, 9, 17, 18, 25, Migration.all.count - 1] : Array(Migration.all.indices)

    @Test(arguments: Engine.lasting, versions)
    func `the database of an earlier version is migrated`(engine: Engine, version: Int) async throws {
        let upgraded = try engine.makeDatabase(migrations: Array(Migration.all.prefix(version)))
        try upgraded.migrate()
        try await expectPresentSchema(upgraded, engine)
        // And it works.
        let shop = try await TestStore.open(upgraded)
        for product in ["film.roll", "monthly", "newsletter"] { try await shop.buy(product, as: "ann") }
        #expect(try await shop.sumOfPostings() == ["USD": 0])
    }

    /// Each version that there has been, on each engine.
    @Test(arguments: Engine.lasting)
    func `the database of every version is migrated to the next`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        for version in 0...Migration.all.count {
            let database = try Database(location, options: .forTests)
            defer { database.close() }
            try database.migrate(Array(Migration.all.prefix(version)))
        }
        try await expectPresentSchema(try Database(location, options: .forTests), engine)
    }

    private func expectPresentSchema(_ database: Database, _ engine: Engine) async throws {
        let made = try engine.makeDatabase()
        let schema = try await schema(made)
        #expect(schema.count > Migration.all.count)
        #expect(try await self.schema(database) == schema)
    }

    /// Every table's columns.
    private func schema(_ database: Database) async throws -> [String] {
        try await database.read { connection in
            switch connection.engine {
            case .sqlite:
                try connection.query(
                    "SELECT name || ' ' || sql FROM sqlite_master WHERE sql IS NOT NULL ORDER BY 1", []
                ) {
                    // A new table's text is written in other lines than one whose columns came one by one.
                    try $0.text(0).split(whereSeparator: \.isWhitespace).joined(separator: " ")
                }
            case .postgres:
                try connection.query(
                    """
                    SELECT CAST(table_name || '.' || column_name || ' ' || data_type || ' ' || is_nullable AS TEXT)
                    FROM information_schema.columns WHERE table_schema = 'public' ORDER BY 1
                    """, []
                ) { try $0.text(0) }
            }
        }
    }
}
