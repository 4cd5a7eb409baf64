import AppStoreFormats
import Perennial
import PerennialStorage

/// Notifications of one app that wait for their attempt. Those of one subscription are sent one after the other in order,
/// those of different subscriptions in parallel. The summary of a mass extension follows all notifications that it sums up.
struct SendingQueue {
    /// The subject of a notification. Notifications of one subject keep their order.
    enum Subject: Hashable {
        case transaction(TransactionID)
        /// A notification without a subject.
        case itself(NotificationRecord.Key)
    }

    private var waiting: [Subject: [NotificationRecord]] = [:]
    /// Subjects whose next notification can be sent, in FIFO order. Those before `nextReady` are taken.
    private var ready: [Subject] = []
    private var nextReady = 0
    /// Notifications that are taken and not finished.
    private var inFlight: Set<NotificationRecord.Key> = []
    private var summaries: [Summary] = []
    /// The number of waiting notifications.
    private(set) var count = 0

    private struct Summary {
        let record: NotificationRecord
        /// Earlier notifications that aren't finished.
        var before: Set<NotificationRecord.Key>
    }

    mutating func add(_ record: NotificationRecord) {
        count += 1
        guard record.isSummary else { return enqueue(record) }
        let unfinished = inFlight.union(waiting.values.joined().map(\.key))
        let before = unfinished.filter { $0 < record.key }
        if before.isEmpty { enqueue(record) } else { summaries.append(Summary(record: record, before: before)) }
    }

    private mutating func enqueue(_ record: NotificationRecord) {
        let subject = subject(of: record)
        if waiting[subject]?.append(record) == nil {
            waiting[subject] = [record]
            ready.append(subject)
        }
    }

    /// True if a notification can be sent.
    var hasNext: Bool { nextReady < ready.count }

    /// Dequeues a notification. Its subject's next one follows after ``finish(_:)``.
    mutating func next() -> NotificationRecord? {
        guard hasNext else { return nil }
        let subject = ready[nextReady]
        nextReady += 1
        if nextReady == ready.count {
            ready.removeAll(keepingCapacity: true)
            nextReady = 0
        }
        count -= 1
        let record = waiting[subject]?.removeFirst()
        if let record { inFlight.insert(record.key) }
        return record
    }

    mutating func finish(_ record: NotificationRecord) {
        let subject = subject(of: record)
        if waiting[subject]?.isEmpty == true {
            waiting[subject] = nil
        } else {
            ready.append(subject)
        }
        inFlight.remove(record.key)
        if !summaries.isEmpty { releaseSummaries(record.key) }
    }

    /// Enqueues the summaries that wait for no other notification any more.
    private mutating func releaseSummaries(_ finished: NotificationRecord.Key) {
        for index in summaries.indices { summaries[index].before.remove(finished) }
        for summary in summaries where summary.before.isEmpty { enqueue(summary.record) }
        summaries.removeAll { $0.before.isEmpty }
    }

    private func subject(of record: NotificationRecord) -> Subject {
        record.originalID.map(Subject.transaction) ?? .itself(record.key)
    }
}

extension NotificationRecord {
    fileprivate var isSummary: Bool {
        type == NotificationType.renewalExtension.rawValue && subtype == "SUMMARY"
    }
}
