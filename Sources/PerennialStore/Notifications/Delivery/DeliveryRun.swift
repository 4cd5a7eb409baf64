import AppStoreFormats
import Logging
import Perennial
import PerennialStorage

/// Sends what is due for one app: many at once, in order within a subscription, and writes what became of it while further
/// attempts run.
struct DeliveryRun: Sendable {
    /// How many notifications of one app are on their way at once.
    static let concurrency = 32
    /// How many one task signs.
    private static let signedTogether = 8
    /// How many are read from the database at once.
    static let page = 512
    /// How many may wait in memory.
    static let waitingMax = 4 * page

    let store: Store
    let sender: any NotificationSender
    let settings: NotificationSettings
    let entry: CatalogCache.Entry
    let until: Instant
    let claim: DeliveryClaim
    /// Where a clock is being moved, which doesn't wait again and again for a receiver that never answers.
    let patience: DeliveryPatience?

    /// A notification with what is to be posted; `nil` for what can't be made.
    private typealias Made = (record: NotificationRecord, body: [UInt8]?)

    private enum Event: Sendable {
        case loaded([NotificationRecord])
        case made([Made])
        /// The notification as it is then; not known where the server stops before there is an outcome.
        case attempted(NotificationRecord, isKnown: Bool)
        case written([NotificationRecord])
    }

    /// How far everything is.
    private struct Progress {
        var queue: DeliveryQueue
        /// Where the next page begins; there is none where it is nil.
        var mark: NotificationsTable.DueMark? = .beginning
        var isLoading = false
        var making = 0
        /// What can be posted at once.
        var made: [Made] = []
        var flying = 0
        var outcomes: [NotificationRecord] = []
        var isWriting = false

        /// Besides what is under way.
        var hasMoreToSend: Bool { making > 0 || !made.isEmpty || queue.hasNext || isLoading }
    }

    /// While attempts run, the next ones are read and signed, and the outcomes of the last ones are written.
    ///
    /// - Throws: `StorageError`, `DeliveryClaim.Lost`; what was sent and not written is sent again later, under the same UUID.
    func deliver() async throws {
        try await withThrowingTaskGroup(of: Event.self) { group in
            var claim = claim
            var progress = Progress(queue: DeliveryQueue())
            while true {
                try await start(&progress, &claim, in: &group)
                guard let event = try await group.next() else { return }
                take(event, into: &progress)
            }
        }
    }

    /// Starts all that can be done now.
    private func start(
        _ progress: inout Progress, _ claim: inout DeliveryClaim, in group: inout ThrowingTaskGroup<Event, any Error>
    ) async throws {
        if let last = progress.mark, !progress.isLoading, isShort(progress.queue), !Task.isCancelled {
            progress.isLoading = true
            group.addTask { .loaded(try await load(after: last)) }
        }
        // Bodies wait for attempts, not attempts for signatures, and all of a wave for its last: what is sent together
        // arrives together and is answered together, and costs the network less than one after the other.
        while progress.making == 0, progress.flying < Self.concurrency, !Task.isCancelled, !progress.made.isEmpty {
            let next = progress.made.removeFirst()
            try await claim.holdForAttempt()
            progress.flying += 1
            group.addTask { try await attempted(next) }
        }
        if progress.making == 0, progress.made.count <= Self.concurrency / 2, !Task.isCancelled {
            var records: [NotificationRecord] = []
            while records.count + progress.made.count < Self.concurrency, let record = progress.queue.next() {
                records.append(record)
            }
            progress.making = records.count
            for start in stride(from: 0, to: records.count, by: Self.signedTogether) {
                let part = Array(records[start..<min(start + Self.signedTogether, records.count)])
                group.addTask { .made(try await make(part)) }
            }
        }
        // Where more is to be sent, not each by itself, nor much later than the attempts that run now.
        if !progress.isWriting, !progress.outcomes.isEmpty,
            progress.outcomes.count >= 2 * progress.flying || !progress.hasMoreToSend
        {
            progress.isWriting = true
            group.addTask { [outcomes = progress.outcomes] in
                try await write(outcomes)
                return .written(outcomes)
            }
            progress.outcomes = []
        }
    }

    private func take(_ event: Event, into progress: inout Progress) {
        // What is sent once more, behind the next one, has to be there with its signatures by then.
        let readsBefore = settings.trouble?.stale == true
        switch event {
        case .loaded(let records):
            progress.isLoading = false
            for record in records { progress.queue.add(record) }
            progress.mark =
                records.count < Self.page
                ? nil : records.last.map { .init(due: $0.nextAttempt ?? until, key: $0.key) }
        case .made(let made):
            progress.making -= made.count
            progress.made += made
        case .attempted(let record, let isKnown):
            progress.flying -= 1
            if !readsBefore { progress.queue.finished(record) }
            if isKnown { progress.outcomes.append(record) }
        case .written(let records):
            progress.isWriting = false
            if readsBefore { for record in records { progress.queue.finished(record) } }
        }
    }

    /// Whether the next page is wanted: soon, or at once where all that waits is behind others of its subscription.
    private func isShort(_ queue: DeliveryQueue) -> Bool {
        queue.count < Self.page || (!queue.hasNext && queue.count < Self.waitingMax)
    }

    private func load(after mark: NotificationsTable.DueMark) async throws -> [NotificationRecord] {
        try await store.database.read { [app = entry.app.appleID, id = store.environment.id] in
            try NotificationsTable.due(until: until, after: mark, limit: Self.page, app: app, id, on: $0)
        }
    }

    private func write(_ records: [NotificationRecord]) async throws {
        try await store.database.write { [app = entry.app.appleID, id = store.environment.id, claim] connection in
            try claim.check(on: connection)
            for record in records { try NotificationsTable.update(record, app: app, id, on: connection) }
        }
    }

    private func make(_ records: [NotificationRecord]) async throws -> [Made] {
        var made: [Made] = []
        for record in records { made.append(try await make(record)) }
        return made
    }

    /// What can't be made into a notification is given up, so that it holds up nothing else.
    private func make(_ record: NotificationRecord) async throws -> Made {
        var record = record
        do {
            let body = try await body(of: &record)
            return (record, body)
        } catch let error as StorageError where error.code != .corrupt {
            throw error
        } catch {
            store.logger.error(
                "a notification can't be made", metadata: ["uuid": "\(record.uuid)", "error": "\(error)"])
            return (record, nil)
        }
    }

    /// One attempt, and what follows from its outcome.
    private func attempted(_ made: Made) async throws -> Event {
        var record = made.record
        guard let body = made.body else {
            note(NotificationOutcome(.other), in: &record)
            record.nextAttempt = nil
            return .attempted(record, isKnown: true)
        }
        let outcome = try await post(body, record)
        if Task.isCancelled { return .attempted(record, isKnown: false) }
        note(outcome, in: &record)
        return .attempted(record, isKnown: true)
    }

    func body(of record: inout NotificationRecord) async throws -> [UInt8] {
        guard record.version == NotificationSettings.Version.two.rawValue else {
            return try await store.notificationV1Body(record, entry)
        }
        let signed = try NotificationSigning(
            signer: store.signing.jws, app: entry.app, environment: store.environment
        ).sign(record)
        record.signatures = signed.signatures
        return NotificationBody(signedPayload: signed.payload).encoded()
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
