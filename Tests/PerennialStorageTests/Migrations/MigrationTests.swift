import PerennialStorage
import TestSupport
import Testing

struct MigrationTests {
    private static let first = Migration(
        number: 1, name: "apps",
        statements: ["CREATE TABLE apps (id BIGINT PRIMARY KEY)", "INSERT INTO apps (id) VALUES (7)"])
    private static let second = Migration(
        number: 2, name: "app names", statements: ["ALTER TABLE apps ADD COLUMN name TEXT NOT NULL DEFAULT 'x'"])
    private static let broken = Migration(
        number: 2, name: "broken", statements: ["CREATE TABLE half (id BIGINT)", "CREATE TABLE apps (id BIGINT)"])

    @Test(arguments: Engine.allCases)
    func `each migration runs once, and an older database is upgraded`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: [Self.first])
        try database.migrate([Self.first])
        try database.migrate([Self.second, Self.first])
        try database.migrate([Self.first, Self.second])
        let names = try await database.read { try $0.query("SELECT name FROM apps") { try $0.text(0) } }
        #expect(names == ["x"])
        let history = try await database.read {
            try $0.query("SELECT number, name FROM schema_migrations ORDER BY number") {
                "\(try $0.integer(0)) \(try $0.text(1))"
            }
        }
        #expect(history == ["1 apps", "2 app names"])
    }

    @Test(arguments: Engine.allCases)
    func `a database of a newer version is refused unchanged`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: [Self.first, Self.second])
        #expect(throws: StorageError(.newerSchema, "", "")) { try database.migrate([Self.first]) }
        #expect(throws: StorageError(.newerSchema, "", "")) { try database.migrate([]) }
        #expect(try await database.count("schema_migrations") == 2)
    }

    @Test(arguments: Engine.allCases)
    func `a migration that fails is rolled back`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: [Self.first])
        #expect(throws: StorageError(.statement, "", "")) { try database.migrate([Self.first, Self.broken]) }
        #expect(try await database.count("schema_migrations") == 1)
        await #expect(throws: StorageError(.statement, "", "")) { try await database.count("half") }
        try database.migrate([Self.first, Self.second])
    }

    @Test(arguments: Engine.allCases)
    func `another history of migrations is refused`(engine: Engine) throws {
        let database = try engine.makeDatabase(migrations: [Self.first])
        let other = Migration(number: 1, name: "something else", statements: [])
        #expect(throws: StorageError(.differentSchema, "", "")) { try database.migrate([other]) }
        #expect(throws: StorageError(.differentSchema, "", "")) { try database.migrate([Self.first, Self.first]) }
        #expect(throws: StorageError(.differentSchema, "", "")) { try database.migrate([Self.second]) }
    }

    @Test(arguments: Engine.lasting)
    func `processes that start concurrently migrate once`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let failures: [String] = await withTaskGroup(of: String?.self) { group in
            for _ in 0..<4 { group.addTask { await onOwnThread { Self.migrate(location) } } }
            return await group.reduce(into: []) { if let failure = $1 { $0.append(failure) } }
        }
        #expect(failures == [])
        #expect(try await Database(location).count("apps") == 1)
    }

    /// - Returns: The error.
    private static func migrate(_ location: DatabaseLocation) -> String? {
        do {
            let database = try Database(location, options: .forTests)
            defer { database.close() }
            try database.migrate([first, second])
            return nil
        } catch { return "\(error)" }
    }
}
