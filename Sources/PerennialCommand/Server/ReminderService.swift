import PerennialDelivery
import ServiceLifecycle

/// Makes reminders of ending terms until the server stops.
struct ReminderService: Service {
    /// Terms are days long; a reminder may be some minutes late.
    private static let interval = Duration.seconds(600)

    let delivery: Delivery
    /// The time before the end of a term, in milliseconds.
    let milliseconds: Int64

    func run() async throws {
        let clock = ReminderScheduler(
            delivery: delivery, within: milliseconds, pause: { try await Task.sleep(for: Self.interval) })
        await cancelWhenGracefulShutdown { await clock.run() }
    }
}
