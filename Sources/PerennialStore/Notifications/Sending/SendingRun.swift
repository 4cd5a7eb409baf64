import AppStoreFormats
import Logging
import Perennial
import PerennialStorage
import Synchronization

/// Sends the due notifications of one app: many in parallel, in order within a subscription. Writes outcomes while further
/// attempts run.
struct SendingRun: Sendable {
    let notifications: Notifications
    let sender: any NotificationSender
    let settings: NotificationSettings
    let entry: CatalogCache.Entry
    let until: Instant
    let lease: SendingLease
    /// Set while a clock is being advanced, so that a receiver that never answers isn't waited for at every attempt.
    let breaker: TimeoutBreaker?

    /// Sends all due notifications. Reads and signs the next ones, and writes the outcomes of the last ones, while attempts
    /// run.
    ///
    /// - Throws: `StorageError`, `LeaseLost`. Notifications whose outcome isn't written are sent again later under
    ///   the same UUID.
    func send() async throws {
        // Replaying a stale notification reads it from the database.
        let shared = Shared(
            SendingStateMachine(until: until, lease: lease, requiresWrittenOutcomes: settings.faults?.stale == true),
            notifications.clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            repeat {
                for job in shared.nextJobs() { group.addTask { try await work(on: job, shared) } }
            } while try await group.next() != nil
        }
    }

    /// The state machine, shared by all tasks of a run.
    private final class Shared: Sendable {
        private let state: Mutex<(machine: SendingStateMachine, left: [SendingStateMachine.Job])>
        private let clock: StoreClock

        init(_ machine: SendingStateMachine, _ clock: StoreClock) {
            state = Mutex((machine, []))
            self.clock = clock
        }

        /// Dequeues the jobs that can start and marks them started.
        func nextJobs() -> [SendingStateMachine.Job] {
            state.withLock { state in
                defer { state.left = [] }
                return state.left + state.machine.nextJobs(at: clock.wallClockNow, isStopping: Task.isCancelled)
            }
        }

        /// Records the result of a job.
        ///
        /// - Returns: The job that the same task continues with; `nil` if there is none, or if there are several.
        func complete(_ event: SendingStateMachine.Event) -> SendingStateMachine.Job? {
            state.withLock { state in
                state.machine.complete(event)
                let jobs = state.machine.nextJobs(at: clock.wallClockNow, isStopping: Task.isCancelled)
                if jobs.count == 1 { return jobs[0] }
                state.left += jobs
                return nil
            }
        }
    }

    /// Performs a job and those that follow from it. Most attempts are followed by one other job, which needs no task of
    /// its own.
    private func work(on first: SendingStateMachine.Job, _ shared: Shared) async throws {
        var next: SendingStateMachine.Job? = first
        while let job = next { next = shared.complete(try await perform(job)) }
    }

    private func perform(_ job: SendingStateMachine.Job) async throws -> SendingStateMachine.Event {
        switch job {
        case .load(let mark): return .loaded(try await load(after: mark))
        case .sign(let records): return .signed(try await sign(records))
        case .confirmLease:
            try await lease.confirm()
            return .leaseConfirmed
        case .attempt(let notification): return try await attempt(notification)
        case .write(let records):
            try await write(records)
            return .written(records)
        }
    }

    private func load(after mark: NotificationsTable.PageCursor) async throws -> [NotificationRecord] {
        try await notifications.database.read { [app = entry.app.appleID, id = notifications.environment.id] in
            try NotificationsTable.due(
                until: until, after: mark, limit: SendingStateMachine.pageSize, app: app, id, on: $0)
        }
    }

    private func write(_ records: [NotificationRecord]) async throws {
        try await notifications.database.write {
            [app = entry.app.appleID, id = notifications.environment.id, lease] connection in
            try lease.check(on: connection)
            // In the order in which all transactions write them.
            let sorted = records.sorted { $0.key < $1.key }
            for record in sorted { try NotificationsTable.update(record, app: app, id, on: connection) }
            try NotificationResponsesTable.insert(newestOf: sorted, app: app, id, on: connection)
        }
    }

    private func sign(_ records: [NotificationRecord]) async throws -> [SendingStateMachine.SignedNotification] {
        var signed: [SendingStateMachine.SignedNotification] = []
        for record in records { signed.append(try await sign(record)) }
        return signed
    }

