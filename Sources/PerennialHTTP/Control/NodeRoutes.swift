import Perennial
import PerennialStorage
import PerennialStore

/// control/v1/nodes: the processes that serve the database, and the work that each does.
struct NodeRoutes {
    private struct NodesAnswer: AnswerModel {
        var nodes: [NodeModel]
    }

    private struct NodeModel: AnswerModel {
        struct Work: AnswerModel {
            var kind: String
            var environment: String
            /// Missing for the work of all apps together.
            var bundleId: String?

            static let constraints: [String: Constraint] = ["kind": .oneOf(LeasesTable.Work.self)]
        }

        var id: Int64
        var host: String
        var processId: Int64
        var version: String
        /// The number of migrations that the program knows.
        var migrations: Int64
        var started: String
        var isAnswering: Bool
        /// The time for which the answering node has seen no heartbeat of this one.
        var silentSeconds: Double
        /// The machine's clock minus the database server's.
        var clockDifferenceSeconds: Double
        var works: [Work]

        static let constraints: [String: Constraint] = ["started": .moment]

        init(_ status: NodeStatus) {
            let node = status.node
            (id, host, processId) = (node.id, node.host, node.process)
            (version, migrations) = (node.version, node.migrations)
            started = node.started.rfc3339(fraction: true)
            isAnswering = status.isThis
            silentSeconds = Double(status.silence) / 1000
            clockDifferenceSeconds = Double(node.clockDifference) / 1000
            works = status.works.map {
                Work(kind: $0.kind.rawValue, environment: $0.environment, bundleId: $0.bundleID?.rawValue)
            }
        }
    }

    let registry: StoreRegistry

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("nodes", "The processes that serve the database, and the work that each does") {
            (_: Call<NoBody>, _) in
            NodesAnswer(nodes: try await registry.nodeStatuses().map(NodeModel.init))
        }
    }
}
