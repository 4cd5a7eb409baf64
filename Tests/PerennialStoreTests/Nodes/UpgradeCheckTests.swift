import Perennial
import PerennialStorage
import Synchronization
import TestSupport
import Testing

@testable import PerennialStore

/// Dead nodes of an earlier version don't hold up a migration, live ones do.
struct UpgradeCheckTests {
    private static let next =
        Migration.all + [
            Migration(
                number: Migration.all.count + 1, name: "next", statements: ["CREATE TABLE next (id BIGINT PRIMARY KEY)"]
            )
        ]

    private static func register(_ host: String, on database: Database) async throws -> Int64 {
        try await database.write { connection in
            try NodesTable.register(
                NodesTable.Node(
                    host: host, process: 1, version: "0.1.0", migrations: Int64(Migration.all.count),
                    started: TestStore.opening), on: connection)
        }
    }

    @Test func `dead nodes are removed, with their leases, and live ones stay`() async throws {
        let database = try Engine.postgres.makeDatabase()
        let dead = try await Self.register("dead", on: database)
        let live = try await Self.register("live", on: database)
        let key = LeasesTable.Key(.renewals, .sandbox)
        try await database.write { _ = try LeasesTable.acquire(key, node: dead, token: 7, on: $0) }
        let time = Mutex<Int64>(0)
        try await UpgradeCheck.removeDeadNodes(
            of: database, before: Self.next, elapsed: { time.withLock { $0 } }
        ) {
            time.withLock { $0 += 500 }
            _ = try await database.write {
                try NodesTable.beat(
                    live, started: TestStore.opening, isWorker: true, clockDifference: 0, on: $0)
            }
        }
        #expect(try await database.read { try NodesTable.all(on: $0).map(\.id) } == [live])
        #expect(try await database.read { try LeasesTable.held(on: $0) }.isEmpty)
        #expect(throws: StorageError(.earlierNodes, "", "")) { try database.migrate(Self.next) }
    }

    @Test func `without a migration that changes nothing is looked at`() async throws {
        let database = try Engine.postgres.makeDatabase()
        let silent = try await Self.register("silent", on: database)
        struct Waited: Error {}
        try await UpgradeCheck.removeDeadNodes(of: database, elapsed: { 0 }) { throw Waited() }
        #expect(try await database.read { try NodesTable.all(on: $0).map(\.id) } == [silent])
    }

    @Test(arguments: Engine.allCases)
    func `an empty database needs no look`(engine: Engine) async throws {
        struct Waited: Error {}
        let database = try Database(engine.makeLocation(), options: .forTests)
        try await UpgradeCheck.removeDeadNodes(of: database, elapsed: { 0 }) { throw Waited() }
        try database.migrate()
    }

    @Test func `a running node stops when a newer version has changed the database`() async throws {
        let database = try Engine.postgres.makeDatabase()
        let node = try await TestStore.open(database)
        try await node.registry.nodes.beat()
        // Its row is removed as a dead node's would be, so that the migration runs.
        try await database.write { try NodesTable.removeAll(on: $0) }
        try database.migrate(Self.next)
        await #expect(throws: StorageError(.newerSchema, "", "")) { try await node.registry.nodes.beat() }
    }
}
