import Perennial
import PerennialStorage

/// How far the delivery of what is due for one app is, and what can be done next.
struct DeliveryProgress {
    /// How many notifications of one app are on their way at once.
    private static let concurrency = 32
    /// How many are signed before the first of them is sent.
    private static let wave = 256
    /// How many one task signs.
    private static let signedTogether = 16
    /// How many outcomes are written at once where that many come soon.
    private static let writtenTogether = 256
    /// How long an outcome that is known waits for others, in milliseconds.
    private static let longestWait: Int64 = 100
    /// How many are read from the database at once.
    static let page = 512
    /// How many may wait in memory.
    private static let waitingMax = 4 * page

    /// A notification with what is to be posted; `nil` for what can't be made.
    struct Made: Sendable {
        var record: NotificationRecord
        var body: [UInt8]?
    }

    enum Job: Sendable {
        case load(after: NotificationsTable.DueMark)
        case make([NotificationRecord])
        /// To make the turn longer.
        case hold(DeliveryClaim)
        case attempt(Made)
        case write([NotificationRecord])
    }

    /// What came of a job.
    enum Event: Sendable {
        case loaded([NotificationRecord])
        case made([Made])
        case held(DeliveryClaim)
        /// The notification as it is then; not known where the server stops before there is an outcome.
        case attempted(NotificationRecord, isKnown: Bool)
        case written([NotificationRecord])
    }

    private let until: Instant
    /// Whether what is sent has to be in the database, with its signatures, before the next one of its subject is.
    private let isReadAgain: Bool
    private var claim: DeliveryClaim
    private var queue = DeliveryQueue()
    /// Where the next page begins; there is none where it is nil.
    private var mark: NotificationsTable.DueMark? = .beginning
    private var isLoading = false
    private var making = 0
    /// What can be posted at once.
    private var made: ArraySlice<Made> = []
    private var isHolding = false
    private var flying = 0
    private var outcomes: [NotificationRecord] = []
    /// When the first of them came.
    private var firstOutcome: Instant?
    private var isWriting = false

    init(until: Instant, claim: DeliveryClaim, isReadAgain: Bool) {
        self.until = until
        self.claim = claim
        self.isReadAgain = isReadAgain
    }

    mutating func take(_ event: Event) {
        switch event {
        case .loaded(let records):
            isLoading = false
            for record in records { queue.add(record) }
            mark =
                records.count < Self.page
                ? nil : records.last.map { .init(due: $0.nextAttempt ?? until, key: $0.key) }
        case .made(let more):
            making -= more.count
            made += more
        case .held(let longer):
            isHolding = false
            claim = longer
        case .attempted(let record, let isKnown):
            flying -= 1
            if !isReadAgain { queue.finished(record) }
            if isKnown { outcomes.append(record) }
        case .written(let records):
            isWriting = false
            if isReadAgain { for record in records { queue.finished(record) } }
        }
    }

    /// All that can be begun now, which counts as begun.
    ///
    /// - Parameters:
    ///   - now: By the world's clock.
    ///   - isStopping: Then nothing more is sent, and only what is known is written.
    mutating func next(at now: Instant, isStopping: Bool) -> [Job] {
        var jobs: [Job] = []
        if !isStopping {
            if let mark, !isLoading, isShort {
                isLoading = true
                jobs.append(.load(after: mark))
            }
            addAttempts(to: &jobs, at: now)
            addMaking(to: &jobs)
        }
        addWriting(to: &jobs, at: now)
        return jobs
    }

    /// Where more is to be sent, outcomes are written many at a time: not each by itself, nor late.
    private mutating func addWriting(to jobs: inout [Job], at now: Instant) {
        guard !isWriting, !outcomes.isEmpty else { return }
        let first = firstOutcome ?? now
        firstOutcome = first
        let isTime = outcomes.count >= Self.writtenTogether || now - first >= Self.longestWait
        guard isTime || !hasMoreToSend else { return }
        isWriting = true
        jobs.append(.write(outcomes))
        outcomes = []
        firstOutcome = nil
    }

    /// All of a wave waits until its last part is being signed: what is sent while little else wants the processors arrives
    /// together, is answered together, and costs the network less than one after the other.
    private mutating func addAttempts(to jobs: inout [Job], at now: Instant) {
        while making <= Self.signedTogether, !isHolding, flying < Self.concurrency, !made.isEmpty {
            guard claim.isLongEnough(at: now) else {
                isHolding = true
                return jobs.append(.hold(claim))
            }
            guard let next = made.popFirst() else { return }
            flying += 1
            jobs.append(.attempt(next))
        }
    }

    private mutating func addMaking(to jobs: inout [Job]) {
        guard making == 0, made.count <= Self.concurrency else { return }
        var records: [NotificationRecord] = []
        while records.count < Self.wave, let record = queue.next() { records.append(record) }
        making = records.count
        for start in stride(from: 0, to: records.count, by: Self.signedTogether) {
            jobs.append(.make(Array(records[start..<min(start + Self.signedTogether, records.count)])))
        }
    }

    /// Besides what is under way.
    private var hasMoreToSend: Bool { making > 0 || !made.isEmpty || queue.hasNext || isLoading }

    /// Whether the next page is wanted: soon, or at once where all that waits is behind others of its subscription.
    private var isShort: Bool {
        queue.count < Self.page || (!queue.hasNext && queue.count < Self.waitingMax)
    }
}
