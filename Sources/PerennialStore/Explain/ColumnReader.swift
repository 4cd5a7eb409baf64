import Perennial
import PerennialStorage

/// Reads a column of a statistic and the entries behind it, at one moment of the roll-ups.
struct ColumnReader {
    let figure: StatisticColumnFigure
    let computation: StatisticComputation
    let app: App
    let key: RollUpKey
    /// The last day that is known.
    let today: PacificDay
    let connection: any Connection

    /// The most lifecycles that a page of subscriptions looks at.
    private static let scannedLifecycles = 1500
    private static let lifecyclesOfBatch = 250
    /// A day after all others, for places that a request makes up.
    private static let lastDay: Int64 = 10_000_000

    private var totals: StatisticTotals { StatisticTotals(key: key, connection: connection) }
    /// The currency of the listed amounts; `nil` for counts.
    private var currency: Currency? { isMoney ? figure.currency : nil }

    private var isMoney: Bool { computation.parts.first?.measure.isMoney ?? (computation.stock?.isMoney ?? false) }

    func explanation(_ page: Explanation.Page, addsUpAll: Bool) throws -> ColumnExplanation {
        let terms = try computation.terms.map { term in
            let figure = counted(figure.term(term))
            // No day of a cohort counts before its months have passed.
            let value: StatisticValue? = try filter == nil ? .count(0) : self.value(of: figure)
            return ColumnExplanation.Term(operation: term.operation, figure: figure, value: value)
        }
        var explanation = ColumnExplanation(
            figure: figure, value: try value(of: figure), terms: terms, listing: listing, listed: .init(),
            entries: FigureEntries(contributions: []))
        if let stock = computation.stock, explanation.listing == .subscriptions {
            explanation.listed = Explanation.Figure(try totals.sum(of: stock, figure.days, currency), currency)
            explanation.entries = try subscriptions(in: stock, page, addsUpAll: addsUpAll)
        } else {
            explanation.listed = Explanation.Figure(try listedTotal(), currency)
            explanation.entries = try parts(page, addsUpAll: addsUpAll)
        }
        return explanation
    }

    /// A number that lasts is explained by the subscriptions that count now, as long as its days aren't over.
    private var listing: ColumnExplanation.Listing {
        if computation.stock != nil { return figure.days.upperBound >= today ? .subscriptions : .change }
        return computation.terms.contains { $0.operation == .dividedBy } ? .numerator : .column
    }

    // MARK: - Values

    private func value(of figure: StatisticColumnFigure) throws -> StatisticValue? {
        if figure.statistic == .retention { return try retention(figure) }
        var amounts: [StatisticMeasure: Int64] = [:]
        for measure in figure.statistic.measures {
            amounts[measure] = try totals.sum(of: measure, figure.days, measure.isMoney ? figure.currency : nil)
        }
        return figure.statistic.value(of: figure.column) { amounts[$0] ?? 0 }
    }

    private func retention(_ figure: StatisticColumnFigure) throws -> StatisticValue? {
        guard let month = Statistic.retentionMonth(figure.column) else {
            return .count(try totals.sum(of: .cohortSubscriptions, figure.days, nil))
        }
        guard let days = days(of: figure, after: month) else { return nil }
        return .share(
            try retained(days, through: month), of: try totals.sum(of: .cohortSubscriptions, days, nil))
    }

    private func retained(_ days: ClosedRange<PacificDay>, through month: Int) throws -> Int64 {
        try StatisticTotalsTable.rows(
            of: .retainedSubscriptions, by: .all, .day, days.lowerBound.number...days.upperBound.number, key,
            on: connection
        ).reduce(0) { $1.cell.bucket <= month ? $0.clampedAdding($1.total) : $0 }
    }

    /// Returns the first days of a cohort for which so many months have passed; `nil` if there are none.
    private func days(of figure: StatisticColumnFigure, after month: Int) -> ClosedRange<PacificDay>? {
        var last = min(figure.days.upperBound, today)
        while last >= figure.days.lowerBound {
            let end = PacificDay(last.date.adding(months: month))
            if month == 0 ? end <= today : end < today { return figure.days.lowerBound...last }
            last = last.adding(-1)
        }
        return nil
    }

