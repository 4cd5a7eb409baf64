import Perennial
import PerennialStorage

/// The state of sending one app's due notifications, and the jobs that can start next.
struct SendingStateMachine {
    /// The most notifications of one app in flight.
    private static let concurrency = 32
    /// The number of notifications that are signed before the first of them is sent.
    private static let batchSize = 256
    /// The number of notifications that one task signs.
    private static let signingTaskSize = 16
    /// The number of outcomes in one write if there are many.
    private static let writeBatchSize = 256
    /// The longest time that an outcome waits to be written with others, in milliseconds.
    private static let maximumWriteDelay: Int64 = 100
    /// The number of notifications in one read.
    static let pageSize = 512
    /// The most notifications waiting in memory.
    private static let maximumWaiting = 4 * pageSize

    /// A notification with its body; `nil` if it can't be signed.
    struct SignedNotification: Sendable {
        var record: NotificationRecord
        var body: [UInt8]?
    }

    enum Job: Sendable {
        case load(after: NotificationsTable.PageCursor)
        case sign([NotificationRecord])
        /// Makes sure that the lease is still held.
        case confirmLease
        case attempt(SignedNotification)
        case write([NotificationRecord])
    }

    /// The result of a job.
    enum Event: Sendable {
        case loaded([NotificationRecord])
        case signed([SignedNotification])
        case leaseConfirmed
        /// The notification after the attempt. Its outcome is unknown if the server stops first.
        case attempted(NotificationRecord, isKnown: Bool)
        case written([NotificationRecord])
    }

    private let until: Instant
    /// True if outcomes and signatures must be written before the subject's next notification is sent.
    private let requiresWrittenOutcomes: Bool
    private let lease: SendingLease
    private var queue = SendingQueue()
    /// The start of the next page; `nil` after the last.
    private var cursor: NotificationsTable.PageCursor? = .beginning
    private var isLoading = false
    private var signing = 0
    /// Notifications that can be posted.
    private var signed: ArraySlice<SignedNotification> = []
    private var isConfirmingLease = false
    private var inFlight = 0
    private var outcomes: [NotificationRecord] = []
    /// The time of the oldest outcome.
    private var firstOutcome: Instant?
    private var isWriting = false

    init(until: Instant, lease: SendingLease, requiresWrittenOutcomes: Bool) {
        self.until = until
        self.lease = lease
        self.requiresWrittenOutcomes = requiresWrittenOutcomes
    }

    mutating func complete(_ event: Event) {
        switch event {
        case .loaded(let records):
            isLoading = false
            for record in records { queue.add(record) }
            cursor =
                records.count < Self.pageSize
                ? nil : records.last.map { .init(due: $0.nextAttempt ?? until, key: $0.key) }
        case .signed(let more):
            signing -= more.count
            signed += more
        case .leaseConfirmed:
            isConfirmingLease = false
        case .attempted(let record, let isKnown):
            inFlight -= 1
            if !requiresWrittenOutcomes { queue.finish(record) }
            if isKnown { outcomes.append(record) }
        case .written(let records):
            isWriting = false
            if requiresWrittenOutcomes { for record in records { queue.finish(record) } }
        }
    }

    /// Dequeues the jobs that can start and marks them started.
    ///
    /// - Parameters:
    ///   - now: By the wall clock.
    ///   - isStopping: True to send nothing more and only write known outcomes.
    mutating func nextJobs(at now: Instant, isStopping: Bool) -> [Job] {
        var jobs: [Job] = []
        if !isStopping {
            if let cursor, !isLoading, needsMoreRecords {
                isLoading = true
                jobs.append(.load(after: cursor))
            }
            addAttempts(to: &jobs)
            addSigning(to: &jobs)
        }
        addWriting(to: &jobs, at: now)
        return jobs
    }

    /// Writes outcomes in batches as long as there is more to send, but none later than ``maximumWriteDelay``.
    private mutating func addWriting(to jobs: inout [Job], at now: Instant) {
        guard !isWriting, !outcomes.isEmpty else { return }
        let first = firstOutcome ?? now
        firstOutcome = first
        let isTime = outcomes.count >= Self.writeBatchSize || now - first >= Self.maximumWriteDelay
        guard isTime || !hasMoreToSend else { return }
        isWriting = true
        jobs.append(.write(outcomes))
        outcomes = []
        firstOutcome = nil
    }

    /// Starts attempts. A signed batch waits until its last part is being signed: notifications that are sent while the
    /// processors have little else to do arrive together and are answered together, which costs the network less.
    private mutating func addAttempts(to jobs: inout [Job]) {
        while signing <= Self.signingTaskSize, !isConfirmingLease, inFlight < Self.concurrency, !signed.isEmpty {
            guard lease.allowsAttempt else {
                isConfirmingLease = true
                return jobs.append(.confirmLease)
            }
            guard let next = signed.popFirst() else { return }
            inFlight += 1
            jobs.append(.attempt(next))
        }
    }

    private mutating func addSigning(to jobs: inout [Job]) {
        guard signing == 0, signed.count <= Self.concurrency else { return }
        var records: [NotificationRecord] = []
        while records.count < Self.batchSize, let record = queue.next() { records.append(record) }
        signing = records.count
        for start in stride(from: 0, to: records.count, by: Self.signingTaskSize) {
            jobs.append(.sign(Array(records[start..<min(start + Self.signingTaskSize, records.count)])))
        }
    }

    /// True if notifications wait that aren't in flight.
    private var hasMoreToSend: Bool { signing > 0 || !signed.isEmpty || queue.hasNext || isLoading }

    /// True if the next page is needed: soon, or at once if all waiting notifications wait for others of their
    /// subscription.
    private var needsMoreRecords: Bool {
        queue.count < Self.pageSize || (!queue.hasNext && queue.count < Self.maximumWaiting)
    }
}
