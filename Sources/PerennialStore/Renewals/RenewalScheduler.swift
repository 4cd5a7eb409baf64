import Logging
import Perennial

/// Processes due renewals of all environments that run on real time. One loop serves all: an idle environment costs neither
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
            for (name, work) in Self.works where !Task.isCancelled {
                do {
                    guard let store = try await registry.store(named: environment.name) else { continue }
                    try await work(store)
                } catch is CancellationError {
                    return
                } catch {
                    report(error, name, environment)
                }
            }
        }
    }

    private static let works: [(name: String, work: @Sendable (Store) async throws -> Void)] = [
        ("scheduled prices", { try await $0.performScheduledPrices() }),
        ("renewals", { _ = try await $0.renewals.processDue() }),
        ("extensions of all subscribers", { try await $0.extensions.processMassExtensions() }),
        ("price changes", { try await $0.products.applyPriceChanges() }),
    ]

    private func report(_ error: any Error, _ work: String, _ environment: StoreEnvironment?) {
        logger.error(
            "\(work) failed and will be tried again",
            metadata: ["environment": "\(environment?.name ?? "all")", "error": "\(error)"])
    }
}