    /// Returns the term of a share of a cohort: of the days for which the months have passed.
    private func counted(_ term: StatisticColumnFigure) -> StatisticColumnFigure {
        guard term.statistic == .retention, let month = Statistic.retentionMonth(figure.column) else { return term }
        var term = term
        term.days = days(of: figure, after: month) ?? term.days
        return term
    }

    // MARK: - Entries

    /// The conditions on the listed entries; `nil` if none is wanted.
    private var filter: StatisticEntriesTable.Filter? {
        guard figure.statistic == .retention, let month = Statistic.retentionMonth(figure.column) else {
            return StatisticEntriesTable.Filter(figure.days, currency: currency)
        }
        return days(of: figure, after: month).map { StatisticEntriesTable.Filter($0, bucket: Int64(month)) }
    }

    /// Returns the sum of all listed entries, as the totals have it.
    private func listedTotal() throws -> Int64 {
        guard let filter else { return 0 }
        if let month = figure.statistic == .retention ? Statistic.retentionMonth(figure.column) : nil {
            return try retained(filter.days, through: month)
        }
        return try computation.parts.reduce(0) { sum, part in
            sum.clampedAdding(try totals.sum(of: part.measure, filter.days, currency).clampedMultiplied(by: part.sign))
        }
    }

    /// The amounts of one entry, added up.
    private struct Amount {
        var place: StatisticEntriesTable.Place
        var amount: Int64
    }

    /// Returns the next amounts of all parts, in the order of their places.
    private func amounts(
        _ filter: StatisticEntriesTable.Filter, after place: StatisticEntriesTable.Place?, limit: Int
    ) throws -> [Amount] {
        var sums: [StatisticEntriesTable.Place: Int64] = [:]
        for part in computation.parts {
            let found = try StatisticEntriesTable.parts(
                of: part.measure, filter, after: place, limit: limit, key, on: connection)
            for entry in found {
                let place = StatisticEntriesTable.Place(day: entry.day, position: entry.position)
                sums[place, default: 0] += entry.amount.clampedMultiplied(by: part.sign)
            }
        }
        return sums.map { Amount(place: $0.key, amount: $0.value) }.sorted { $0.place < $1.place }.prefix(limit).map(
            \.self)
    }

    private func parts(_ page: Explanation.Page, addsUpAll: Bool) throws -> FigureEntries {
        guard let filter, !computation.parts.isEmpty else {
            return FigureEntries(contributions: [], sum: Explanation.Figure(0, currency), count: 0)
        }
        let isFirst = page.after == Explanation.Page().after
        let after = StatisticEntriesTable.Place(
            day: PacificDay(number: min(page.after.app, Self.lastDay)), position: page.after.position)
        let found = try amounts(filter, after: isFirst ? nil : after, limit: page.limit + 1)
        let shown = found.prefix(page.limit)
        let hasMore = found.count > shown.count
        var entries = FigureEntries(
            contributions: try contributions(shown.map { ($0.place.position, $0.amount) }),
            next: hasMore
                ? shown.last.map { Explanation.Place(app: $0.place.day.number, position: $0.place.position) } : nil)
        if addsUpAll {
            var (sum, count): (Int64, Int) = (0, 0)
            var place: StatisticEntriesTable.Place?
            while true {
                let read = try amounts(filter, after: place, limit: Explanation.Page.limits.upperBound)
                guard let last = read.last else { break }
                sum = read.reduce(sum) { $0.clampedAdding($1.amount) }
                count += read.count
                place = last.place
            }
            (entries.sum, entries.count) = (Explanation.Figure(sum, currency), count)
        } else if isFirst, !hasMore {
            entries.sum = Explanation.Figure(shown.reduce(0) { $0.clampedAdding($1.amount) }, currency)
            entries.count = shown.count
        }
        return entries
    }

