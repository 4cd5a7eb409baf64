import Perennial
import PerennialStorage

/// Some of the journal entries behind a figure: a page, found by reading a bounded number of entries.
package struct FigureEntries: Sendable {
    /// The entries, in the order of the journal.
    package var contributions: [Explanation.Contribution]
    /// The place after which the next page begins; `nil` on the last one.
    package var next: Explanation.Place?
    /// The sum of all entries, where one page has them all; `nil` otherwise.
    package var sum: Explanation.Figure?
    /// The number of all entries, where they were added up.
    package var count: Int?

    package init(
        contributions: [Explanation.Contribution], next: Explanation.Place? = nil, sum: Explanation.Figure? = nil,
        count: Int? = nil
    ) {
        self.contributions = contributions
        self.next = next
        self.sum = sum
        self.count = count
    }
}

extension Explain {
    /// The most entries that a page looks at: as many take a few milliseconds.
    package static let scannedEntries = 1500

    /// Lists entries behind a sum of sales, page by page. A page whose figure has few entries among many may be short, or empty,
    /// and still have a next one.
    ///
    /// - Throws: ``ExplainError`` `.malformed`, ``StoreError`` `.appNotFound`.
    package func salesEntries(
        _ figure: SalesFigure, days: ClosedRange<PacificDay>, _ page: Explanation.Page
    ) async throws -> FigureEntries {
        let (app, key) = try await upToDate(figure.bundleID)
        let filter = try SalesFilter(figure, in: app)
        let ranges = try await database.read { [self] connection in
            let position = try currentMoment(key, on: connection).position
            return try RollUpDaysTable.segments(days, after: page.after.position, key, on: connection)
                .map(\.positions).merged().compactMap { $0.upTo(position) }
        }
        let classifier = SalesClassifier(app)
        var scanned = 0
        return try await entries(
            in: ranges, of: app, key, page, counts: figure.column.counts, scanned: &scanned
        ) { entry in
            guard days.contains(PacificDay(entry.entry.at)) else { return nil }
            let totals = classifier.totals(of: entry.entry, entry.transaction, refunding: entry.sale?.facts)
                .filter(filter.matches)
            return totals.isEmpty ? nil : Explanation.Contribution(entry, totals, figure.column, in: app)
        }
    }

    /// Reads entries of ranges of positions until a page is full, or ``scannedEntries`` were looked at.
    ///
    /// - Parameter scanned: The entries that the page has looked at.
    func entries(
        in ranges: [ClosedRange<Int64>], of app: App, _ key: RollUpKey, _ page: Explanation.Page, counts: Bool,
        scanned: inout Int, _ contribution: (RollUpBatch.Entry) -> Explanation.Contribution?
    ) async throws -> FigureEntries {
        let after = page.after.app == app.appleID ? page.after.position : 0
        var found: [Explanation.Contribution] = []
        var sums = ExplanationBuilder(page, counts: counts)
        for range in ranges where range.upperBound > after {
            var position = max(range.lowerBound - 1, after)
            while position < range.upperBound {
                let batch = try await rollUps.streamedBatch(after: position, through: range.upperBound, key, app)
                guard let last = batch.entries.last?.position else { break }
                for entry in batch.entries {
                    scanned += 1
                    guard let contribution = contribution(entry) else { continue }
                    if found.count == page.limit { return FigureEntries(contributions: found, next: found.last?.place) }
                    found.append(contribution)
                    sums.add(units: contribution.units, contribution.amount)
                }
                position = last
                guard scanned < Self.scannedEntries || range == ranges.last && position >= range.upperBound else {
                    return FigureEntries(
                        contributions: found, next: Explanation.Place(app: app.appleID, position: position))
                }
            }
        }
        return FigureEntries(contributions: found, sum: after == 0 ? sums.figure : nil)
    }
}

extension ClosedRange<Int64> {
    /// Returns the part up to a position; `nil` if there is none.
    func upTo(_ position: Int64) -> ClosedRange<Int64>? {
        lowerBound <= position ? lowerBound...Swift.min(upperBound, position) : nil
    }
}

extension ProductUse {
    /// True for what statistics count as units: products sold and first downloads.
    package var isSale: Bool { self == .purchase || self == .download }
}
