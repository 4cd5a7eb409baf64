import Perennial
import PerennialStorage

extension Store {
    /// Makes the notifications that an app's journal asks for, and attempts all that are due. Returns when all have been
    /// attempted, whatever came of it.
    package func deliverNotifications(app: Int64) async throws {
        guard let sender = notificationSender else { return }
        try await deliveryGate.run(app: app) {
            try await readJournalForNotifications(app: app)
            guard let run = try await deliveryRun(app: app, sender) else { return }
            try await run.deliver()
        }
    }

    private func deliveryRun(app: Int64, _ sender: any NotificationSender) async throws -> DeliveryRun? {
        try await database.read { [self] connection in
            guard let record = try NotificationSettingsTable.record(app: app, environment.id, on: connection),
                let entry = try catalog.entry(number: app, on: connection)
            else { return nil }
            return DeliveryRun(
                store: self, sender: sender, settings: try NotificationSettings(record), entry: entry,
                until: try clock.now(on: connection))
        }
    }

    /// Attempts everything that is due in the environment, apps side by side.
    package func deliverNotifications() async throws {
        let apps = try await notifiedApps()
        try await withThrowingDiscardingTaskGroup { group in
            for app in apps { group.addTask { try await self.deliverNotifications(app: app) } }
        }
    }

    /// The apps that want notifications from this environment.
    private func notifiedApps() async throws -> [Int64] {
        try await database.read { [environment] in
            try NotificationSettingsTable.places(on: $0).filter { $0.environment == environment.id }.map(\.app)
        }
    }

    /// Moves a manual clock from one instant at which something is due to the next, and has the notifications of each arrive
    /// before the next: a receiver that asks back finds the store as the notification says.
    ///
    /// - Returns: How many facts of commerce came of it; `nil` where no app wants notifications, which needs no stops.
    func workOffWithNotifications(until target: Instant) async throws -> Int? {
        guard notificationSender != nil, try await !notifiedApps().isEmpty else { return nil }
        var events = 0
        try await deliverNotifications()
        while let next = try await nextStop(), next <= target {
            try await database.write { [clock, environment] connection in
                let reached = max(next, try clock.now(on: connection))
                try EnvironmentsTable.setManualNow(reached, environment.id, on: connection)
            }
            events += try await workOffDue(until: next)
            try await deliverNotifications()
        }
        return events
    }

    private func nextStop() async throws -> Instant? {
        try await database.read { [environment] connection in
            let renewal = try SubscriptionsTable.nextDue(environment.id, on: connection)
            let attempt = try NotificationsTable.nextDue(environment.id, on: connection)
            return [renewal, attempt].compactMap { $0 }.min()
        }
    }
}
