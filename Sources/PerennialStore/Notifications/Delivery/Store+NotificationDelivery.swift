import Logging
import Perennial
import PerennialStorage

extension Store {
    /// Whose turn it is with an app's notifications.
    private enum Turn: Sendable {
        case ours(DeliveryRun)
        case anotherNodes
        case nothingDue
    }

    /// How long notifications can be asked for (Get Notification History).
    package static let notificationHistory: Int64 = .days(180)

    /// How far back a history of notifications may be asked for: 180 days in Production, 30 in Sandbox.
    package var notificationHistoryReach: Int64 {
        environment.kind == .production ? Self.notificationHistory : .days(30)
    }

    /// Attempts all of an app's notifications that are due. Returns when all have been attempted, whatever came of it, or
    /// at once where another node is about it.
    ///
    /// - Returns: False where another node is about it, or has taken over.
    @discardableResult
    package func deliverNotifications(app: Int64) async throws -> Bool {
        try await deliverNotifications(app: app, patience: nil)
    }

    private func deliverNotifications(app: Int64, patience: DeliveryPatience?) async throws -> Bool {
        guard let sender = notificationSender else { return true }
        return try await deliveryGate.run(app: app) { try await deliverDue(app: app, sender, patience) }
    }

    /// - Returns: False where another node is about it, or has taken over.
    private func deliverDue(
        app: Int64, _ sender: any NotificationSender, _ patience: DeliveryPatience?
    ) async throws -> Bool {
        switch try await database.write({ [self] in try takeTurn(app: app, sender, patience, on: $0) }) {
        case .nothingDue: return true
        case .anotherNodes: return false
        case .ours(let run):
            let result = await isDelivered(run)
            try await run.claim.release()
            return try result.get()
        }
    }

    private func takeTurn(
        app: Int64, _ sender: any NotificationSender, _ patience: DeliveryPatience?, on connection: any Connection
    ) throws -> Turn {
        let now = try clock.now(on: connection)
        guard let entry = try catalog.entry(number: app, on: connection),
            let settings = entry.notifications[environment.id],
            try NotificationsTable.hasDue(until: now, app: app, environment.id, on: connection)
        else { return .nothingDue }
        guard let claim = try DeliveryClaim.take(app: app, settings, in: self, on: connection) else {
            return .anotherNodes
        }
        try NotificationsTable.purge(before: now + -Self.notificationHistory, app: app, environment.id, on: connection)
        return .ours(
            DeliveryRun(
                store: self, sender: sender, settings: settings, entry: entry, until: now, claim: claim,
                patience: patience))
    }

    private func isDelivered(_ run: DeliveryRun) async -> Result<Bool, any Error> {
        do {
            try await run.deliver()
            return .success(true)
        } catch is DeliveryClaim.Lost {
            logger.notice("another node has taken over an app's notifications", metadata: ["app": "\(run.claim.app)"])
            return .success(false)
        } catch {
            return .failure(error)
        }
    }

    /// Attempts everything that is due in the environment, apps side by side. Another node that is about it is waited for:
    /// until it is done, or, where it is gone, until its claim ends.
    package func deliverNotifications() async throws {
        try await deliverNotifications(patience: nil)
    }

    private func deliverNotifications(patience: DeliveryPatience?) async throws {
        let apps = try await notifiedApps()
        try await withThrowingDiscardingTaskGroup { group in
            for app in apps {
                group.addTask { [self] in
                    while try await !deliverNotifications(app: app, patience: patience) {
                        try await turnPause()
                        try Task.checkCancellation()
                    }
                }
            }
        }
    }

    /// The apps that want notifications from this environment.
    private func notifiedApps() async throws -> [Int64] {
        try await database.read { [environment] in
            try NotificationSettingsTable.places(on: $0).filter { $0.environment == environment.id }.map(\.app)
        }
    }

    /// Moves a manual clock from one instant at which something is due to the next, and has the notifications of each arrive
    /// before the next: a receiver that asks back finds the store as the notification says. One that never answers isn't
    /// waited for all the way.
    ///
    /// - Returns: How many facts of commerce came of it; `nil` where no app wants notifications, which needs no stops.
    func workOffWithNotifications(until target: Instant, _ claim: ClockClaim) async throws -> Int? {
        guard notificationSender != nil, try await !notifiedApps().isEmpty else { return nil }
        var events = 0
        let patience = DeliveryPatience()
        try await deliverNotifications(patience: patience)
        // Every stop is later than the one before: what can't be done at one is not waited for.
        var reached: Instant?
        while let next = try await nextStop(after: reached), next <= target {
            try Task.checkCancellation()
            try await database.write { try claim.moveClock(to: next, on: $0) }
            events += try await workOffDue(until: next, claim)
            try await deliverNotifications(patience: patience)
            reached = next
        }
        return events
    }

    private func nextStop(after instant: Instant?) async throws -> Instant? {
        try await database.read { [environment] connection in
            let renewal = try SubscriptionsTable.nextDue(after: instant, environment.id, on: connection)
            let attempt = try NotificationsTable.nextDue(after: instant, environment.id, on: connection)
            return [renewal, attempt].compactMap { $0 }.min()
        }
    }
}
