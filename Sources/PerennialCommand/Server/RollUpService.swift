import Logging
import PerennialStore
import ServiceLifecycle

/// Keeps the roll-ups for reports up to date until the server stops.
struct RollUpService: Service {
    /// The interval between two rounds. Reports bring the roll-ups up to date themselves, so it only limits how much they have
    /// to do. Fewer and larger batches cost purchases less.
    private static let interval = Duration.milliseconds(500)

    let registry: StoreRegistry
    let logger: Logger

    func run() async throws {
        let scheduler = RollUpScheduler(registry, logger: logger)
        await cancelWhenGracefulShutdown {
            await scheduler.run { try await Task.sleep(for: Self.interval) }
        }
    }
}
