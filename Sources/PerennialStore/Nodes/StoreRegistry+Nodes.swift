import Perennial
import PerennialStorage

/// A node with the work that it does.
package struct NodeStatus: Hashable, Sendable {
    /// A piece of work with the names of its environment and app.
    package struct Work: Hashable, Sendable {
        package var kind: LeasesTable.Work
        package var environment: String
        /// `nil` for the work of all apps together.
        package var bundleID: App.BundleID?
    }

    package var node: NodesTable.Node
    /// True for the process that answers.
    package var isThis: Bool
    /// The time for which this process has seen the heartbeat stand still, in milliseconds; 0 for a live node.
    package var silence: Int64
    /// Empty on SQLite, where the only process does everything.
    package var works: [Work]
}

extension StoreRegistry {
    /// Returns the nodes of the database, in the order of their start.
    package func nodeStatuses() async throws -> [NodeStatus] {
        let (registered, leases, environments, apps) = try await database.read { connection in
            (
                try NodesTable.all(on: connection), try LeasesTable.held(on: connection),
                try EnvironmentsTable.all(on: connection), try AppsTable.all(on: connection)
            )
        }
        let names = Dictionary(environments.map { ($0.id, $0.name) }) { first, _ in first }
        let bundleIDs = Dictionary(apps.map { ($0.id, $0.bundleID) }) { first, _ in first }
        let byNode = Dictionary(grouping: leases, by: \.node)
        return registered.map { node in
            let works = (byNode[node.id] ?? []).sorted { $0.key < $1.key }.compactMap { lease in
                names[lease.key.environment].map {
                    NodeStatus.Work(kind: lease.key.work, environment: $0, bundleID: bundleIDs[lease.key.app])
                }
            }
            return NodeStatus(
                node: node, isThis: node.id == nodes.id, silence: nodes.silence(of: node.id), works: works)
        }
    }
}
