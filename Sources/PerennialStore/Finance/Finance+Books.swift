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
        /// The last position that was read.
        var position: Int64
        var last: Int64
    }

    private let finance: Finance
    private let books: PlainTextBooks
    private let month: FiscalMonth?
    private var journals: [Journal]
    private var hasHeader = false
    private var isComplete = false

    fileprivate init(_ finance: Finance, _ books: PlainTextBooks, _ month: FiscalMonth?) async throws {
        (self.finance, self.books, self.month) = (finance, books, month)
        let keys = try await finance.bringUpToDate()
        let environment = finance.environment.id
        journals = try await finance.database.read { connection in
            try keys.compactMap { app, key in
                guard let head = try RollUpHeadsTable.head(key, on: connection) else { return nil }
                return Journal(
                    app: app, key: key,
                    assignment: try ClosedMonthsTable.assignment(app: app.appleID, environment, on: connection),
                    position: 0, last: head.position)
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
            let batch = try await finance.batch(
                after: journal.position, through: journal.last, journal.key, journal.app)
            guard let end = batch.entries.last?.position else { continue }
            journal.position = end
            journals.append(journal)
            let text = text(batch, journal)
            if !text.isEmpty { return text }
        }
        guard !isComplete else { return nil }
        isComplete = true
        return try await finance.ownEntries(month).map(books.text).joined()
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

extension Finance {
    /// Returns the books in a format of plain-text accounting: every entry with postings, of all apps and of the seller's
    /// own journal.
    ///
    /// - Parameter month: A fiscal month, whose entries are those that its closing includes; `nil` for all.
    package func books(_ format: PlainTextBooks.Format, month: FiscalMonth? = nil) async throws -> BooksReader {
        try await BooksReader(self, PlainTextBooks(format), month)
    }

    fileprivate func batch(
        after position: Int64, through last: Int64, _ key: RollUpKey, _ app: App
    ) async throws -> RollUpBatch {
        try await database.read { [rollUps, limits] in
            try rollUps.batch(after: position, through: last, limit: limits.rollUpBatch, key, app, on: $0)
        }
    }

    /// Returns the entries of the seller's own journal, in order.
    fileprivate func ownEntries(_ month: FiscalMonth?) async throws -> [PlainTextBooks.Entry] {
        let stored = try await database.read { [environment] in try StoredFigures([], nil, environment.id, on: $0) }
        var places: [Int64: (day: PacificDay?, tags: [(name: String, value: String)])] = [:]
        for adjustment in stored.adjustments where month == nil || adjustment.month == month {
            let closing = adjustment.month.map { [(name: "closing", value: "\($0)")] } ?? []
            places[adjustment.position] = (
                nil,
                closing + [
                    (name: "region", value: "\(adjustment.region)"), (name: "note", value: adjustment.note),
                ]
            )
        }
        for record in stored.closings where month == nil || record.closing.month == month {
            let closing = record.closing
            for (offset, entry) in closing.entries(at: record.closed).enumerated() {
                var tags = [(name: "closing", value: "\(closing.month)")]
                if let line = entry.line { tags.append(("region", "\(closing.lines[line].key.region)")) }
                let isPayout = entry.entry.kind == .finance(.paidOut)
                if isPayout, let payout = closing.payout { tags.append(("reference", payout.reference)) }
                places[record.firstPosition + Int64(offset)] = (isPayout ? closing.payout?.day : nil, tags)
            }
        }
        return stored.entries.compactMap { position, entry -> PlainTextBooks.Entry? in
            guard let place = places[position] else { return nil }
            return PlainTextBooks.Entry(
                day: place.day ?? PacificDay(entry.at), event: entry.kind.rawValue, subject: "", tags: place.tags,
                postings: entry.postings)
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
