import ArgumentParser
import Foundation

/// `perennial nodes`: the processes that serve a store's database.
struct NodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "nodes", "Show the processes that serve a store's database, and the work that each does.",
        """
        Nodes on one PostgreSQL database share the background work: renewals, extensions of all subscribers, price changes \
        and roll-ups are divided between them, and each app's notifications are sent by one at a time. The work of a node \
        that dies moves to others within 5 seconds.
        """,
        examples: ["nodes list", "nodes list --json"],
        subcommands: [List.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the nodes, in the order of their start.", examples: ["nodes list", "nodes list --json"])

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get("control/v1/nodes")
            return answer.report(\.table)
        }
    }

    /// The store's answer about its nodes.
    struct Answer: Decodable {
        struct Node: Decodable {
            var id: Int64
            var host: String
            var processId: Int64
            var version: String
            var started: String
            var isAnswering: Bool
            var silentSeconds: Double
            var clockDifferenceSeconds: Double
            var works: [Work]
        }

        struct Work: Decodable {
            var kind: String
            var environment: String
            var bundleId: String?

            var text: String {
                let place = bundleId.map { "\(environment) \($0)" } ?? environment
                return "\(Self.names[kind] ?? kind) of \(place)"
            }

            private static let names = [
                "clock": "the clock", "rollUps": "roll-ups", "priceChanges": "price changes",
            ]
        }

        var nodes: [Node]

        var table: String {
            let rows = nodes.map { node in
                [
                    "\(node.id)\(node.isAnswering ? "*" : "")", node.host, "\(node.processId)", node.version,
                    node.started,
                    Self.state(of: node), works(of: node),
                ]
            }
            return TerminalTable(["NODE", "HOST", "PROCESS", "VERSION", "STARTED", "STATE", "WORK"], rows).text
        }

        private func works(of node: Node) -> String {
            guard node.works.isEmpty else { return node.works.map(\.text).joined(separator: ", ") }
            return nodes.count == 1 ? "all" : "requests"
        }

        /// The differences below these aren't worth a word, in seconds.
        private static let (usualSilence, usualDifference) = (1.5, 2.0)

        private static func state(of node: Node) -> String {
            var words = [node.silentSeconds > usualSilence ? "silent for \(node.silentSeconds) s" : "alive"]
            if abs(node.clockDifferenceSeconds) > usualDifference {
                words.append("clock \(node.clockDifferenceSeconds) s off")
            }
            return words.joined(separator: ", ")
        }
    }
}
