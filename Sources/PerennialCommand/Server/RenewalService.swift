import Logging
import PerennialStore
import ServiceLifecycle

/// Runs the renewal scheduler until the server stops.
struct RenewalService: Service {
    /// The interval between two checks for due renewals. Sandbox's shortest period is 3 minutes.
    private static let interval = Duration.seconds(1)

    let registry: StoreRegistry
    let logger: Logger

    func run() async throws {
        let clock = RenewalScheduler(
            registry: registry, pause: { try await Task.sleep(for: Self.interval) }, logger: logger)
        await cancelWhenGracefulShutdown { await clock.run() }
    }
}
