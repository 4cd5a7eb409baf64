import Logging
import Perennial
import PerennialStorage

/// Processes due renewals of the environments that run on real time, as far as this node has the leases. One loop serves all: an idle environment costs neither
/// a thread nor a timer.
package struct RenewalScheduler: Sendable {
    private let registry: StoreRegistry
    private let pause: @Sendable () async throws -> Void
    private let logger: Logger

    /// - Parameter pause: Waits until the next round. Throws to stop.
    package init(
        registry: StoreRegistry, pause: @escaping @Sendable () async throws -> Void, logger: Logger
    ) {
        self.registry = registry
        self.pause = pause
        self.logger = logger
    }

    /// Runs until `pause` throws.
    package func run() async {
        repeat { await round() } while (try? await pause()) != nil
    }

    /// Processes all environments once. An error in one environment or kind of work doesn't stop the others.
    private func round() async {
        let environments: [StoreEnvironment]
        do {
            environments = try await registry.environments().filter { $0.clock == .real }
        } catch {
            return report(error, "environments", nil)
        }
        for environment in environments {
            for (name, kind, work) in Self.works where !Task.isCancelled {
                guard let lease = registry.nodes.lease(LeasesTable.Key(kind, environment.id)) else { continue }
                do {
                    guard let store = try await registry.store(named: environment.name) else { continue }
                    try await work(store, lease)
                } catch is CancellationError {
                    return
                } catch let lost as LeaseLost {
                    registry.nodes.forget(lost)
                    logger.notice(
                        "another node has taken over",
                        metadata: ["environment": "\(environment.name)", "work": "\(name)"])
                } catch {
                    report(error, name, environment)
                }
            }
        }
    }

    private typealias Work = @Sendable (Store, WorkLease) async throws -> Void

    private static let works: [(name: String, kind: LeasesTable.Work, work: Work)] = [
        ("scheduled prices", .renewals, { try await $0.performScheduledPrices(under: $1) }),
        ("renewals", .renewals, { _ = try await $0.renewals.processDue(under: $1) }),
        (
            "extensions of all subscribers", .extensions,
            { try await $0.extensions.processMassExtensions(under: $1) }
        ),
        ("price changes", .priceChanges, { try await $0.products.applyPriceChanges(under: $1) }),
    ]

    private func report(_ error: any Error, _ work: String, _ environment: StoreEnvironment?) {
        logger.error(
            "\(work) failed and will be tried again",
            metadata: ["environment": "\(environment?.name ?? "all")", "error": "\(error)"])
    }
}
