import AppStoreFormats
import Perennial
import PerennialStorage

/// Notifications of one app that wait for their attempt. Those of one subscription go one after the other, in the order in
/// which they came; those of different subscriptions go at once. The summary of a mass extension goes behind all that it
/// sums up.
struct DeliveryQueue {
    /// Whom a notification is about: those of one subject keep their order.
    enum Subject: Hashable {
        case transaction(TransactionID)
        /// Nobody else's.
        case itself(NotificationRecord.Key)
    }

    private var lines: [Subject: [NotificationRecord]] = [:]
    /// Whose next notification may go, first come, first served; what was taken lies before `nextReady`.
    private var ready: [Subject] = []
    private var nextReady = 0
    /// What was taken and isn't finished.
    private var underWay: Set<NotificationRecord.Key> = []
    private var summaries: [Summary] = []
    /// How many notifications wait.
    private(set) var count = 0

    private struct Summary {
        let record: NotificationRecord
        /// What came before it and isn't finished.
        var before: Set<NotificationRecord.Key>
    }

    mutating func add(_ record: NotificationRecord) {
        count += 1
        guard record.isSummary else { return lineUp(record) }
        let unfinished = underWay.union(lines.values.joined().map(\.key))
        let before = unfinished.filter { $0 < record.key }
        if before.isEmpty { lineUp(record) } else { summaries.append(Summary(record: record, before: before)) }
    }

    private mutating func lineUp(_ record: NotificationRecord) {
        let subject = subject(of: record)
        if lines[subject]?.append(record) == nil {
            lines[subject] = [record]
            ready.append(subject)
        }
    }

    /// Whether there is a notification whose turn it is.
    var hasNext: Bool { nextReady < ready.count }

    /// Takes a notification whose turn it is; its subject's next one follows once this one is ``finished(_:)``.
    mutating func next() -> NotificationRecord? {
        guard hasNext else { return nil }
        let subject = ready[nextReady]
        nextReady += 1
        if nextReady == ready.count {
            ready.removeAll(keepingCapacity: true)
            nextReady = 0
        }
        count -= 1
        let record = lines[subject]?.removeFirst()
        if let record { underWay.insert(record.key) }
        return record
    }

    mutating func finished(_ record: NotificationRecord) {
        let subject = subject(of: record)
        if lines[subject]?.isEmpty == true {
            lines[subject] = nil
        } else {
            ready.append(subject)
        }
        underWay.remove(record.key)
        if !summaries.isEmpty { followUp(record.key) }
    }

    /// Lines up the summaries for which nothing else was left to wait.
    private mutating func followUp(_ finished: NotificationRecord.Key) {
        for index in summaries.indices { summaries[index].before.remove(finished) }
        for summary in summaries where summary.before.isEmpty { lineUp(summary.record) }
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