    /// Signs a notification. One that can't be signed gets no body and is given up later, so that it holds up no other.
    private func sign(_ record: NotificationRecord) async throws -> SendingStateMachine.SignedNotification {
        var record = record
        do {
            let body = try await body(of: &record)
            return .init(record: record, body: body)
        } catch let error as StorageError where error.code != .corrupt {
            throw error
        } catch {
            notifications.logger.error(
                "a notification can't be made", metadata: ["uuid": "\(record.uuid)", "error": "\(error)"])
            return .init(record: record, body: nil)
        }
    }

    /// Attempts a notification and schedules its next attempt.
    private func attempt(_ notification: SendingStateMachine.SignedNotification) async throws
        -> SendingStateMachine.Event
    {
        var record = notification.record
        guard let body = notification.body else {
            recordOutcome(NotificationOutcome(.other), in: &record)
            record.nextAttempt = nil
            return .attempted(record, isKnown: true)
        }
        guard !Task.isCancelled else { return .attempted(record, isKnown: false) }
        let outcome = try await postWithFaults(body, record)
        if Task.isCancelled { return .attempted(record, isKnown: false) }
        recordOutcome(outcome, in: &record)
        return .attempted(record, isKnown: true)
    }

    func body(of record: inout NotificationRecord) async throws -> [UInt8] {
        guard record.version == NotificationSettings.Version.two.rawValue else {
            return try await notifications.version1Body(record, entry)
        }
        let signing = NotificationSigning(
            signer: notifications.signing.jws, app: entry.app, environment: notifications.environment)
        return try NotificationBody.encoded { record.signatures = try signing.sign(record, to: &$0) }
    }

    private func recordOutcome(_ outcome: NotificationOutcome, in record: inout NotificationRecord) {
        let now = notifications.clock.realTimeNow ?? until
        record.attempts.append(
            .init(
                at: now, result: outcome.result.rawValue, httpStatus: outcome.httpStatus.map(Int64.init),
                response: outcome.response))
        let schedule = settings.retrySchedule(notifications.environment.kind)
        let hasArrived = record.attempts.contains { $0.result == SendAttemptResult.success.rawValue }
        let step = record.attempts.count - 1
        record.nextAttempt = hasArrived || step >= schedule.count ? nil : now + schedule[step]
        report(record, outcome)
    }

    /// Posts a notification with its injected faults.
    private func postWithFaults(_ body: [UInt8], _ record: NotificationRecord) async throws -> NotificationOutcome {
        guard let faults = settings.faults else { return await post(body) }
        let (position, part) = (record.key.position, record.key.part)
        guard !faults.drops(attempt: record.attempts.count, position, part) else {
            return NotificationOutcome(.timedOut)
        }
        let outcome = await post(body)
        for _ in 0..<faults.copies(position, part) { _ = await post(body) }
        if faults.stale, record.attempts.isEmpty { try await replayPrevious(record, faults) }
        return outcome
    }

    private func replayPrevious(_ record: NotificationRecord, _ faults: FaultInjection) async throws {
        guard let id = record.originalID else { return }
        let before = try await notifications.database.read {
            [app = entry.app.appleID, environment = notifications.environment.id] in
            try NotificationsTable.last(before: record.key, of: id, app: app, environment, on: $0)
        }
        guard var stale = before, faults.replaysStale(stale.key.position, stale.key.part) else { return }
        _ = await post(try await body(of: &stale))
    }

    private func post(_ body: [UInt8]) async -> NotificationOutcome {
        let app = entry.app.appleID
        if breaker?.isOpen(app: app) == true { return NotificationOutcome(.timedOut) }
        let outcome = await sender.post(body, to: settings.url, timeout: settings.timeout)
        breaker?.record(outcome, app: app)
        return outcome
    }
}

/// Stops waiting for receivers that never answer while a clock is being advanced. Months pass in a moment then, but each
/// unanswered attempt takes its whole time-out in real time. So after a few time-outs in a row, a receiver counts as timed
/// out until the clock has arrived, without being asked.
final class TimeoutBreaker: Sendable {
    /// The number of time-outs in a row that opens the breaker.
    static let limit = 3

    /// Time-outs since the last answer, by app.
    private let consecutiveTimeouts = Mutex<[Int64: Int]>([:])

    func isOpen(app: Int64) -> Bool {
        consecutiveTimeouts.withLock { $0[app, default: 0] >= Self.limit }
    }

    func record(_ outcome: NotificationOutcome, app: Int64) {
        consecutiveTimeouts.withLock { consecutiveTimeouts in
            guard outcome.result == .timedOut else { return consecutiveTimeouts[app] = nil }
            consecutiveTimeouts[app, default: 0] += 1
        }
    }
}
