import Logging
import PerennialStore
import ServiceLifecycle

/// The renewal clock as a service: it stops, between two rounds, when the server does.
struct RenewalService: Service {
    /// How soon a real clock's due work is seen. Sandbox's shortest period is 3 minutes.
    private static let interval = Duration.seconds(1)

    let registry: StoreRegistry
    let logger: Logger

    func run() async throws {
        let clock = RenewalClock(
            registry: registry, pause: { try await Task.sleep(for: Self.interval) }, logger: logger)
        await cancelWhenGracefulShutdown { await clock.run() }
    }
}
