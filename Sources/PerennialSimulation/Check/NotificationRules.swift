import Perennial
import PerennialStore

/// The rules on notifications: each event is notified, at least once, and those of a subscription in the journal's order.
struct NotificationRules {
    /// The states of ``SendingState`` that a check looks at.
    private static let delivered = "delivered"
    private static let waiting = "waiting"
    private static let succeeded = "SUCCESS"
    /// The statuses that accept a notification (docs/reference/notifications.md).
    private static let accepted = 200...206

    /// The age at which an environment of kind Sandbox may have removed a notification from its history, less a day.
    private static let historyDays: Int64 = 29

    private(set) var violations: [HistoryCheck.Violation] = []
    private(set) var undecided: [HistoryCheck.Undecided] = []
    private var arrivals: [String: [SeenNotification]] = [:]
    /// Events before it may have left the list of notifications.
    private let horizon: Instant

    /// A notification's kind and transaction, which tell the entries of one subscription apart.
    fileprivate struct Subject: Hashable {
        var type: String
        var subtype: String?
        var transaction: String
    }

    init(_ histories: [RecordedHistory], _ journal: SharedJournal) {
        let isNamed = histories.count > 1
        let latest = histories.filter(\.header.isManual).compactMap {
            Advances($0, isNamed: isNamed).reached(before: .max)?.time
        }.max()
        horizon = latest.map { $0 + -.days(Self.historyDays) } ?? .beginningOfTime
        var list: SeenNotification?
        var listing = 0
        for (index, history) in histories.enumerated() {
            for operation in history.operations {
                let witness = SeenNotification(history, operation, isNamed: isNamed)
                if case .notified(let notification, _) = operation.request {
                    arrivals[notification.uuid, default: []].append(witness)
                } else if case .sent = operation.answer, operation.begin >= list?.operation.begin ?? 0 {
                    (list, listing) = (witness, index)
                }
            }
        }
        checkBytes()
        guard let list, case .sent(let sent) = list.operation.answer else { return }
        let types = histories.reduce(into: [:]) { $0.merge($1.header.products) { first, _ in first } }
        checkEntries(journal, types, list, sent, listing)
        checkArrivals(list, sent)
        checkArrivalOrder(sent, list)
    }

    private mutating func report(_ rule: StoreRule, _ what: String, _ witnesses: [SeenNotification]) {
        violations.append(HistoryCheck.Violation(rule, what, witnesses))
    }

    // MARK: - Delivery

    private mutating func checkBytes() {
        for (uuid, copies) in arrivals.sorted(by: { $0.key < $1.key }) {
            let first = copies.first
            guard let other = copies.first(where: { Self.body($0) != first.flatMap(Self.body) }), let first else {
                continue
            }
            report(.lostNotification, "the notification \(uuid) arrived with other contents", [first, other])
        }
    }

    private static func body(_ witness: SeenNotification) -> RecordedNotification? {
        if case .notified(let notification, _) = witness.operation.request { return notification }
        return nil
    }

    /// Checks that what is listed as delivered has arrived, and that what has arrived is listed.
    private mutating func checkArrivals(_ list: SeenNotification, _ sent: [RecordedNotification]) {
        for notification in sent where notification.state == Self.delivered {
            let isAccepted = arrivals[notification.uuid]?.contains { witness in
                if case .notified(_, let status) = witness.operation.request { return Self.accepted.contains(status) }
                return false
            }
            guard isAccepted != true else { continue }
            report(.lostNotification, "\(notification) is delivered to the store, and hasn't arrived", [list])
        }
        let listed = Set(sent.map(\.uuid))
        for (uuid, copies) in arrivals.sorted(by: { $0.key < $1.key }) where !listed.contains(uuid) {
            guard let first = copies.first, first.operation.end < list.operation.begin,
                Self.body(first).map({ $0.signed >= horizon.milliseconds }) ?? true
            else { continue }
            report(.lostNotification, "\(uuid) has arrived, and the store doesn't list it", [first, list])
        }
        let waiting = sent.count { $0.state == Self.waiting }
        guard waiting > 0 else { return }
        undecided.append(HistoryCheck.Undecided(what: "\(waiting) notifications weren't sent before the history's end"))
    }

    // MARK: - Order

    /// Checks that each entry has its notification, and that signed dates of a subscription follow the journal.
    private mutating func checkEntries(
        _ journal: SharedJournal, _ types: [String: String], _ list: SeenNotification, _ sent: [RecordedNotification],
        _ listing: Int
    ) {
        var listed = Dictionary(grouping: sent) { Subject($0) }.mapValues { $0.sorted { $0.signed < $1.signed }[...] }
        var newest: [String: (signed: Int64, position: Int64)] = [:]
        for seen in journal.ordered {
            let entry = seen.entry
            guard let subject = Subject(entry, types[entry.product ?? ""]), let kind = seen.kind,
                kind.notification(isFree: false) != nil
            else { continue }
            guard let notification = listed[subject]?.popFirst() else {
                guard let since = seen.since[listing], since < list.operation.begin,
                    Instant(rfc3339: entry.at).map({ $0 >= horizon }) ?? true
                else { continue }
                report(
                    .lostNotification,
                    "the store lists no \(subject.type) for the entry at \(entry.position), \(entry)",
                    [seen.reader, list])
                continue
            }
            guard let group = entry.original ?? entry.transaction else { continue }
            if let before = newest[group], notification.signed <= before.signed {
                report(
                    .notificationOrder,
                    "\(notification) for the entry at \(entry.position) is signed at \(notification.signed), and that for "
                        + "\(before.position) at \(before.signed)", [seen.reader, list])
            }
            newest[group] = (max(notification.signed, newest[group]?.signed ?? .min), entry.position)
        }
    }

    /// Checks that first arrivals follow the signed dates, except after an attempt that failed.
    private mutating func checkArrivalOrder(_ sent: [RecordedNotification], _ list: SeenNotification) {
        for (_, group) in Dictionary(grouping: sent, by: { $0.original ?? $0.transaction ?? $0.uuid })
            .sorted(by: { $0.key < $1.key })
        {
            var latest: SeenNotification?
            for notification in group.sorted(by: { ($0.signed, $0.uuid) < ($1.signed, $1.uuid) }) {
                let copies = arrivals[notification.uuid] ?? []
                guard let first = copies.min(by: { $0.operation.begin < $1.operation.begin }) else { continue }
                if let latest, first.operation.begin < latest.operation.begin {
                    report(
                        .notificationOrder, "\(notification) arrived before an older one of its subscription",
                        [first, latest])
                    break
                }
                let hasFailed = notification.attempts?.contains { $0 != Self.succeeded } ?? false
                let wasRefused = copies.contains {
                    if case .notified(_, let status) = $0.operation.request {
                        !Self.accepted.contains(status)
                    } else {
                        false
                    }
                }
                if !hasFailed, !wasRefused { latest = first }
            }
        }
    }
}

extension NotificationRules.Subject {
    fileprivate init(_ notification: RecordedNotification) {
        self.init(
            type: notification.type, subtype: notification.subtype, transaction: notification.transaction ?? "")
    }

    /// The notification of a journal entry; `nil` if it has none.
    fileprivate init?(_ entry: RecordedEntry, _ productType: String?) {
        guard let kind = JournalEntry.Kind(rawValue: entry.kind),
            let notification = kind.notification(isFree: productType == ProductType.free.rawValue)
        else { return nil }
        self.init(type: notification.type, subtype: notification.subtype, transaction: entry.transaction ?? "")
    }
}
