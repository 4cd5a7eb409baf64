import Logging
import Perennial
import PerennialStorage

/// Keeps the roll-ups of the apps up to date that this node has the leases on. One loop serves all: an idle store costs one query a round.
///
/// Each step is one batch in a transaction of its own, so that purchases never wait for long.
package struct RollUpScheduler: Sendable {
    private let registry: StoreRegistry
    private let logger: Logger

    package init(_ registry: StoreRegistry, logger: Logger) {
        (self.registry, self.logger) = (registry, logger)
    }

    /// Works in rounds until `pause`, which waits for the next one, throws.
    package func run(pause: @Sendable () async throws -> Void) async {
        repeat { await round() } while (try? await pause()) != nil
    }

    /// Does all that is to be done. An error in one app doesn't stop the others.
    package func round() async {
        do {
            let database = registry.database
            let pending = try await database.read { try RollUpHeadsTable.work(on: $0) }.filter(\.isPending)
            guard !pending.isEmpty else { return }
            let names = Dictionary(
                try await registry.environments().map { ($0.id, $0.name) }
            ) { first, _ in first }
            for work in pending where !Task.isCancelled {
                let key = LeasesTable.Key(.rollUps, work.environment, app: work.app)
                guard let name = names[work.environment], let lease = registry.nodes.lease(key) else { continue }
                await finish(work.app, in: name, under: lease)
            }
        } catch is CancellationError {
        } catch {
            report(error, environment: "all", app: nil)
        }
    }

    private func finish(_ app: Int64, in environment: String, under lease: WorkLease) async {
        do {
            guard let store = try await registry.store(named: environment) else { return }
            while !Task.isCancelled, try await store.rollUps.work(on: app, under: lease) {
                await Task.yield()
            }
        } catch is CancellationError {
        } catch let lost as LeaseLost {
            registry.nodes.forget(lost)
        } catch {
            report(error, environment: environment, app: app)
        }
    }

    private func report(_ error: any Error, environment: String, app: Int64?) {
        logger.error(
            "roll-ups failed and will be tried again",
            metadata: [
                "environment": "\(environment)", "app": "\(app.map { "\($0)" } ?? "all")", "error": "\(error)",
            ])
    }
}
