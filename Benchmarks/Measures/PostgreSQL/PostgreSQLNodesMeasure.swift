import NIOCore
import Perennial
import PerennialStorage

/// Durable purchases of one app over HTTP through several nodes: two on this machine, and four with a network between
/// them and the database; and through one node with a synchronous standby.
enum PostgreSQLNodesMeasure: Measure {
    static let name = "postgres-nodes"
    private static let seconds = 2
    private static let clientsEach = 64
    /// Clients of a node, so few that it leaves the processors free for other nodes.
    private static let fewClientsEach = [1, 2, 4]
    /// Hundredths of a processor for each node where each has a share of its own: so few that four nodes, the database
    /// and the clients fit on two processors.
    private static let share = 12
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
            let (far, few, slow) = try await DelayedLink.run(to: location, delay: delay) { link in
                let (far, few) = try await NodeProcess.run(distant, on: link.location) { nodes in
                    let far = try await compare(nodes, clients: (clientsEach, distant * clientsEach), tokens, bench)
                    var few: [(clients: Int, compared: Compared)] = []
                    for clients in fewClientsEach {
                        few.append(
                            (clients, try await compare(nodes, clients: (clients, distant * clients), tokens, bench)))
                    }
                    return (far, few)
                }
                let slow = try await NodeProcess.run(distant, on: link.location, percent: share) { nodes in
                    try await compare(nodes, clients: (clientsEach, distant * clientsEach), tokens, bench)
                }
                return (far, few, slow)
            }
            let standby = try await sellWithStandby(server, location, from: location, tokens, bench)
            let farStandby = try await DelayedLink.run(to: location, delay: delay) { link in
                try await sellWithStandby(server, location, from: link.location, tokens, bench)
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
                        far.processors,
                    ]),
            ]
                + (slow.map { [slowNodes($0)] } ?? [])
                + few.map { clients, compared in
                    Figure(
                        "the same, \(clients) \(clients == 1 ? "client" : "clients") for each node", "1/s",
                        ours: compared.all.map(\.rate).median, limit: compared.one.map(\.rate).median,
                        notes: [compared.processors])
                }
                + [
                    Figure(
                        "purchases through one node, 1 ms from the database", "1/s", ours: far.one.map(\.rate).median,
                        limit: near.one.map(\.rate).median,
                        notes: ["\(clientsEach) clients; the limit is the same node near it"]),
                    standbyFigure("purchases through one node with a synchronous standby", standby),
                    standbyFigure("the same, the standby 1 ms from the server", farStandby),
                ]
        }
    }

    private static func standbyFigure(_ name: String, _ compared: Compared) -> Figure {
        Figure(
            name, "1/s", ours: compared.all.map(\.rate).median, limit: compared.one.map(\.rate).median,
            notes: [
                "\(clientsEach) clients; the limit is the same while no commit waits for the standby, which follows",
                "without: \(compared.one.last?.details ?? "")", "with: \(compared.all.last?.details ?? "")",
            ])
    }

    /// Sells through one node while commits wait for a standby and while they don't, in turn.
    ///
    /// - Parameter source: The server as the standby reaches it.
    private static func sellWithStandby(
        _ server: BenchmarkPostgreSQL, _ location: DatabaseLocation, from source: DatabaseLocation, _ tokens: [String],
        _ bench: Bench
    ) async throws -> Compared {
        try await BenchmarkStandby.run(of: server, at: location, from: source) { standby in
            try await NodeProcess.run(1, on: location) { nodes in
                let ports = nodes.map(\.port)
                var compared = Compared()
                _ = try await sell(ports, clientsEach, tokens, for: 1)
                for _ in 0..<bench.rounds {
                    try await standby.setSynchronous(false)
                    compared.one.append(try await sell(ports, clientsEach, tokens, for: Double(seconds)))
                    try await standby.setSynchronous(true)
                    compared.all.append(try await sell(ports, clientsEach, tokens, for: Double(seconds)))
                }
                return compared
            }
        }
    }

    private static func slowNodes(_ compared: Compared) -> Figure {
        Figure(
            "the same through \(distant) nodes with \(share) % of a processor each", "1/s",
            ours: compared.all.map(\.rate).median, limit: compared.one.map(\.rate).median, .atLeast(3),
            notes: [
                "\(clientsEach) clients for each node; the limit is one such node",
                "one node: \(compared.one.last?.details ?? "")",
                "\(distant) nodes: \(compared.all.last?.details ?? "")", compared.processors,
            ])
    }

    /// Rounds through one node and through all.
    private struct Compared: Sendable {
        var one: [LoadGenerator.Result] = []
        var all: [LoadGenerator.Result] = []
        /// The processors' time that was in use in each round.
        var busy: (one: [Double], all: [Double]) = ([], [])

        var processors: String {
            "the processors were busy \(Int64(nearest: busy.one.median * 100)) % of the time with one node, "
                + "\(Int64(nearest: busy.all.median * 100)) % with all"
        }
    }

    /// Sells through the first node and through all of them, in turn.
    private static func compare(
        _ nodes: [NodeProcess], clients: (one: Int, all: Int), _ tokens: [String], _ bench: Bench
    ) async throws -> Compared {
        let ports = nodes.map(\.port)
        var compared = Compared()
        _ = try await sell(ports, clients.all, tokens, for: 1)
        for _ in 0..<bench.rounds {
            let start = ProcessorTime.now
            compared.one.append(try await sell([ports[0]], clients.one, tokens, for: Double(seconds)))
            let middle = ProcessorTime.now
            compared.all.append(try await sell(ports, clients.all, tokens, for: Double(seconds)))
            compared.busy.one.append(middle.busy(since: start))
            compared.busy.all.append(ProcessorTime.now.busy(since: middle))
        }
        return compared
    }

    private static func sell(
        _ ports: [Int], _ clients: Int, _ tokens: [String], for seconds: Double
    ) async throws -> LoadGenerator.Result {
        let requests = PurchaseRequests.make(requestsEach(clients: clients), clients: clients, tokens)
        return try await LoadGenerator(ports: ports).run(requests, for: seconds)
    }
}