    /// Returns entries with the amounts that they add, in order.
    private func contributions(_ amounts: [(position: Int64, amount: Int64)]) throws -> [Explanation.Contribution] {
        let positions = amounts.map(\.position)
        var entries = try JournalTable.entries(at: positions, app: key.app, key.environment, on: connection)
        for (position, postings) in try JournalTable.postings(
            at: positions, app: key.app, key.environment, on: connection)
        {
            entries[position]?.postings = postings
        }
        let transactions = try TransactionsTable.transactions(
            Set(entries.values.compactMap(\.transactionID)), app: key.app, key.environment, on: connection)
        return amounts.compactMap { position, amount in
            guard let entry = entries[position] else { return nil }
            let transaction = entry.transactionID.flatMap { transactions[$0]?.transaction }
            return Explanation.Contribution(
                of: RollUpBatch.Entry(position: position, entry: entry, transaction: transaction), in: app,
                units: currency == nil ? amount : 0, amount: currency.map { Money(milliunits: amount, $0) })
        }
    }

    // MARK: - Subscriptions

    /// The subscriptions that a number that lasts counts, each with its part.
    private struct Counted {
        var id: TransactionID
        var transactionID: TransactionID
        var amount: Int64
    }

    private func counted(_ lifecycle: SubscriptionLifecycle, _ id: TransactionID, in stock: StatisticMeasure)
        -> Counted?
    {
        let measure = stock == .monthlyRevenue ? .activeSubscriptions : stock
        guard lifecycle.countedIn.contains(measure) else { return nil }
        var amount: Int64 = 1
        if stock == .monthlyRevenue {
            guard let revenue = lifecycle.snapshot?.monthlyRevenue, revenue.currency == figure.currency else {
                return nil
            }
            amount = revenue.milliunits
        }
        return Counted(id: id, transactionID: lifecycle.current.transactionID ?? id, amount: amount)
    }

    /// Returns subscriptions after one of them, and the place after which the next page begins.
    private func counted(
        in stock: StatisticMeasure, after first: TransactionID, limit: Int, scanned most: Int
    ) throws -> (found: [Counted], next: TransactionID?) {
        var (found, last, scanned) = ([Counted](), first, 0)
        while scanned < most {
            let batch = try SubscriptionLifecyclesTable.lifecycles(
                after: last, limit: Self.lifecyclesOfBatch, key, on: connection)
            for (id, lifecycle) in batch {
                if let counted = counted(lifecycle, id, in: stock) {
                    if found.count == limit { return (found, last) }
                    found.append(counted)
                }
                last = id
                scanned += 1
            }
            if batch.count < Self.lifecyclesOfBatch { return (found, nil) }
        }
        return (found, last)
    }

    private func subscriptions(
        in stock: StatisticMeasure, _ page: Explanation.Page, addsUpAll: Bool
    ) throws -> FigureEntries {
        let first = TransactionID(rawValue: page.after.position)
        let (found, next) = try counted(in: stock, after: first, limit: page.limit, scanned: Self.scannedLifecycles)
        let ids = Set(found.map(\.transactionID)).union(found.map(\.id))
        let transactions = try TransactionsTable.transactions(ids, app: key.app, key.environment, on: connection)
        var entries = FigureEntries(
            contributions: try contributions(
                found.compactMap { counted in
                    let sold = transactions[counted.transactionID] ?? transactions[counted.id]
                    return sold.map { ($0.sale, counted.amount) }
                }),
            next: next.map { Explanation.Place(app: app.appleID, position: $0.rawValue) })
        if addsUpAll {
            let all = try counted(in: stock, after: TransactionID(rawValue: 0), limit: .max, scanned: .max).found
            (entries.sum, entries.count) = (sum(of: all), all.count)
        } else if first.rawValue == 0, next == nil {
            (entries.sum, entries.count) = (sum(of: found), found.count)
        }
        return entries
    }

    private func sum(of counted: [Counted]) -> Explanation.Figure {
        Explanation.Figure(counted.reduce(0) { $0.clampedAdding($1.amount) }, currency)
    }
}
