import PerennialDelivery
import ServiceLifecycle

/// The reminders of terms that end, as a service: it stops, between two rounds, when the server does.
struct ReminderService: Service {
    /// Terms are days long; a reminder may be some minutes late.
    private static let interval = Duration.seconds(600)

    let delivery: Delivery
    /// How long before its end a term is reminded of, in milliseconds.
    let milliseconds: Int64

    func run() async throws {
        let clock = ReminderClock(
            delivery: delivery, within: milliseconds, pause: { try await Task.sleep(for: Self.interval) })
        await cancelWhenGracefulShutdown { await clock.run() }
    }
}
