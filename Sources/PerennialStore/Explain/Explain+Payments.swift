import Perennial
import PerennialStorage

extension Explain {
    /// Explains a figure of payments: the terms from which it is computed, and a page of the sales behind it.
    ///
    /// - Parameter addsUpAll: True to add up all entries; otherwise the sum is there where one page has them all.
    /// - Throws: ``ExplainError`` `.figureNotFound` for a column of a closing that isn't there; ``StoreError`` `.appNotFound`.
    package func payment(
        _ figure: PaymentFigure, _ page: Explanation.Page = .init(), addsUpAll: Bool = false
    ) async throws -> PaymentExplanation {
        let apps = try await database.read { [self] connection in
            if let bundleID = figure.bundleID { return [try app(bundleID, on: connection).app] }
            return try catalog.all(on: connection).map(\.app).sorted { $0.appleID < $1.appleID }
        }
        var journals: [PaymentReader.Journal] = []
        for app in apps { journals.append(.init(app: app, key: try await rollUps.bringUpToDate(app))) }
        let reader = try await database.read { [environment, clock, journals] connection in
            try PaymentReader(
                figure, journals, environment.id, now: clock.now(on: connection), on: connection)
        }
        var explanation = try reader.explanation()
        guard let part = figure.column.listedPart, explanation.listed != nil else { return explanation }
        explanation.entries = try await entries(reader, part, page)
        guard addsUpAll else { return explanation }
        var (builder, count) = (ExplanationBuilder(page, counts: part.column.counts), 0)
        var rest = Explanation.Page(limit: Explanation.Page.limits.upperBound)
        while true {
            let read = try await entries(reader, part, rest)
            for contribution in read.contributions { builder.add(units: contribution.units, contribution.amount) }
            count += read.contributions.count
            guard let next = read.next else { break }
            rest.after = next
        }
        explanation.entries.sum = builder.figure(counts: part.column.counts)
        explanation.entries.count = count
        return explanation
    }

    /// Lists entries of the months of a figure, app by app.
    private func entries(
        _ reader: PaymentReader, _ part: PaymentFigure.ListedPart, _ page: Explanation.Page
    ) async throws -> FigureEntries {
        let figure = reader.figure
        var found = FigureEntries(contributions: [])
        var builder = ExplanationBuilder(page, counts: part.column.counts)
        var scanned = 0
        for journal in reader.journals where journal.app.appleID >= page.after.app {
            guard found.contributions.count < page.limit else {
                found.next = Explanation.Place(app: journal.app.appleID, position: 0)
                return found
            }
            var rest = page
            rest.limit -= found.contributions.count
            let app = journal.app
            let (assignment, ranges) = try await database.read { [self] connection in
                let assignment = try ClosedMonthsTable.assignment(app: app.appleID, environment.id, on: connection)
                let position = try currentMoment(journal.key, on: connection).position
                let ranges = try rollUps.positions(
                    of: reader.months, assignment, journal.key, entries: part.entries, on: connection)
                return (assignment, ranges.compactMap { $0.upTo(position) })
            }
            let classifier = SalesClassifier(app)
            let read = try await entries(
                in: ranges, of: app, journal.key, rest, counts: part.column.counts, scanned: &scanned
            ) { entry in
                let fiscal = assignment.month(of: PacificDay(entry.entry.at), at: entry.position)
                guard reader.months.contains(fiscal.month), part.includes(fiscal.isAdjustment) else { return nil }
                let totals = classifier.totals(of: entry.entry, entry.transaction, refunding: entry.sale?.facts)
                    .filter { $0.key.isPaid && figure.matches($0.key.region) }
                return totals.isEmpty ? nil : Explanation.Contribution(entry, totals, part.column, in: app)
            }
            for contribution in read.contributions { builder.add(units: contribution.units, contribution.amount) }
            found.contributions += read.contributions
            if let next = read.next {
                found.next = next
                return found
            }
        }
        if page.after == Explanation.Page().after {
            found.sum = builder.figure(counts: part.column.counts)
            found.count = found.contributions.count
        }
        return found
    }
}

extension PaymentFigure {
    /// The entries that are listed for a column.
    struct ListedPart: Sendable {
        var column: SalesFigure.Column
        var entries = RollUps.MonthEntries.all

        func includes(_ isLate: Bool) -> Bool {
            switch entries {
            case .all: true
            case .own: !isLate
            case .late: isLate
            }
        }
    }
}

extension PaymentFigure.Column {
    /// The entries behind the column, or behind its first term; `nil` for one of a closing, and for a rate.
    var listedPart: PaymentFigure.ListedPart? {
        switch self {
        case .owed, .proceeds, .exchanged, .withholding: .init(column: .proceeds)
        case .units: .init(column: .units)
        case .earned: .init(column: .proceeds, entries: .own)
        case .late, .adjustments: .init(column: .proceeds, entries: .late)
        case .commission, .inputTax: .init(column: .commission)
        case .manual, .rate, .carried, .total, .payout, .balance: nil
        }
    }
}

extension ExplanationBuilder {
    /// The sums of a figure that counts, or of its amounts.
    fileprivate func figure(counts: Bool) -> Explanation.Figure {
        counts ? Explanation.Figure(units: figure.units) : Explanation.Figure(amounts: figure.amounts)
    }
}
