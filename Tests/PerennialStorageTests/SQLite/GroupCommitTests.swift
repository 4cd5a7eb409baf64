import Dispatch
import Foundation
import Perennial
import PerennialStorage
import Synchronization
import TestSupport
import Testing

struct GroupCommitTests {
    private static let schema = [
        Migration(
            number: 1, name: "numbers",
            statements: [
                "CREATE TABLE numbers (n BIGINT PRIMARY KEY)",
                "CREATE TABLE later (n BIGINT REFERENCES numbers (n) DEFERRABLE INITIALLY DEFERRED)",
            ])
    ]

    private struct Odd: Error {}

    @Test(arguments: [Engine.sqlite, .sqliteInMemory])
    func `queued writes share a commit, and failed ones are rolled back`(engine: Engine) async throws {
        let commits = Mutex(0)
        let database = try engine.makeDatabase(
            migrations: Self.schema, options: .counting(.beforeCommit) { commits.withLock { $0 += 1 } })
        commits.withLock { $0 = 0 }
        let failures = try await Self.together(100, in: database) { number, connection in
            try connection.execute("INSERT INTO numbers (n) VALUES ($1)", [.integer(number)])
            if number % 2 == 1 { throw Odd() }
        }
        #expect(failures == Set((1...100).filter { $0 % 2 == 1 }))
        let kept = try await database.read {
            try $0.query("SELECT n FROM numbers ORDER BY n") { try $0.integer(0) }
        }
        #expect(kept == (1...100).filter { $0 % 2 == 0 })
        // One for the body that held up the others, one for their group, a few for stragglers.
        #expect((2...10).contains(commits.withLock { $0 }))
    }

    @Test(arguments: [Engine.sqlite, .sqliteInMemory])
    func `bodies after a change of the catalog read it committed`(engine: Engine) async throws {
        let database = try engine.makeDatabase()
        let before = try await database.read { try CatalogHeadTable.revision(on: $0) }
        let failures = try await Self.together(60, in: database) { number, connection in
            if connection.hasChangedCatalog { throw Odd() }
            guard number % 10 == 0 else { return }
            _ = try CatalogHeadTable.raise(on: connection)
            if number % 20 == 0 { throw Odd() }
        }
        #expect(failures == [20, 40, 60])
        #expect(try await database.read { try CatalogHeadTable.revision(on: $0) } == before + 3)
    }

    @Test(arguments: [Engine.sqlite, .sqliteInMemory])
    func `journals have no gaps when bodies of a group fail after writing`(
        engine: Engine
    ) async throws {
        let database = try engine.makeDatabase()
        let failures = try await Self.together(60, in: database) { number, connection in
            let entry = JournalEntry(
                .purchased, at: Instant(milliseconds: number), accountID: Account.ID(rawValue: number))
            // Two apps and two environments, one entry at a time and several.
            let environment: StoreEnvironment.ID = number % 3 == 0 ? .production : .sandbox
            let entries = Array(repeating: entry, count: Int(number % 4))
            try JournalTable.append(entries, app: number % 2, environment, on: connection)
            try JournalTable.append([entry], app: number % 2, environment, on: connection)
            if number % 7 == 0 { throw Odd() }
        }
        #expect(failures == Set((1...60).filter { $0 % 7 == 0 }))
        for (app, environment) in [(0, StoreEnvironment.ID.production), (0, .sandbox), (1, .production), (1, .sandbox)]
        {
            let entries = try await database.read {
                try JournalTable.entriesWithoutPostings(after: 0, limit: 1000, app: Int64(app), environment, on: $0)
            }
            #expect(entries.map(\.position) == Array(1...Int64(entries.count)))
            let written = (1...60 as ClosedRange<Int64>).filter {
                $0 % 7 != 0 && $0 % 2 == app && ($0 % 3 == 0) == (environment == .production)
            }
            #expect(entries.count == written.reduce(0) { $0 + Int($1 % 4) + 1 })
        }
    }

    @Test(arguments: Engine.allCases)
    func `a journal restarts after its environment was emptied in the transaction`(
        engine: Engine
    ) async throws {
        let database = try engine.makeDatabase()
        let positions = try await database.write { connection in
            let entry = JournalEntry(
                .purchased, at: Instant(milliseconds: 0), accountID: Account.ID(rawValue: 1))
            func append() throws -> Int64 {
                let last = try JournalTable.append([entry, entry], app: 1, .sandbox, on: connection)
                return try JournalTable.number(of: last, on: connection)
            }
            let before = [try append(), try append()]
            try EnvironmentContents.erase(.sandbox, on: connection)
            return before + [try append(), try append()]
        }
        #expect(positions == [2, 4, 2, 4])
        #expect(try await database.count("journal") == 4)
    }

