import Dispatch
import Perennial
import PerennialStorage
import Synchronization
import TestSupport
import Testing

/// Positions of the journal on PostgreSQL, which the request that commits gives.
struct JournalPositionsTests {
    private static let entry = JournalEntry(
        .purchased, at: Instant(milliseconds: 0), accountID: Account.ID(rawValue: 1))

    private let database: Database

    init() throws {
        database = try Engine.postgres.makeDatabase()
    }

    private static func append(_ count: Int = 1, app: Int64 = 1, on connection: any Connection) throws -> Int64 {
        try JournalTable.append(Array(repeating: entry, count: count), app: app, .sandbox, on: connection)
    }

    private func positions(app: Int64 = 1) async throws -> [Int64] {
        try await database.read {
            try JournalTable.entriesWithoutPostings(after: 0, limit: 10_000, app: app, .sandbox, on: $0).map(\.position)
        }
    }

    @Test func `a writer that has appended doesn't keep another one waiting`() async throws {
        let (hasAppended, mayEnd) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
        async let slow: Void = database.write { connection in
            try JournalTable.append(
                [JournalEntry(.refunded, at: Instant(milliseconds: 0), accountID: Account.ID(rawValue: 1))], app: 1,
                .sandbox, on: connection)
            hasAppended.signal()
            mayEnd.wait()
        }
        await onOwnThread { hasAppended.wait() }
        try await database.write { _ = try Self.append(2, on: $0) }
        #expect(try await positions() == [1, 2])
        mayEnd.signal()
        try await slow
        let entries = try await database.read {
            try JournalTable.entriesWithoutPostings(after: 0, limit: 10, app: 1, .sandbox, on: $0)
        }
        // In the order of the commits.
        #expect(entries.map(\.position) == [1, 2, 3])
        #expect(entries.last?.entry.kind == .refunded)
    }

    @Test func `readers see every position once and none before those they have seen`() async throws {
        let isOver = Atomic(false)
        let followed = Task {
            var seen: [Int64] = []
            while true {
                let last = seen.last ?? 0
                let wasOver = isOver.load(ordering: .acquiring)
                let found = try await database.read {
                    try JournalTable.entriesWithoutPostings(after: last, limit: 50, app: 1, .sandbox, on: $0)
                }
                seen += found.map(\.position)
                if wasOver, found.isEmpty { return seen }
            }
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            for number in 0..<200 {
                group.addTask {
                    try await database.write { _ = try Self.append(number % 3 + 1, on: $0) }
                }
            }
            try await group.waitForAll()
        }
        isOver.store(true, ordering: .releasing)
        #expect(try await followed.value == Array(1...399))
    }

    @Test func `a transaction reads the entries that it has appended`() async throws {
        try await database.write { _ = try Self.append(on: $0) }
        let read = try await database.write { connection in
            let provisional = try Self.append(2, on: connection)
            #expect(provisional > 1 << 62)
            let entries = try JournalTable.entriesWithoutPostings(
                after: 0, limit: 10, app: 1, .sandbox, on: connection)
            // A provisional position goes on naming its entry.
            let one = try JournalTable.entries(at: [provisional], app: 1, .sandbox, on: connection)
            _ = try Self.append(on: connection)
            return (entries.map(\.position), Array(one.keys), try JournalTable.number(of: provisional, on: connection))
        }
        #expect(read.0 == [1, 2, 3])
        #expect(read.1 == [3])
        #expect(read.2 == 3)
        #expect(try await positions() == [1, 2, 3, 4])
    }

    @Test func `journals of two apps are numbered in one transaction`() async throws {
        try await database.write { _ = try Self.append(3, app: 2, on: $0) }
        try await database.write { connection in
            _ = try Self.append(app: 2, on: connection)
            _ = try Self.append(2, app: 1, on: connection)
            _ = try Self.append(app: 2, on: connection)
        }
        #expect(try await positions(app: 1) == [1, 2])
        #expect(try await positions(app: 2) == [1, 2, 3, 4, 5])
    }

