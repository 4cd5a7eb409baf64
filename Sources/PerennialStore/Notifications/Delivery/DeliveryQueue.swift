import Perennial
import PerennialStorage

/// Notifications of one app that wait for their attempt. Those of one subscription go one after the other, in the order in
/// which they came; those of different subscriptions go at once.
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
    private let keepsOrder: Bool
    /// How many notifications wait.
    private(set) var count = 0

    /// - Parameter keepsOrder: False where notifications of one subscription may overtake each other.
    init(keepsOrder: Bool = true) {
        self.keepsOrder = keepsOrder
    }

    mutating func add(_ record: NotificationRecord) {
        let subject = subject(of: record)
        count += 1
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
        return lines[subject]?.removeFirst()
    }

    mutating func finished(_ record: NotificationRecord) {
        let subject = subject(of: record)
        if lines[subject]?.isEmpty == true {
            lines[subject] = nil
        } else {
            ready.append(subject)
        }
    }

    private func subject(of record: NotificationRecord) -> Subject {
        guard keepsOrder, let id = record.originalID else { return .itself(record.key) }
        return .transaction(id)
    }
}
