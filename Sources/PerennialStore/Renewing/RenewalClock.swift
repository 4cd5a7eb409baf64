import Logging
import Perennial

/// Watches the environments that run on real time, and works off what falls due. One loop for all of them: an idle environment
/// costs neither a thread nor a timer.
package struct RenewalClock: Sendable {
    private let registry: StoreRegistry
    private let pause: @Sendable () async throws -> Void
    private let logger: Logger

    /// - Parameter pause: Waits until it is time to look again; throws when it is time to stop.
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

    /// What goes wrong in one environment, or with one kind of work, holds up no other.
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
        ("renewals", { _ = try await $0.workOffDue() }),
        ("extensions of all subscribers", { try await $0.workOffMassExtensions() }),
        ("price changes", { try await $0.workOffPriceChanges() }),
    ]

    private func report(_ error: any Error, _ work: String, _ environment: StoreEnvironment?) {
        logger.error(
            "\(work) failed and will be tried again",
            metadata: ["environment": "\(environment?.name ?? "all")", "error": "\(error)"])
    }
}
