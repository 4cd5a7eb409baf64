import Logging
import Perennial
import PerennialStorage

extension Notifications {
    /// The result of asking for the lease on an app's notifications.
    private enum LeaseRequest: Sendable {
        case acquired(SendingRun)
        case heldByAnotherNode
        case nothingDue
    }

    /// The time for which notifications are kept (Get Notification History).
    package static let historyDuration: Int64 = .days(180)

    /// The reach of the notification history: 180 days in Production, 30 in Sandbox.
    package var historyReach: Int64 {
        environment.kind == .production ? Self.historyDuration : .days(30)
    }

    /// Attempts all due notifications of an app. Returns after all attempts, whatever their results, or at once if another
    /// node is sending them.
    ///
    /// - Returns: False if another node is sending them, or has taken over.
    @discardableResult
    package func sendDue(app: Int64) async throws -> Bool {
        try await sendDue(app: app, breaker: nil)
    }

    private func sendDue(app: Int64, breaker: TimeoutBreaker?) async throws -> Bool {
        guard let sender else { return true }
        return try await mutex.run(app: app) { try await sendDue(app: app, sender, breaker) }
    }

    /// Acquires the lease and sends.
    ///
    /// - Returns: False if another node is sending them, or has taken over.
    private func sendDue(
        app: Int64, _ sender: any NotificationSender, _ breaker: TimeoutBreaker?
    ) async throws -> Bool {
        let (lease, node) = try await SendingLease.new(app: app, context)
        let request = try await database.write { [self] in
            try requestLease(lease, for: node, sender, breaker, on: $0)
        }
        switch request {
        case .nothingDue: return true
        case .heldByAnotherNode: return false
        case .acquired(let run):
            let result = await lease.whileHeld { await send(run) }
            try await lease.release()
            return try result.get()
        }
    }

    private func requestLease(
        _ lease: SendingLease, for node: Int64, _ sender: any NotificationSender, _ breaker: TimeoutBreaker?,
        on connection: any Connection
    ) throws -> LeaseRequest {
        let app = lease.app
        let now = try clock.now(on: connection)
        guard let entry = try catalog.entry(number: app, on: connection),
            let settings = entry.notifications[environment.id],
            try NotificationsTable.hasDue(until: now, app: app, environment.id, on: connection)
        else { return .nothingDue }
        guard try lease.acquire(for: node, on: connection) else { return .heldByAnotherNode }
        try NotificationsTable.purge(before: now + -Self.historyDuration, app: app, environment.id, on: connection)
        return .acquired(
            SendingRun(
                notifications: self, sender: sender, settings: settings, entry: entry, until: now, lease: lease,
                breaker: breaker))
    }

    private func send(_ run: SendingRun) async -> Result<Bool, any Error> {
        do {
            try await run.send()
            return .success(true)
        } catch is LeaseLost {
            logger.notice("another node has taken over an app's notifications", metadata: ["app": "\(run.lease.app)"])
            return .success(false)
        } catch {
            return .failure(error)
        }
    }

    /// Attempts all due notifications of the environment, in parallel for its apps. Waits for another node that is sending
    /// them: until it is done, or until it is dead.
    package func sendDue() async throws {
        try await sendDue(breaker: nil)
    }

    func sendDue(breaker: TimeoutBreaker?) async throws {
        let apps = try await notifiedApps()
        try await withThrowingDiscardingTaskGroup { group in
            for app in apps {
                group.addTask { [self] in
                    while try await !sendDue(app: app, breaker: breaker) {
                        try await context.nodes.observe()
                        try await leasePollInterval()
                        try Task.checkCancellation()
                    }
                }
            }
        }
    }

    /// Returns true if an app wants notifications from this environment, and they can be sent.
    func areWanted() async throws -> Bool {
        guard sender != nil else { return false }
        return try await !notifiedApps().isEmpty
    }

    /// Returns the apps that want notifications from this environment.
    private func notifiedApps() async throws -> [Int64] {
        try await database.read { [environment] in
            try NotificationSettingsTable.places(on: $0).filter { $0.environment == environment.id }.map(\.app)
        }
    }
}
