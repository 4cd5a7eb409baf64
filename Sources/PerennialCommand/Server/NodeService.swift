import Foundation
import Logging
import PerennialStore
import ServiceLifecycle

/// Keeps the process alive for the other nodes, and divides the background work between them, until the server stops.
struct NodeService: Service {
    let registry: StoreRegistry
    let logger: Logger

    func run() async throws {
        let scheduler = NodeScheduler(
            registry: registry, pause: { try await Task.sleep(for: NodeMembership.beatInterval) }, logger: logger)
        try await cancelWhenGracefulShutdown { try await scheduler.run() }
    }
}

extension NodeDescription {
    /// The running process.
    static var thisProcess: NodeDescription {
        // Not ProcessInfo.hostName, which may ask a name server.
        let host = withUnsafeTemporaryAllocation(of: CChar.self, capacity: 256) { name in
            name.initialize(repeating: 0)
            guard let start = name.baseAddress, gethostname(start, name.count - 1) == 0 else { return "localhost" }
            return String(cString: start)
        }
        return NodeDescription(
            host: host, process: Int64(ProcessInfo.processInfo.processIdentifier), version: Version.current)
    }
}
