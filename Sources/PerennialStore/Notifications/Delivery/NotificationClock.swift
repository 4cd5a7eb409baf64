import Logging
import Perennial
import PerennialStorage
import Synchronization

/// Delivers notifications as they come and as their next attempts fall due, in all environments: one loop, and a task for
/// each app only while it has something to send, so that a receiver that doesn't answer holds up no other.
package struct NotificationClock: Sendable {
    private let registry: StoreRegistry
    private let pause: @Sendable () async throws -> Void
    private let logger: Logger

    /// - Parameter pause: Waits until it is time to look again; throws when it is time to stop.
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
                repeat { signal.look() } while (try? await pause()) != nil
                signal.finish()
            }
            group.addTask { await deliver(signal) }
        }
    }

    /// Where somebody delivers at the moment.
    private final class Busy: Sendable {
        /// Whether somebody came meanwhile, by place.
        private let places = Mutex<[NotificationSettingsTable.Place: Bool]>([:])

        /// - Returns: False where somebody is there already.
        func enter(_ place: NotificationSettingsTable.Place) -> Bool {
            places.withLock { places in
                guard places[place] == nil else {
                    places[place] = true
                    return false
                }
                places[place] = false
                return true
            }
        }

        /// - Returns: Whether somebody came meanwhile, and was sent away.
        func leave(_ place: NotificationSettingsTable.Place) -> Bool {
            places.withLock { $0.removeValue(forKey: place) ?? false }
        }
    }

    private func deliver(_ signal: NotificationSignal) async {
        let busy = Busy()
        await withDiscardingTaskGroup { workers in
            for await _ in signal.looks {
                for (place, store) in await waiting() where busy.enter(place) {
                    workers.addTask {
                        do {
                            try await store.deliverNotifications(app: place.app)
                        } catch {
                            logger.error(
                                "notifications will be tried again", metadata: ["error": "\(error)"])
                        }
                        if busy.leave(place) { signal.look() }
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
    /// Where there is something to send, with its store.
    func waitingForNotifications() async throws -> [(NotificationSettingsTable.Place, Store)] {
        guard notificationSender != nil else { return [] }
        let wall = wallClock()
        let (places, environments) = try await database.read { connection in
            (
                try NotificationSettingsTable.waiting(at: wall, on: connection),
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
