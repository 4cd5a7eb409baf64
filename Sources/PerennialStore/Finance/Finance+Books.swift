import AppStoreFormats
import Perennial
import PerennialStorage

/// The books of an environment as text, read part by part.
///
/// An entry of an app has the tags `fiscal-month`, `region`, `app`, `transaction`, and `late` if it is an adjustment of its
/// month. An entry of the seller's own journal has `closing` and, where it belongs to one, `region`. Payouts have their day of
/// payment.
package struct BooksReader: Sendable {
    /// The journal of an app that is being read.
    private struct Journal: Sendable {
        var app: App
        var key: RollUpKey
        var assignment: FiscalAssignment
        /// The positions that are left to read.
        var ranges: [ClosedRange<Int64>]
    }

    private let finance: Finance
    private let books: PlainTextBooks
    private let month: FiscalMonth?
    private var journals: [Journal]
    private var hasHeader = false
    /// The entries of the seller's own journal that are left to read; `nil` before the first.
    private var own: ArraySlice<OwnEntry>?

    fileprivate init(_ finance: Finance, _ books: PlainTextBooks, _ month: FiscalMonth?) async throws {
        (self.finance, self.books, self.month) = (finance, books, month)
        let keys = try await finance.bringUpToDate()
        let (environment, rollUps) = (finance.environment.id, finance.rollUps)
        journals = try await finance.database.read { connection in
            try keys.compactMap { app, key in
                guard let head = try RollUpHeadsTable.head(key, on: connection), head.position > 0 else { return nil }
                let assignment = try ClosedMonthsTable.assignment(app: app.appleID, environment, on: connection)
                let ranges = try month.map { try rollUps.positions(of: $0...$0, assignment, key, on: connection) }
                return Journal(app: app, key: key, assignment: assignment, ranges: ranges ?? [1...head.position])
            }
        }.reversed()
    }

    /// Returns the next part of the text; `nil` at its end.
    package mutating func next() async throws -> String? {
        if !hasHeader {
            hasHeader = true
            return books.header(
                title: "Perennial, \(finance.environment.name)\(month.map { ", fiscal month \($0)" } ?? "")")
        }
        while var journal = journals.popLast() {
            guard let range = journal.ranges.first else { continue }
            let batch = try await finance.rollUps.streamedBatch(
                after: range.lowerBound - 1, through: range.upperBound, journal.key, journal.app)
            if let end = batch.entries.last?.position, end < range.upperBound {
                journal.ranges[0] = end + 1...range.upperBound
            } else {
                journal.ranges.removeFirst()
            }
            journals.append(journal)
            let text = text(batch, journal)
            if !text.isEmpty { return text }
        }
        let rest: ArraySlice<OwnEntry> = if let own { own } else { try await finance.ownEntries(month)[...] }
        let page = rest.prefix(RollUps.streamedEntries)
        own = rest.dropFirst(page.count)
        guard !page.isEmpty else { return nil }
        return try await finance.read(Array(page)).map(books.text).joined()
    }

    private func text(_ batch: RollUpBatch, _ journal: Journal) -> String {
        var text = ""
        for entry in batch.entries where !entry.entry.postings.isEmpty {
            let day = PacificDay(entry.entry.at)
            let fiscal = journal.assignment.month(of: day, at: entry.position)
            guard month == nil || fiscal.month == month else { continue }
            text += books.text(PlainTextBooks.Entry(entry, journal.app, day, fiscal))
        }
        return text
    }
}

/// The place of an entry of the seller's own journal in the books.
private struct OwnEntry: Sendable {
    var position: Int64
    /// The day of payment; `nil` for that of the entry.
    var day: PacificDay?
    var tags: [(name: String, value: String)]
}