    @Test func `entries that are appended one by one keep their order and their postings`() async throws {
        let usd = Currency(rawValue: "USD")
        try await database.write { connection in
            for number in 1...90 as ClosedRange<Int64> {
                let amount = Money(milliunits: number, usd)
                let entry = JournalEntry(
                    .purchased, at: Instant(milliseconds: number), accountID: Account.ID(rawValue: 1),
                    postings: [
                        Posting(.customer, Money(milliunits: -number, usd)), Posting(.proceeds, amount),
                    ])
                try JournalTable.append([entry], app: number % 3 + 1, .sandbox, on: connection)
            }
        }
        for app in 1...3 as ClosedRange<Int64> {
            let entries = try await database.read {
                try JournalTable.entries(after: 0, limit: 100, app: app, .sandbox, on: $0)
            }
            #expect(entries.map(\.position) == Array(1...30))
            #expect(entries.map(\.entry.at.milliseconds) == (1...90).filter { $0 % 3 + 1 == app })
            #expect(
                entries.allSatisfy {
                    $0.entry.postings.map(\.amount.milliunits) == [-$0.entry.at.milliseconds, $0.entry.at.milliseconds]
                })
        }
    }

    @Test(arguments: [false, true])
    func `transactions have the positions of their entries`(isRead: Bool) async throws {
        let key = CustomerKey(environment: .sandbox, app: 1, account: Account.ID(rawValue: 1))
        let rows = (1...20).map { TransactionsTable.PendingRow(Self.transaction($0), revision: 1, key) }
        try await database.write { _ = try Self.append(7, on: $0) }
        try await database.write { connection in
            let last = try Self.append(20, on: connection)
            try TransactionsTable.insert(
                rows.indices.map { (rows[$0], last - Int64(19 - $0)) }, on: connection)
            guard isRead else { return }
            // They are there for the transaction itself, in the order of their sales.
            let all = try TransactionsTable.all(of: key, on: connection)
            #expect(all.map(\.id.rawValue) == Array(1...20))
        }
        let found = try await database.read {
            try TransactionsTable.journalPositions(of: key, before: 1_000, limit: 100, on: $0)
        }
        #expect(found == (8...27).reversed())
        #expect(database.statistics?.earlyNumberings == 0)
    }

    @Test func `a rule broken at the end of a transaction is its error, and undoes it`() async throws {
        try await database.write { _ = try Self.append(on: $0) }
        try await database.write { connection in
            try connection.execute(
                """
                INSERT INTO journal (environment, app, position, kind, at, account) VALUES ($1, $2, $3, 'finished', 0, 0)
                """, [.integer(StoreEnvironment.ID.sandbox.rawValue), 1, 2])
        }
        let error = await #expect(throws: StorageError(.constraint, "", "")) {
            try await database.write { _ = try Self.append(on: $0) }
        }
        #expect(error?.subject == "journal_pkey")
        #expect(try await positions() == [1, 2])
    }

    private static func transaction(_ number: Int64) -> Transaction {
        Transaction(
            id: TransactionID(rawValue: number), originalID: TransactionID(rawValue: number),
            accountID: Account.ID(rawValue: 1), productID: Product.ID(rawValue: "film.roll"), type: .consumable,
            quantity: 1,
            purchaseDate: Instant(milliseconds: 0), originalPurchaseDate: Instant(milliseconds: 0), expiresDate: nil,
            webOrderLineItemID: nil, subscriptionGroupID: nil, revocation: nil,
            price: Money(milliunits: 990, Currency(rawValue: "USD")), storefront: Storefront(rawValue: "USA"),
            ownership: .purchased, reason: .purchase, offer: nil, isUpgraded: false, applicationUsername: nil,
            isFinished: false)
    }
}
