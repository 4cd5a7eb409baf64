import NIOCore
import PerennialStorage

/// Durable purchases of one app over HTTP through several nodes: two on this machine, and four with a network between
/// them and the database.
enum PostgreSQLNodesMeasure: Measure {
    static let name = "postgres-nodes"
    private static let seconds = 2
    private static let clientsEach = 64
    /// Clients of a node that leave the processors free for other nodes.
    private static let fewClientsEach = 4
    /// Nodes behind the network.
    private static let distant = 4
    /// The delay of each direction: a round trip takes a millisecond.
    private static let delay = TimeAmount.microseconds(500)
    /// The ratio down to which two nodes count as equal to one: rounds differ by as much.
    private static let notSlower = 0.95

    /// The requests of each client in a round, more than it sends.
    private static func requestsEach(clients: Int) -> Int { 25_600 / clients }

    static func measure(_ bench: Bench) async throws -> [Figure] {
        try await BenchmarkPostgreSQL.run { server in
            let (location, tokens) = try await PostgreSQLPurchasesMeasure.store(
                on: server, customers: distant * clientsEach, bench)
            let near = try await NodeProcess.run(2, on: location) { nodes in
                try await compare(nodes, clients: (clientsEach, clientsEach), tokens, bench)
            }
            let (far, few) = try await DelayedLink.run(to: location, delay: delay) { link in
                try await NodeProcess.run(distant, on: link.location) { nodes in
                    (
                        try await compare(nodes, clients: (clientsEach, distant * clientsEach), tokens, bench),
                        try await compare(nodes, clients: (fewClientsEach, distant * fewClientsEach), tokens, bench)
                    )
                }
            }
            return [
                Figure(
                    "purchases through two nodes on this machine", "1/s", ours: near.all.map(\.rate).median,
                    limit: near.one.map(\.rate).median, .atLeast(notSlower),
                    notes: [
                        "\(clientsEach) clients; the limit is one node", "one node: \(near.one.last?.details ?? "")",
                        "two nodes: \(near.all.last?.details ?? "")",
                    ]),
                Figure(
                    "the same through \(distant) nodes, 1 ms from the database", "1/s",
                    ours: far.all.map(\.rate).median,
                    limit: far.one.map(\.rate).median, .atLeast(3),
                    notes: [
                        "\(clientsEach) clients for each node; the limit is one node; a round trip takes 1 ms more",
                        "one node: \(far.one.last?.details ?? "")", "\(distant) nodes: \(far.all.last?.details ?? "")",
                    ]),
                Figure(
                    "the same, with few clients", "1/s", ours: few.all.map(\.rate).median,
                    limit: few.one.map(\.rate).median,
                    notes: ["\(fewClientsEach) clients for each node, so that one leaves the processors free"]),
                Figure(
                    "purchases through one node, 1 ms from the database", "1/s", ours: far.one.map(\.rate).median,
                    limit: near.one.map(\.rate).median,
                    notes: ["\(clientsEach) clients; the limit is the same node near it"]
                ),
            ]
        }
    }

    /// Sells through the first node and through all of them, in turn.
    private static func compare(
        _ nodes: [NodeProcess], clients: (one: Int, all: Int), _ tokens: [String], _ bench: Bench
    ) async throws -> (one: [LoadGenerator.Result], all: [LoadGenerator.Result]) {
        let ports = nodes.map(\.port)
        var (one, all): ([LoadGenerator.Result], [LoadGenerator.Result]) = ([], [])
        _ = try await sell(ports, clients.all, tokens, for: 1)
        for _ in 0..<bench.rounds {
            one.append(try await sell([ports[0]], clients.one, tokens, for: Double(seconds)))
            all.append(try await sell(ports, clients.all, tokens, for: Double(seconds)))
        }
        return (one, all)
    }

    private static func sell(
        _ ports: [Int], _ clients: Int, _ tokens: [String], for seconds: Double
    ) async throws -> LoadGenerator.Result {
        let requests = PurchaseRequests.make(requestsEach(clients: clients), clients: clients, tokens)
        return try await LoadGenerator(ports: ports).run(requests, for: seconds)
    }
}