    @Test(arguments: [Engine.sqlite, .sqliteInMemory])
    func `a deferred constraint broken by one body fails only that body`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: Self.schema)
        let failures = try await Self.together(20, in: database) { number, connection in
            try connection.execute("INSERT INTO numbers (n) VALUES ($1)", [.integer(number)])
            try connection.execute("INSERT INTO later (n) VALUES ($1)", [.integer(number == 7 ? 700 : number)])
        }
        #expect(failures == [7])
        #expect(try await database.count("later") == 19)
    }

    @Test func `a body that makes SQLite roll back fails alone`() async throws {
        let database = try Engine.sqlite.makeDatabase(migrations: Self.schema)
        let failures = try await Self.together(20, in: database) { number, connection in
            try connection.execute("INSERT INTO numbers (n) VALUES ($1)", [.integer(number)])
            if number == 7 { try connection.execute("INSERT OR ROLLBACK INTO numbers (n) VALUES ($1)", [.integer(7)]) }
        }
        #expect(failures == [7])
        #expect(try await database.count("numbers") == 19)
    }

    @Test func `SQLite syncs every commit`() throws {
        let database = try Engine.sqlite.makeDatabase(migrations: [])
        #expect(try database.synchronousLevel() == 2)
    }

    @Test(arguments: [FaultPoint.beforeCommit, .afterCommit])
    func `a crash at a commit keeps what was committed`(point: FaultPoint) async throws {
        let location = try Engine.sqlite.makeLocation()
        guard case .sqlite(let path) = location else { return }
        let image = Image(of: path)
        let commits = Mutex(0)
        let options = DatabaseOptions.counting(point) {
            if commits.withLock({
                $0 += 1; return $0
            }) == 20 {
                try image.take()
            }
        }
        let database = try Database(location, options: options)
        try database.migrate(Self.schema)
        commits.withLock { $0 = 0 }
        for number in 1...40 as ClosedRange<Int64> {
            try await database.write { try $0.execute("INSERT INTO numbers (n) VALUES ($1)", [.integer(number)]) }
        }
        let expected: [Int64] = Array(1...(point == .beforeCommit ? 19 : 20))
        #expect(try image.numbers() == expected)
    }

    @Test func `a log cut off anywhere opens to a prefix of the commits`() async throws {
        let location = try Engine.sqlite.makeLocation()
        guard case .sqlite(let path) = location else { return }
        let database = try Database(location)
        try database.migrate(Self.schema)
        for number in 1...30 as ClosedRange<Int64> {
            try await database.write { try $0.execute("INSERT INTO numbers (n) VALUES ($1)", [.integer(number)]) }
        }
        var lengths = Set<Int>()
        for part in 4...20 {
            let image = Image(of: path)
            try image.take(logPart: Double(part) / 20)
            let numbers = try image.numbers()
            #expect(numbers == Array((1...30).prefix(numbers.count)))
            lengths.insert(numbers.count)
        }
        #expect(lengths.count > 5 && lengths.contains(30))
    }

    /// Blocks the writer until all bodies are submitted, then runs them. Returns the numbers of those that failed.
    private static func together(
        _ count: Int64, in database: Database, _ body: @escaping @Sendable (Int64, any Connection) throws -> Void
    ) async throws -> Set<Int64> {
        let hasBegun = DispatchSemaphore(value: 0)
        let submitted = DispatchSemaphore(value: 0)
        async let holdUp: Void = database.write { _ in
            hasBegun.signal()
            for _ in 0..<count { submitted.wait() }
        }
        await onOwnThread { hasBegun.wait() }
        let failures = await withTaskGroup(of: Int64?.self) { group in
            for number in 1...count {
                group.addTask {
                    submitted.signal()
                    do {
                        try await database.write { try body(number, $0) }
                        return nil
                    } catch { return number }
                }
            }
            return await group.reduce(into: Set<Int64>()) { if let number = $1 { $0.insert(number) } }
        }
        try await holdUp
        return failures
    }
}

/// A copy of a database's files, as after a power failure.
private struct Image {
    private let original: String
    private let copy: String

    init(of path: String) {
        original = path
        copy = "\(path).\(UUID())"
    }

    func take(logPart: Double = 1) throws {
        try FileManager.default.copyItem(atPath: original, toPath: copy)
        let log = try Data(contentsOf: URL(filePath: "\(original)-wal"))
        try log.prefix(Int(Double(log.count) * logPart)).write(to: URL(filePath: "\(copy)-wal"))
    }

    func numbers() throws -> [Int64] {
        let database = try Database(.sqlite(path: copy))
        defer { database.close() }
        return try database.readSync { connection in
            let exists = try connection.first("SELECT 1 FROM sqlite_master WHERE name = 'numbers'") { _ in true }
            guard exists == true else { return [] }
            return try connection.query("SELECT n FROM numbers ORDER BY n") { try $0.integer(0) }
        }
    }
}

extension DatabaseOptions {
    fileprivate static func counting(
        _ point: FaultPoint, _ body: @escaping @Sendable () throws -> Void
    ) -> DatabaseOptions {
        var options = DatabaseOptions.forTests
        options.faults = { if $0 == point { try body() } }
        return options
    }
}
