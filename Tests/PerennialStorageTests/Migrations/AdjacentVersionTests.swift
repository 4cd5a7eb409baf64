import Perennial
import PerennialStorage
import TestSupport
import Testing

/// Programs of two versions on one database.
struct AdjacentVersionTests {
    private static let first = Migration(
        number: 1, name: "first", statements: ["CREATE TABLE things (id BIGINT PRIMARY KEY)"])
    private static let adding = Migration(
        number: 2, name: "adding", allowsEarlierNodes: true,
        statements: ["ALTER TABLE things ADD COLUMN name TEXT NOT NULL DEFAULT 'x'"])
    private static let furtherAdding = Migration(
        number: 3, name: "furtherAdding", allowsEarlierNodes: true,
        statements: ["CREATE INDEX things_by_name ON things (name)"])
    private static let changing = Migration(
        number: 4, name: "changing", statements: ["DROP INDEX things_by_name", "ALTER TABLE things DROP COLUMN name"])

    private static func refusing(_ count: Int, _ database: Database) async throws -> String? {
        try await database.read { try SchemaVersions.refusing(programWith: count, on: $0)?.name }
    }

    @Test(arguments: Engine.allCases)
    func `a program goes on beside migrations that only add`(engine: Engine) async throws {
        let database = try engine.makeDatabase(migrations: [Self.first])
        try database.migrate([Self.first, Self.adding, Self.furtherAdding])
        // The earlier version starts again, and running nodes of it go on.
        for known in [[Self.first], [Self.first, Self.adding]] {
            try database.migrate(known)
            #expect(try await Self.refusing(known.count, database) == nil)
        }
        #expect(try await database.count("schema_migrations") == 3)
    }

    @Test(arguments: Engine.allCases)
    func `a program is refused beside a migration that changes`(engine: Engine) async throws {
        let all = [Self.first, Self.adding, Self.furtherAdding, Self.changing]
        let database = try engine.makeDatabase(migrations: [Self.first])
        try database.migrate(all)
        for count in 1...3 {
            let error = #expect(throws: StorageError(.newerSchema, "", "")) {
                try database.migrate(Array(all.prefix(count)))
            }
            #expect(error?.subject == "migration 4 (changing)")
            #expect(error?.reason.contains("knows \(count) migrations") == true)
            #expect(try await Self.refusing(count, database) == "changing")
        }
        try database.migrate(all)
    }

    @Test(arguments: Engine.allCases)
    func `a program with another history is refused beside additions`(engine: Engine) throws {
        let database = try engine.makeDatabase(migrations: [Self.first, Self.adding])
        let other = Migration(number: 1, name: "other", statements: [])
        #expect(throws: StorageError(.differentSchema, "", "")) { try database.migrate([other]) }
    }

    /// The migrations after those of this program.
    private static func next(allowsEarlierNodes: Bool) -> [Migration] {
        let number = Migration.all.count + 1
        return Migration.all + [
            Migration(
                number: number, name: "next", allowsEarlierNodes: allowsEarlierNodes,
                statements: ["CREATE TABLE next (id BIGINT PRIMARY KEY)"])
        ]
    }

    private static func node(migrations: Int) -> NodesTable.Node {
        NodesTable.Node(
            host: "shop-1", process: 42, version: "0.1.0", migrations: Int64(migrations),
            started: TestStore.opening)
    }

    @Test func `a migration that changes is refused while earlier nodes run`() async throws {
        let database = try Engine.postgres.makeDatabase()
        let id = try await database.write { connection in
            try NodesTable.register(Self.node(migrations: Migration.all.count), on: connection)
        }
        let error = #expect(throws: StorageError(.earlierNodes, "", "")) {
            try database.migrate(Self.next(allowsEarlierNodes: false))
        }
        #expect(error?.reason.contains("\(id) (shop-1, process 42, version 0.1.0)") == true)
        // One that only adds is not.
        try database.migrate(Self.next(allowsEarlierNodes: true))
    }

    @Test func `a migration that changes runs when no earlier node is left`() async throws {
        let database = try Engine.postgres.makeDatabase()
        let next = Self.next(allowsEarlierNodes: false)
        let id = try await database.write { connection in
            _ = try NodesTable.register(Self.node(migrations: next.count), on: connection)
            return try NodesTable.register(Self.node(migrations: Migration.all.count), on: connection)
        }
        #expect(throws: StorageError(.earlierNodes, "", "")) { try database.migrate(next) }
        try await database.write { try NodesTable.remove(id, on: $0) }
        try database.migrate(next)
    }
}
