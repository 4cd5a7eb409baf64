import AsyncHTTPClient
import Dispatch
import Foundation
import PerennialStorage
import TestSupport
import Testing

/// Nodes on one PostgreSQL of which one dies, or sleeps and comes back.
struct NodeFailureTests {
    /// The nodes as one of them lists them.
    private struct Listed: Sendable {
        /// The nodes by process ID.
        var works: [Int: Set<String>] = [:]

        init(_ answer: JSONValue?) {
            for node in answer?["nodes"]?.elements ?? [] {
                guard case .number(let process)? = node["processId"] else { continue }
                works[Int(process)] = Set(
                    (node["works"]?.elements ?? []).compactMap { work in
                        guard let kind = work["kind"]?.text, let environment = work["environment"]?.text else {
                            return nil
                        }
                        return "\(kind) of \(environment)"
                    })
            }
        }

        var all: Set<String> { works.values.reduce(into: []) { $0.formUnion($1) } }
    }

    private static let expected = Set(
        ["Production", "Sandbox"].flatMap { environment in
            ["renewals", "extensions", "priceChanges"].map { "\($0) of \(environment)" }
        })

    /// Asks a node for the list until it is as wanted.
    ///
    /// - Returns: The time that it took.
    private static func until(
        _ node: RunningStore, _ client: HTTPClient, _ isWanted: (Listed) -> Bool
    ) async throws -> (listed: Listed, after: Duration) {
        let start = ContinuousClock.now
        while true {
            let reply = try await RunningStore.ask(
                client, "\(node.url)/control/v1/nodes", bearer: node.controlToken)
            let listed = Listed(reply.json)
            if isWanted(listed) { return (listed, ContinuousClock.now - start) }
            guard ContinuousClock.now - start < .seconds(60) else {
                throw TestStore.Missing(what: "such a list of nodes: \(listed.works)")
            }
            // The nodes need the processors for their heartbeats.
            await withCheckedContinuation { next in
                DispatchQueue.global().asyncAfter(deadline: .now() + .milliseconds(50)) { next.resume() }
            }
        }
    }

    private static func isDivided(_ listed: Listed, among processes: [Int]) -> Bool {
        expected.isSubset(of: listed.all) && Set(listed.works.keys) == Set(processes)
            && listed.works.values.allSatisfy { !$0.isEmpty }
    }

    @Test func `a killed node's work moves, and a paused node comes back as a new one`() async throws {
        let url = try EphemeralPostgreSQL.shared().makeDatabase()
        let data = try TemporaryFolder.make()
        // The first makes the keys that all share.
        let first = try await RunningStore.start(data: data, ["--database", url])
        async let second = RunningStore.start(data: data, ["--database", url])
        async let third = RunningStore.start(data: data, ["--database", url])
        let nodes = [first, try await second, try await third]
        let processes = nodes.map { Int($0.process.identifier) }
        try await RunningStore.withClient { client in
            _ = try await Self.until(nodes[0], client) { Self.isDivided($0, among: processes) }
            await nodes[2].stop(SIGKILL)
            let moved = try await Self.until(nodes[0], client) { Self.isDivided($0, among: Array(processes[..<2])) }
            // 5 seconds on an idle machine, as the drill proves; tests share their machine.
            #expect(moved.after < .seconds(20))

            nodes[1].process.signal(SIGSTOP)
            let alone = try await Self.until(nodes[0], client) { $0.works.keys.elementsEqual([processes[0]]) }
            #expect(alone.after < .seconds(20))
            nodes[1].process.signal(SIGCONT)
            _ = try await Self.until(nodes[1], client) { Self.isDivided($0, among: Array(processes[..<2])) }
            // It still sells.
            let token = try await RunningStore.signIn(client, nodes[1].sandbox, "ann")
            let sold = try await RunningStore.buy(client, nodes[1].sandbox, "film.roll", token: token, key: "after")
            #expect(sold.status == 200)

            // An orderly end frees the work at once, and leaves no row.
            #expect(await nodes[1].stop().status == 0)
            _ = try await Self.until(nodes[0], client) { Self.isDivided($0, among: [processes[0]]) }
        }
        #expect(await nodes[0].stop().status == 0)
        let database = try Database(DatabaseLocation(url: url), options: .forTests)
        defer { database.close() }
        #expect(try await database.read { try NodesTable.all(on: $0) }.isEmpty)
    }
}
