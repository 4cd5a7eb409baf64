import AppStoreFormats
import Logging
import Perennial
import PerennialStorage
import Synchronization

/// Sends what is due for one app: many at once, in order within a subscription, and writes what became of it while further
/// attempts run.
struct DeliveryRun: Sendable {
    let store: Store
    let sender: any NotificationSender
    let settings: NotificationSettings
    let entry: CatalogCache.Entry
    let until: Instant
    let claim: DeliveryClaim
    /// Where a clock is being moved, which doesn't wait again and again for a receiver that never answers.
    let patience: DeliveryPatience?

    /// While attempts run, the next ones are read and signed, and the outcomes of the last ones are written.
    ///
    /// - Throws: `StorageError`, `DeliveryClaim.Lost`; what was sent and not written is sent again later, under the same UUID.
    func deliver() async throws {
        // A notification that is sent once more, behind the next one, is read for it.
        let shared = Shared(
            DeliveryProgress(until: until, claim: claim, isReadAgain: settings.trouble?.stale == true), store.clock)
        try await withThrowingTaskGroup(of: Void.self) { group in
            repeat {
                for job in shared.begin() { group.addTask { try await work(on: job, shared) } }
            } while try await group.next() != nil
        }
    }

    /// The progress that all tasks of a run have in common.
    private final class Shared: Sendable {
        private let state: Mutex<(progress: DeliveryProgress, left: [DeliveryProgress.Job])>
        private let clock: StoreClock

        init(_ progress: DeliveryProgress, _ clock: StoreClock) {
            state = Mutex((progress, []))
            self.clock = clock
        }

        /// All that nobody does yet.
        func begin() -> [DeliveryProgress.Job] {
            state.withLock { state in
                defer { state.left = [] }
                return state.left + state.progress.next(at: clock.world, isStopping: Task.isCancelled)
            }
        }

        /// - Returns: What whoever did the last job goes on with; `nil` where there is nothing, or enough for several.
        func follow(_ event: DeliveryProgress.Event) -> DeliveryProgress.Job? {
            state.withLock { state in
                state.progress.take(event)
                let jobs = state.progress.next(at: clock.world, isStopping: Task.isCancelled)
                if jobs.count == 1 { return jobs[0] }
                state.left += jobs
                return nil
            }
        }
    }

    /// Does a job, and what follows from it: most attempts are followed by another one, and need no task of their own.
    private func work(on first: DeliveryProgress.Job, _ shared: Shared) async throws {
        var next: DeliveryProgress.Job? = first
        while let job = next { next = shared.follow(try await perform(job)) }
    }

    private func perform(_ job: DeliveryProgress.Job) async throws -> DeliveryProgress.Event {
        switch job {
        case .load(let mark): return .loaded(try await load(after: mark))
        case .make(let records): return .made(try await make(records))
        case .hold(let claim): return .held(try await claim.extended())
        case .attempt(let made): return try await attempted(made)
        case .write(let records):
            try await write(records)
            return .written(records)
        }
    }

    private func load(after mark: NotificationsTable.DueMark) async throws -> [NotificationRecord] {
        try await store.database.read { [app = entry.app.appleID, id = store.environment.id] in
            try NotificationsTable.due(until: until, after: mark, limit: DeliveryProgress.page, app: app, id, on: $0)
        }
    }

    private func write(_ records: [NotificationRecord]) async throws {
        try await store.database.write { [app = entry.app.appleID, id = store.environment.id, claim] connection in
            try claim.check(on: connection)
            for record in records { try NotificationsTable.update(record, app: app, id, on: connection) }
        }
    }

    private func make(_ records: [NotificationRecord]) async throws -> [DeliveryProgress.Made] {
        var made: [DeliveryProgress.Made] = []
        for record in records { made.append(try await make(record)) }
        return made
    }

    /// What can't be made into a notification is given up, so that it holds up nothing else.
    private func make(_ record: NotificationRecord) async throws -> DeliveryProgress.Made {
        var record = record
        do {
            let body = try await body(of: &record)
            return .init(record: record, body: body)
        } catch let error as StorageError where error.code != .corrupt {
            throw error
        } catch {
            store.logger.error(
                "a notification can't be made", metadata: ["uuid": "\(record.uuid)", "error": "\(error)"])
            return .init(record: record, body: nil)
        }
    }

    /// One attempt, and what follows from its outcome.
    private func attempted(_ made: DeliveryProgress.Made) async throws -> DeliveryProgress.Event {
        var record = made.record
        guard let body = made.body else {
            note(NotificationOutcome(.other), in: &record)
            record.nextAttempt = nil
            return .attempted(record, isKnown: true)
        }
        guard !Task.isCancelled else { return .attempted(record, isKnown: false) }
        let outcome = try await post(body, record)
        if Task.isCancelled { return .attempted(record, isKnown: false) }
        note(outcome, in: &record)
        return .attempted(record, isKnown: true)
    }

    func body(of record: inout NotificationRecord) async throws -> [UInt8] {
        guard record.version == NotificationSettings.Version.two.rawValue else {
            return try await store.notificationV1Body(record, entry)
        }
        let signing = NotificationSigning(signer: store.signing.jws, app: entry.app, environment: store.environment)
        return try NotificationBody.encoded { record.signatures = try signing.sign(record, to: &$0) }
    }

    private func note(_ outcome: NotificationOutcome, in record: inout NotificationRecord) {
        let now = store.clock.wall ?? until
        record.attempts.append(
            .init(at: now, result: outcome.result.rawValue, httpStatus: outcome.httpStatus.map(Int64.init)))
        let ladder = settings.ladder(store.environment.kind)
        let hasArrived = record.attempts.contains { $0.result == SendAttemptResult.success.rawValue }
        let step = record.attempts.count - 1
        record.nextAttempt = hasArrived || step >= ladder.count ? nil : now + ladder[step]
    }

    /// Sends it, with all that is to go wrong on the way.
    private func post(_ body: [UInt8], _ record: NotificationRecord) async throws -> NotificationOutcome {
        guard let trouble = settings.trouble else { return await post(body) }
        let (position, part) = (record.key.position, record.key.part)
        guard !trouble.drops(attempt: record.attempts.count, position, part) else {
            return NotificationOutcome(.timedOut)
        }
        let outcome = await post(body)
        for _ in 0..<trouble.copies(position, part) { _ = await post(body) }
        if trouble.stale, record.attempts.isEmpty { try await postAgainBefore(record, trouble) }
        return outcome
    }

    private func postAgainBefore(_ record: NotificationRecord, _ trouble: NotificationTrouble) async throws {
        guard let id = record.originalID else { return }
        let before = try await store.database.read { [app = entry.app.appleID, environment = store.environment.id] in
            try NotificationsTable.last(before: record.key, of: id, app: app, environment, on: $0)
        }
        guard var stale = before, trouble.sendsAgain(stale.key.position, stale.key.part) else { return }
        _ = await post(try await body(of: &stale))
    }

    private func post(_ body: [UInt8]) async -> NotificationOutcome {
        let app = entry.app.appleID
        if patience?.isOver(app: app) == true { return NotificationOutcome(.timedOut) }
        let outcome = await sender.post(body, to: settings.url, timeout: settings.timeout)
        patience?.note(outcome, app: app)
        return outcome
    }
}
