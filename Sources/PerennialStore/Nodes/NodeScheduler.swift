import Logging
import Perennial
import PerennialStorage

/// Keeps this node alive for the others, and divides the background work between the nodes.
package struct NodeScheduler: Sendable {
    private let registry: StoreRegistry
    /// The heartbeats between two looks for tables without statistics: five seconds.
    private static let statisticsRounds = 10

    private let pause: @Sendable () async throws -> Void
    private let logger: Logger

    /// - Parameter pause: Waits until the next heartbeat (``NodeMembership/beatInterval``). Throws to stop.
    package init(
        registry: StoreRegistry, pause: @escaping @Sendable () async throws -> Void, logger: Logger
    ) {
        self.registry = registry
        self.pause = pause
        self.logger = logger
    }

    /// Runs until `pause` throws, and then frees the node's leases.
    ///
    /// - Throws: `StorageError` `.newerSchema` if a newer version has migrated the database so that this one has to stop.
    package func run() async throws {
        let nodes = registry.nodes
        nodes.startWorking()
        guard !nodes.isAlone else {
            // One row for operators; there is no other node that would look for a heartbeat.
            try await nodes.register()
            while (try? await pause()) != nil {}
            return
        }
        try await withThrowingTaskGroup(of: Void.self) { group in
            group.addTask {
                repeat { try await round() } while (try? await pause()) != nil
            }
            // Beside the heartbeat, which may wait for a database that doesn't answer.
            group.addTask {
                repeat { nodes.checkValidity() } while (try? await pause()) != nil
            }
            group.addTask { await gatherStatistics() }
            // Not `waitForAll`, which throws when all have ended: an error of the first ends the others.
            while try await group.next() != nil {}
        }
        // Not in this task, which may be cancelled.
        await Task { [logger] in
            do {
                try await nodes.leave()
            } catch {
                logger.notice("the leases couldn't be freed; others free them", metadata: ["error": "\(error)"])
            }
        }.value
    }

    /// Keeps the database's plans good while it grows for the first time.
    private func gatherStatistics() async {
        var rounds = 0
        while (try? await pause()) != nil {
            rounds += 1
            guard rounds % Self.statisticsRounds == 0 else { continue }
            do {
                let tables = try await registry.nodes.database.analyzeNewTables()
                if !tables.isEmpty { logger.debug("statistics gathered", metadata: ["tables": "\(tables)"]) }
            } catch {
                logger.debug("no statistics gathered", metadata: ["error": "\(error)"])
            }
        }
    }

    private func round() async throws {
        do {
            try await registry.nodes.beat()
            try await registry.divideWork()
        } catch let error as StorageError where error.code == .newerSchema {
            logger.critical("this node stops", metadata: ["error": "\(error)"])
            throw error
        } catch {
            logger.warning("the heartbeat failed and will be tried again", metadata: ["error": "\(error)"])
        }
    }
}

extension StoreRegistry {
    /// Takes and gives up leases on background work.
    package func divideWork() async throws {
        try await nodes.divide { connection in
            let environments = try EnvironmentsTable.all(on: connection)
            let scheduled: [LeasesTable.Work] = [.renewals, .extensions, .priceChanges]
            // Work of a manual clock is done by the node that advances it.
            let ofEnvironments = environments.filter { $0.clock == .real }.flatMap { environment in
                scheduled.map { LeasesTable.Key($0, environment.id) }
            }
            let known = Set(environments.map(\.id))
            let rollUps = try JournalTable.heads(on: connection).filter { known.contains($0.environment) }
                .map { LeasesTable.Key(.rollUps, $0.environment, app: $0.app) }
            return ofEnvironments + rollUps
        }
    }
}
