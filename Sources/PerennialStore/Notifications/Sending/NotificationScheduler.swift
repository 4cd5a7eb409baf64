import Logging
import Perennial
import PerennialStorage
import Synchronization

/// Sends notifications as they are added and as their next attempts fall due, in all environments. One loop; a task for an
/// app only while it has notifications to send, so that a receiver that doesn't answer delays no other.
package struct NotificationScheduler: Sendable {
    private let registry: StoreRegistry
    private let pause: @Sendable () async throws -> Void
    private let logger: Logger

    /// - Parameter pause: Waits until the next look at due attempts. Throws to stop.
    package init(registry: StoreRegistry, pause: @escaping @Sendable () async throws -> Void, logger: Logger) {
        self.registry = registry
        self.pause = pause
        self.logger = logger
    }

    /// Runs until `pause` throws.
    package func run() async {
        let signal = registry.notificationSignal
        await withTaskGroup(of: Void.self) { group in
            group.addTask {
                repeat { signal.wake() } while (try? await pause()) != nil
                signal.finish()
            }
            group.addTask { await deliver(signal) }
        }
    }

    /// The apps whose notifications are being sent.
    private final class InFlightSet: Sendable {
        /// The places by app: true if it was requested again meanwhile.
        private let places = Mutex<[NotificationSettingsTable.Place: Bool]>([:])

        /// Marks an app as in flight.
        ///
        /// - Returns: False if it is already.
        func begin(_ place: NotificationSettingsTable.Place) -> Bool {
            places.withLock { places in
                guard places[place] == nil else {
                    places[place] = true
                    return false
                }
                places[place] = false
                return true
            }
        }

        /// Marks an app as done.
        ///
        /// - Returns: True if it was requested again meanwhile.
        func end(_ place: NotificationSettingsTable.Place) -> Bool {
            places.withLock { $0.removeValue(forKey: place) ?? false }
        }
    }

    private func deliver(_ signal: NotificationSignal) async {
        let inFlight = InFlightSet()
        await withDiscardingTaskGroup { workers in
            for await _ in signal.wakeUps {
                for (place, store) in await waiting() where inFlight.begin(place) {
                    workers.addTask {
                        do {
                            try await store.notifications.sendDue(app: place.app)
                        } catch is CancellationError {
                        } catch {
                            logger.error(
                                "notifications will be tried again", metadata: ["error": "\(error)"])
                        }
                        if inFlight.end(place) { signal.wake() }
                    }
                }
            }
            workers.cancelAll()
        }
    }

    private func waiting() async -> [(NotificationSettingsTable.Place, Store)] {
        do {
            return try await registry.waitingForNotifications()
        } catch {
            logger.error("notifications can't be looked for", metadata: ["error": "\(error)"])
            return []
        }
    }
}

extension StoreRegistry {
    /// Returns the apps with due notifications, with their stores.
    func waitingForNotifications() async throws -> [(NotificationSettingsTable.Place, Store)] {
        guard sendsNotifications else { return [] }
        let realTime = wallClock()
        let (places, environments) = try await database.read { connection in
            (
                try NotificationSettingsTable.waiting(at: realTime, on: connection),
                try EnvironmentsTable.all(on: connection)
            )
        }
        var found: [(NotificationSettingsTable.Place, Store)] = []
        for place in places {
            guard let environment = environments.first(where: { $0.id == place.environment }),
                let store = try await store(named: environment.name)
            else { continue }
            found.append((place, store))
        }
        return found
    }
}

/// Wakes the scheduler of notifications right after the commit that added some, instead of at its next look.
package final class NotificationSignal: Sendable {
    /// Wake-ups. Pending ones coalesce.
    let wakeUps: AsyncStream<Void>
    private let continuation: AsyncStream<Void>.Continuation
    private let isDue = Atomic(false)

    init() {
        (wakeUps, continuation) = AsyncStream.makeStream(bufferingPolicy: .bufferingNewest(1))
    }

    /// Records within a transaction that it adds notifications.
    func markPending() { isDue.store(true, ordering: .relaxed) }

    /// Wakes the scheduler after a commit that added notifications.
    func flush() {
        if isDue.exchange(false, ordering: .relaxed) { wake() }
    }

    func wake() { continuation.yield() }
    func finish() { continuation.finish() }
}
