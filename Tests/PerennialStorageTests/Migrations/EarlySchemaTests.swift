import Perennial
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// Databases of 21 November 2026, whose migrations were changed in place afterwards.
struct EarlySchemaTests {
    private static let key = CustomerKey(environment: .sandbox, app: 7, account: Account.ID(rawValue: 500))
    private static let noon = Instant(milliseconds: 1_763_726_400_000)

    /// Purchases and a refund, in the columns that all versions had.
    private static func sell(on connection: any Connection) throws {
        try connection.execute(
            "INSERT INTO customers (environment, app, account, revision, joined) VALUES (2, 7, 500, 3, 0)")
        for (id, revoked) in [(Int64(601), SQLValue.null), (602, .integer(noon.milliseconds))] {
            try connection.execute(
                """
                INSERT INTO transactions (environment, app, id, original_id, account, product, type, quantity, purchased,
                originally_purchased, revoked, revocation_reason, price, currency, storefront, ownership, reason,
                is_upgraded, is_finished, journal_position)
                VALUES (2, 7, $1, $1, 500, 'filter', 'nonConsumable', 1, 0, 0, $2, $3, 1990, 'USD', 'USA', 'PURCHASED',
                'PURCHASE', 0, 1, 1)
                """, [.integer(id), revoked, revoked == .null ? .null : 1])
        }
    }

    private static func reserve(_ key: String, on connection: any Connection) throws {
        try connection.execute(
            """
            INSERT INTO purchase_requests (environment, app, account, idempotency_key, fingerprint, transaction_id)
            VALUES (2, 7, 500, $1, $2, 601)
            """,
            [.text(key), .text(PurchaseRequest(productID: Product.ID(rawValue: "filter")).fingerprint)])
    }

    @Test(arguments: Engine.allCases)
    func `a database of the first version gets the present schema and keeps its rows`(engine: Engine) async throws {
        let database = try engine.makeDatabase(
            migrations: EarlyMigrations.upTo(2, EarlyMigrations.first, adding: [EarlyMigrations.unfinished]))
        try await database.write { connection in
            try Self.sell(on: connection)
            try Self.reserve("key-1", on: connection)
        }
        try database.migrate()
        #expect(try await NewSchemaTests.schema(database) == NewSchemaTests.schema(engine.makeDatabase()))
        let (kept, refunded, outcome) = try await database.read { connection in
            (
                try TransactionsTable.transaction(TransactionID(rawValue: 601), app: 7, .sandbox, on: connection),
                try TransactionsTable.transaction(TransactionID(rawValue: 602), app: 7, .sandbox, on: connection),
                try PurchaseRequestsTable.record(forKey: .init(of: "key-1"), of: Self.key, on: connection)
            )
        }
        #expect(kept?.revocation == nil)
        #expect(refunded?.revocation?.kind == .fullRefund)
        #expect(refunded?.revocation?.percentage == Refund.wholePercentage)
        let request = PurchaseRequest(productID: Product.ID(rawValue: "filter"), idempotencyKey: "key-1")
        #expect(outcome?.request == PurchaseRequestsTable.Identity(of: request)?.request)
        #expect(outcome?.outcome == .sold(TransactionID(rawValue: 601)))
    }

    /// A subscription as the version of 21 November 2026, 08:21, stored it.
    private static let json = """
        {"accountID":500,"anchor":{"months":1,"origin":{"milliseconds":1768471200000}},"applicationUsername":"ann",\
        "current":{"number":2,"offer":{"periodsLeft":0,"terms":{"kind":2,"id":"spring","paymentMode":"payAsYouGo",\
        "period":{"count":1,"unit":"M"},"periodCount":1,"price":{"currency":"USD","milliunits":990}}},\
        "price":{"currency":"USD","milliunits":990},"product":{"id":"monthly","isFamilyShareable":true,"level":1,\
        "period":{"count":1,"unit":"M"},"price":{"currency":"USD","milliunits":3990}},\
        "start":{"milliseconds":1768471380000},"transactionID":702},"extensions":[{"at":{"milliseconds":5},\
        "requestID":"r1","until":{"milliseconds":6}}],"groupID":"5E0A71C2","id":701,\
        "offersUsed":[{"id":"spring","kind":2,"lastUsed":{"milliseconds":1768471380000}}],\
        "originalPurchaseDate":{"milliseconds":1768471200000},"ownership":"PURCHASED","paidDays":30,\
        "previous":{"number":1,"price":{"currency":"USD","milliunits":3990},"product":{"id":"monthly",\
        "isFamilyShareable":true,"level":1,"period":{"count":1,"unit":"M"},"price":{"currency":"USD",\
        "milliunits":3990}},"start":{"milliseconds":1768471200000},"transactionID":701},\
        "recentSubscriptionStartDate":{"milliseconds":1768471200000},"renewal":{"isOn":true,"price":{"currency":"USD",\
        "milliunits":3990},"priceIncrease":"awaitingConsent","productID":"monthly"},"renewals":1,"state":STATE,\
        "storefront":"USA"}
        """

