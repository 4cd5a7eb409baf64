import Perennial

/// The journal of an environment, as all its readers saw it together.
struct SharedJournal {
    /// An entry with the first reading of it.
    struct Seen {
        var entry: RecordedEntry
        var kind: JournalEntry.Kind?
        var reader: SeenNotification
        /// The end of the earliest reading that has it, by history.
        var since: [Int: Int64]
    }

    /// A reading that came to the journal's end: its page wasn't full.
    private struct Ending {
        var begin: Int64
        /// The last position that the journal had.
        var last: Int64
        var witness: SeenNotification
    }

    private(set) var entries: [Int64: Seen] = [:]
    private(set) var violations: [HistoryCheck.Violation] = []
    /// Positions of the entries that sold a transaction.
    private(set) var sales: [String: Int64] = [:]
    /// Positions of the entries that refunded or finished a transaction.
    private(set) var refunds: [String: Int64] = [:]
    private(set) var finishes: [String: Int64] = [:]
    /// Readings to the end, by history, by their begin.
    private var endings: [Int: [Ending]] = [:]
    private var last: Int64 = 0

    init(_ histories: [RecordedHistory]) {
        for (index, history) in histories.enumerated() {
            var readings: [SeenNotification] = []
            for operation in history.operations {
                guard case .journal = operation.request, case .entries = operation.answer else { continue }
                readings.append(SeenNotification(history, operation, isNamed: histories.count > 1))
            }
            readings.sort { $0.operation.begin < $1.operation.begin }
            for reading in readings { read(reading, in: index) }
            checkVisibility(readings)
        }
        for position in entries.keys.sorted() { sortIn(position) }
    }

    /// The journal in order.
    var ordered: [Seen] { entries.keys.sorted().compactMap { entries[$0] } }

    /// Says what a journal with a hole leaves open.
    func undecided(_ environment: String) -> HistoryCheck.Undecided? {
        // An empty journal that was read to its end has no hole.
        if entries.isEmpty, endings.isEmpty {
            return HistoryCheck.Undecided(what: "the journal of \(environment) wasn't read")
        }
        guard Int64(entries.count) != last else { return nil }
        return HistoryCheck.Undecided(
            what: "\(entries.count) of \(last) journal entries of \(environment) were read")
    }

    // MARK: - Readings

    private mutating func read(_ reading: SeenNotification, in history: Int) {
        guard case .journal(let first, let limit) = reading.operation.request,
            case .entries(let page) = reading.operation.answer
        else { return }
        var before = first - 1
        for entry in page {
            guard CommonRules.follows(entry.position, before) else {
                violations.append(
                    HistoryCheck.Violation(.journalOrder, "position \(entry.position) follows \(before)", [reading]))
                break
            }
            before = entry.position
            merge(entry, reading, history)
        }
        guard page.count < limit else { return }
        // A page from beyond the end says only that the journal isn't longer.
        endings[history, default: []].append(Ending(begin: reading.operation.begin, last: before, witness: reading))
    }

    private mutating func merge(_ entry: RecordedEntry, _ reading: SeenNotification, _ history: Int) {
        last = max(last, entry.position)
        let end = reading.operation.end
        if let seen = entries[entry.position] {
            guard seen.entry == entry else {
                violations.append(
                    HistoryCheck.Violation(
                        .journalOrder,
                        "the entry at \(entry.position) is \(entry) to one reader and \(seen.entry) to another",
                        [seen.reader, reading]))
                return
            }
            entries[entry.position]?.since[history] = min(seen.since[history] ?? end, end)
        } else {
            entries[entry.position] = Seen(
                entry: entry, kind: JournalEntry.Kind(rawValue: entry.kind), reader: reading, since: [history: end])
        }
    }

    /// Checks that each reading has what readings that ended before it had.
    private mutating func checkVisibility(_ readings: [SeenNotification]) {
        let ended = readings.sorted { $0.operation.end < $1.operation.end }
        var next = 0
        var furthest: (position: Int64, witness: SeenNotification)?
        for reading in readings {
            guard case .journal(let first, let limit) = reading.operation.request,
                case .entries(let page) = reading.operation.answer
            else { continue }
            while next < ended.count, ended[next].operation.end < reading.operation.begin {
                if case .entries(let earlier) = ended[next].operation.answer, let position = earlier.last?.position,
                    position > furthest?.position ?? 0
                {
                    furthest = (position, ended[next])
                }
                next += 1
            }
            guard let furthest else { continue }
            let expected = min(furthest.position, first + Int64(limit) - 1)
            let found = page.last?.position ?? first - 1
            guard found < expected else { continue }
            violations.append(
                HistoryCheck.Violation(
                    .journalOrder, "a later reading ends at \(found), though \(furthest.position) had been read",
                    [furthest.witness, reading]))
        }
    }

    private mutating func sortIn(_ position: Int64) {
        guard let seen = entries[position] else { return }
        let postings = seen.entry.postings.compactMap { line in
            Posting.Account(rawValue: line.account).map {
                Posting($0, Money(milliunits: line.amount, Currency(rawValue: line.currency)))
            }
        }
        if postings.count != seen.entry.postings.count || !CommonRules.balance(postings) {
            violations.append(
                HistoryCheck.Violation(
                    .unbalanced, "the postings of the \(seen.entry.kind) entry at \(position)", [seen.reader]))
        }
        guard let kind = seen.kind, let transaction = seen.entry.transaction else { return }
        switch kind {
        case .refunded, .subscription(.subscriptionRefunded): refunds[transaction] = position
        case .finished: finishes[transaction] = position
        default: break
        }
        guard kind.isSale else { return }
        if let earlier = sales[transaction] {
            violations.append(
                HistoryCheck.Violation(
                    .paidTwice, "\(transaction) is sold at \(earlier) and again at \(position)", [seen.reader]))
        }
        sales[transaction] = position
    }

    // MARK: - What must be there

    /// The entry that sold a transaction.
    func sale(of transaction: String) -> Seen? { sales[transaction].flatMap { entries[$0] } }

    /// The first reading to the journal's end that began after a time, and the position at which it ended.
    func ending(after time: Int64, in history: Int) -> (last: Int64, witness: SeenNotification)? {
        // Sorted by their begin.
        let endings = endings[history] ?? []
        var (low, high) = (0, endings.count)
        while low < high {
            let middle = (low + high) / 2
            if endings[middle].begin > time { high = middle } else { low = middle + 1 }
        }
        return low < endings.count ? (endings[low].last, endings[low].witness) : nil
    }
}

extension RecordedEntry: CustomStringConvertible {
    package var description: String {
        [kind, transaction, product, customer.map { "of \($0)" }, "at \(at)"].compactMap { $0 }.joined(separator: " ")
    }
}
