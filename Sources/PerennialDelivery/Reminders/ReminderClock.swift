import Logging

/// Looks for terms that end soon, again and again.
package struct ReminderClock: Sendable {
    private let delivery: Delivery
    private let milliseconds: Int64
    private let pause: @Sendable () async throws -> Void

    /// - Parameters:
    ///   - milliseconds: How long before its end a term is reminded of.
    ///   - pause: Waits until it is time to look again; throws when it is time to stop.
    package init(
        delivery: Delivery, within milliseconds: Int64, pause: @escaping @Sendable () async throws -> Void
    ) {
        self.delivery = delivery
        self.milliseconds = milliseconds
        self.pause = pause
    }

    /// Runs until `pause` throws.
    package func run() async {
        repeat {
            do {
                try await delivery.remind(within: milliseconds)
            } catch {
                delivery.logger.error(
                    "reminders failed and will be tried again", metadata: ["error": "\(error)"])
            }
        } while (try? await pause()) != nil
    }
}
