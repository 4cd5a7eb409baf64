import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Heartbeats of one node that are under way at the same time: the scheduler's, and those before work that needs a lease.
struct NodeBeatTests {
    private static func node() async throws -> (nodes: NodeMembership, database: Database, log: LineLog) {
        let log = LineLog()
        let node = try await TestStore.open(Engine.postgres.makeDatabase(), logger: log.logger)
        for _ in 0..<3 { try await node.registry.nodes.beat() }
        return (node.registry.nodes, node.database, log)
    }

    private static func isQuiet(_ log: LineLog) -> Bool {
        !log.lines.contains { $0.hasPrefix("error") || $0.hasPrefix("warning") }
    }

    @Test func `concurrent heartbeats find no lost commits`() async throws {
        let (nodes, database, log) = try await Self.node()
        let id = nodes.id
        try await withThrowingTaskGroup(of: Void.self) { group in
            for _ in 0..<200 { group.addTask { try await nodes.beat() } }
            try await group.waitForAll()
        }
        #expect(nodes.id == id)
        #expect(database.era == 0)
        #expect(Self.isQuiet(log), "\(log.lines)")
    }

    @Test func `heartbeats that are answered out of order find no lost commits`() async throws {
        let (nodes, database, log) = try await Self.node()
        let id = try #require(nodes.id)
        let sent = try #require(nodes.sentBeat(of: id))
        #expect(try await nodes.isContinued(sent, beat: sent.beat + 2, era: 0))
        #expect(try await nodes.isContinued(sent, beat: sent.beat + 1, era: 0))
        #expect(nodes.sentBeat(of: id)?.beat == sent.beat + 2)
        #expect(database.era == 0)
        #expect(Self.isQuiet(log), "\(log.lines)")
    }

    @Test func `of two heartbeats that find lost commits one begins another era`() async throws {
        let (nodes, database, log) = try await Self.node()
        let id = try #require(nodes.id)
        let sent = try #require(nodes.sentBeat(of: id))
        #expect(try await nodes.isContinued(sent, beat: 1, era: 0))
        #expect(try await !nodes.isContinued(sent, beat: 2, era: 0))
        #expect(database.era == 1)
        #expect(log.lines.filter { $0.contains("earlier state") }.count == 1)
        for _ in 0..<2 { try await nodes.beat() }
        #expect(database.era == 1)
    }

    @Test(.timeLimit(.minutes(2))) func `the settings of the server are looked at again after a failover`() async throws
    {
        let (nodes, database, log) = try await Self.node()
        guard case .postgres(let url) = database.location else { return }
        let name = url.split(separator: "/").last ?? ""
        try EphemeralPostgreSQL.shared().run(
            "ALTER DATABASE \"\(name)\" SET default_transaction_isolation = 'serializable'")
        let id = try #require(nodes.id)
        let sent = try #require(nodes.sentBeat(of: id))
        #expect(!log.lines.contains { $0.contains("default_transaction_isolation") })
        #expect(try await nodes.isContinued(sent, beat: sent.beat + 1, era: sent.era + 1))
        let said = "warning: the database server after the failover: default_transaction_isolation is serializable"
        while !log.lines.contains(where: { $0.hasPrefix(said) }) { await Task.yield() }
    }

    @Test func `of two heartbeats that find the node removed one registers it`() async throws {
        let (nodes, database, log) = try await Self.node()
        let id = try #require(nodes.id)
        let sent = try #require(nodes.sentBeat(of: id))
        try await database.write { try NodesTable.removeAll(on: $0) }
        #expect(try await !nodes.isContinued(sent, beat: nil, era: 0))
        let new = try #require(nodes.id)
        #expect(new != id)
        #expect(try await !nodes.isContinued(sent, beat: nil, era: 0))
        #expect(nodes.id == new)
        #expect(try await database.read { try NodesTable.all(on: $0).map(\.id) } == [new])
        #expect(log.lines.filter { $0.contains("it begins anew") }.count == 1)
    }
}