    private static let failure =
        #"{"expired":{"milliseconds":7},"nextAttempt":{"milliseconds":8},"retryUntil":{"milliseconds":9}}"#

    private static let states: [(json: String, name: String)] = [
        (#"{"active":{"chargeAt":{"milliseconds":7},"until":{"milliseconds":9}}}"#, "active"),
        (#"{"gracePeriod":{"_0":\#(failure),"until":{"milliseconds":9}}}"#, "gracePeriod"),
        (#"{"billingRetry":{"_0":\#(failure),"graceEnded":{"milliseconds":9}}}"#, "billingRetry"),
        (#"{"billingRetry":{"_0":\#(failure)}}"#, "billingRetry"),
        (#"{"expired":{"_2":2,"at":{"milliseconds":9},"paidUntil":{"milliseconds":9}}}"#, "expired"),
        (
            #"{"revoked":{"_1":{"cause":"refund","paidUntil":{"milliseconds":9}},"at":{"milliseconds":9}}}"#,
            "revoked"
        ),
    ]

    @Test(arguments: Engine.allCases)
    func `subscriptions that were stored as JSON are read`(engine: Engine) async throws {
        let earlier = EarlyMigrations.morning.merging(EarlyMigrations.withoutClockTarget) { $1 }
        let database = try engine.makeDatabase(migrations: EarlyMigrations.upTo(7, earlier))
        try await database.write { connection in
            for (index, state) in Self.states.enumerated() {
                let json = Self.json.replacing("STATE", with: state.json)
                    .replacing(#""id":701,"#, with: #""id":\#(800 + index),"#)
                try connection.execute(
                    """
                    INSERT INTO subscriptions (environment, app, original_id, account, subscription_group, due, document)
                    VALUES (2, 7, $1, 500, '5E0A71C2', NULL, $2)
                    """, [.integer(Int64(800 + index)), .text(json)])
            }
            try Self.reserve("key-2", on: connection)
        }
        try database.migrate()
        #expect(try await NewSchemaTests.schema(database) == NewSchemaTests.schema(engine.makeDatabase()))
        let read = try await database.read { connection in
            try SubscriptionsTable.all(of: Self.key, on: connection)
        }
        #expect(read.count == Self.states.count)
        for (subscription, state) in zip(read, Self.states) {
            #expect("\(subscription.state)".hasPrefix(state.name))
            #expect(subscription.product.id.rawValue == "monthly")
            #expect(subscription.current.offer?.terms.price == Money(milliunits: 990, .usd))
            #expect(subscription.previous?.offer == nil)
            #expect(subscription.applicationUsername == "ann")
            #expect(subscription.renewal.isOn)
            #expect(subscription.renewal.priceIncrease == .awaitingConsent)
            #expect(subscription.offersUsed.map(\.id) == ["spring"])
            #expect(subscription.extensions.map(\.requestID) == ["r1"])
            #expect(subscription.paidDays == 30)
        }
        let outcome = try await database.read {
            try PurchaseRequestsTable.record(forKey: .init(of: "key-2"), of: Self.key, on: $0)
        }
        #expect(outcome?.outcome == .sold(TransactionID(rawValue: 601)))
    }

    private static func notify(on connection: any Connection) throws {
        try connection.execute(
            """
            INSERT INTO notification_settings (environment, app, url, version, retries, timeout, position)
            VALUES (2, 7, 'https://example.com', 1, 'apple', 1000, 4)
            """)
        for part in 0..<2 {
            try connection.execute(
                """
                INSERT INTO notifications (environment, app, position, part, uuid, version, type, account, signed, status,
                transaction_info, details, attempts) VALUES (2, 7, 4, $1, $2, 1, 'CANCEL', 500, 9, 1, '{}', '{"a":1}', '')
                """, [.integer(Int64(part)), .text("uuid-\(part)")])
        }
        try connection.execute(
            "INSERT INTO offer_nonces (environment, app, nonce, used) VALUES (2, 7, 'n-1', $1)",
            [.integer(noon.milliseconds)])
    }

    private static let ofNoon = EarlyMigrations.noon.merging(EarlyMigrations.withoutClockTarget) { $1 }

    @Test(arguments: Engine.allCases, [true, false])
    func `notifications and nonces keep what they tell`(engine: Engine, hasIndexOfNonces: Bool) async throws {
        var earlier = Self.ofNoon
        if !hasIndexOfNonces { earlier["CREATE INDEX offer_nonces_by_time"] = "" }
        let database = try engine.makeDatabase(migrations: EarlyMigrations.upTo(13, earlier))
        try await database.write { try Self.notify(on: $0) }
        try database.migrate()
        #expect(try await NewSchemaTests.schema(database) == NewSchemaTests.schema(engine.makeDatabase()))
        let records = try await database.read { connection in
            try (0..<2).map { part in
                try NotificationsTable.record(at: .init(position: 4, part: part), app: 7, .sandbox, on: connection)
            }
        }
        let content = NotificationContent(status: 1, transactionInfo: "{}", details: #"{"a":1}"#)
        #expect(records.map { $0?.content } == [content, content])
        #expect(records.map { $0?.uuid } == ["uuid-0", "uuid-1"])
        let isNew = try await database.write { connection in
            try OfferNoncesTable.use("n-1", signed: Self.noon, app: 7, .sandbox, on: connection)
        }
        #expect(!isNew)
    }

    @Test(arguments: Engine.allCases)
    func `events without notifications are refused with the cure`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: EarlyMigrations.upTo(13, Self.ofNoon))
        try await database.write { connection in
            try Self.notify(on: connection)
            try connection.execute("INSERT INTO journal_states (environment, app, position) VALUES (2, 7, 5)")
        }
        let error = #expect(throws: StorageError(.differentSchema, "", "")) { try database.migrate() }
        #expect(error?.reason.contains("DELETE FROM journal_states") == true)
        try await database.write { try $0.execute("DELETE FROM journal_states") }
        try database.migrate()
    }

    @Test func `a schema in its present form isn't rebuilt`() async throws {
        let location = try Engine.sqlite.makeLocation()
        let earlier = try Database(location, options: .forTests)
        try earlier.migrate(Array(Migration.all.prefix(17)))
        earlier.close()
        let prepared = Mutex<[String]>([])
        var options = DatabaseOptions.forTests
        options.onPrepare = { text in prepared.withLock { $0.append(text) } }
        let database = try Database(location, options: options)
        try database.migrate()
        func changeTables(_ texts: [String]) -> [String] {
            texts.filter { text in
                ["ALTER TABLE", "DROP INDEX", "CREATE INDEX", "CREATE TABLE "].contains { text.hasPrefix($0) }
                    && !text.contains("schema_migrations") && !text.contains("schema_additions")
            }
        }
        let later = Migration.all.dropFirst(17).flatMap(\.statements)
        #expect(changeTables(prepared.withLock { $0 }).count == changeTables(later).count)
    }

    @Test(arguments: Engine.allCases)
    func `repeats of a refunded purchase are refunded with it`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Array(Migration.all.prefix(17)))
        try await database.write { connection in
            try Self.sell(on: connection)
            try connection.execute(
                "UPDATE transactions SET revocation_kind = 'REFUND_FULL', revocation_percentage = 100000 WHERE id = 602"
            )
            for (id, original) in [(Int64(611), Int64(601)), (612, 602), (613, 602)] {
                try connection.execute(
                    """
                    INSERT INTO transactions (environment, app, id, original_id, account, product, type, quantity,
                    purchased, originally_purchased, price, currency, storefront, ownership, reason, is_upgraded,
                    is_finished, journal_position, modified)
                    VALUES (2, 7, $1, $2, 500, 'filter', 'nonConsumable', 1, 0, 0, 0, 'USD', 'USA', 'PURCHASED',
                    'PURCHASE', 0, 1, 1, 3)
                    """, [.integer(id), .integer(original)])
            }
        }
        try database.migrate()
        let (all, places, revision) = try await database.read { connection in
            (
                try TransactionsTable.all(of: Self.key, on: connection),
                try TransactionsTable.places(of: Self.key, .init(), after: nil, limit: 10, on: connection),
                try CustomersTable.revision(Self.key, on: connection)
            )
        }
        #expect(all.filter { $0.revocation == nil }.map(\.id.rawValue) == [601, 611])
        let revocations = all.compactMap(\.revocation)
        #expect(revocations.count == 3 && Set(revocations).count == 1)
        #expect(revision == 4)
        #expect(places.filter { $0.modified == 4 }.map(\.id.rawValue) == [612, 613])
    }
}