extension Finance {
    /// Returns the books in a format of plain-text accounting: every entry with postings, of all apps and of the seller's
    /// own journal.
    ///
    /// - Parameter month: A fiscal month, whose entries are those that its closing includes; `nil` for all.
    package func books(_ format: PlainTextBooks.Format, month: FiscalMonth? = nil) async throws -> BooksReader {
        try await BooksReader(self, PlainTextBooks(format), month)
    }

    /// Returns the entries of the seller's own journal that belong to a month, or all of them, in order.
    fileprivate func ownEntries(_ month: FiscalMonth?) async throws -> [OwnEntry] {
        let (closings, adjustments) = try await database.read { [environment] connection in
            let closings =
                if let month {
                    try ClosedMonthsTable.record(month, environment.id, on: connection).map { [$0] } ?? []
                } else {
                    try ClosedMonthsTable.all(environment.id, on: connection)
                }
            let open = month == nil ? try FinanceAdjustmentsTable.open(environment.id, on: connection) : []
            let included = try closings.flatMap {
                try FinanceAdjustmentsTable.included(in: $0.closing.month, environment.id, on: connection)
            }
            return (closings, included + open)
        }
        var entries: [OwnEntry] = adjustments.map { adjustment in
            let closing = adjustment.month.map { [(name: "closing", value: "\($0)")] } ?? []
            return OwnEntry(
                position: adjustment.position,
                tags: closing + [
                    (name: "region", value: "\(adjustment.region)"), (name: "note", value: adjustment.note),
                ])
        }
        for record in closings {
            let closing = record.closing
            for (offset, entry) in closing.entries(at: record.closed).enumerated() {
                var tags = [(name: "closing", value: "\(closing.month)")]
                if let line = entry.line { tags.append(("region", "\(closing.lines[line].key.region)")) }
                let isPayout = entry.entry.kind == .finance(.paidOut)
                if isPayout, let payout = closing.payout { tags.append(("reference", payout.reference)) }
                entries.append(
                    OwnEntry(
                        position: record.firstPosition + Int64(offset), day: isPayout ? closing.payout?.day : nil,
                        tags: tags))
            }
        }
        return entries.sorted { $0.position < $1.position }
    }

    /// Reads entries of the seller's own journal, which are in order.
    fileprivate func read(_ wanted: [OwnEntry]) async throws -> [PlainTextBooks.Entry] {
        guard let first = wanted.first, let last = wanted.last else { return [] }
        return try await database.scan { [environment] connection in
            let entries = try JournalTable.entries(
                at: wanted.map(\.position), app: FinanceEvent.journal, environment.id, on: connection)
            let postings = Dictionary(
                grouping: try JournalTable.postings(
                    after: first.position - 1, through: last.position, app: FinanceEvent.journal, environment.id,
                    on: connection), by: \.position)
            return wanted.compactMap { place in
                guard let entry = entries[place.position] else { return nil }
                return PlainTextBooks.Entry(
                    day: place.day ?? PacificDay(entry.at), event: entry.kind.rawValue, subject: "", tags: place.tags,
                    postings: (postings[place.position] ?? []).map(\.posting))
            }
        }
    }
}

extension PlainTextBooks.Entry {
    /// Creates the entry of an app's journal.
    fileprivate init(
        _ entry: RollUpBatch.Entry, _ app: App, _ day: PacificDay, _ fiscal: (month: FiscalMonth, isAdjustment: Bool)
    ) {
        var tags = [(name: "fiscal-month", value: "\(fiscal.month)")]
        if fiscal.isAdjustment { tags.append(("late", "yes")) }
        if let storefront = entry.transaction?.storefront ?? entry.entry.facts?.storefront {
            tags.append(("region", "\(FinancialRegion(storefront))"))
        }
        tags.append(("app", app.bundleID.rawValue))
        if let transaction = entry.entry.transactionID { tags.append(("transaction", "\(transaction)")) }
        self.init(
            day: day, event: entry.entry.kind.rawValue, subject: entry.entry.productID?.rawValue ?? app.name,
            tags: tags,
            postings: entry.entry.postings)
    }
}
