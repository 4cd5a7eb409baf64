import Perennial
import PerennialStore
import TestSupport
import Testing

/// Checks that the listed entries of figures sum to them.
struct ListedEntries {
    let shop: TestStore
    /// Fewer than most figures have, so that there are several pages.
    private static let pageLength = 4

    /// Checks all columns of statistics whose entries are listed, in some months up to a day.
    func checkStatistics(from first: PacificDay, through last: PacificDay, everyMonths step: Int = 1) async throws {
        var months: [ClosedRange<PacificDay>] = []
        var start = StatisticInterval.month.start(of: first)
        while start <= last {
            let next = StatisticInterval.month.next(after: start)
            months.append(start...next.adding(-1))
            start = next
        }
        let checked = months.indices.filter { ($0 - months.count + 1) % step == 0 }.map { months[$0] }
        for statistic in Statistic.allCases {
            let table = try await shop.store.statistics.table(
                StatisticRequest(
                    bundleID: TestCatalog.bundleID, statistic: statistic, from: first, to: last, interval: .month))
            for (index, column) in table.columns.enumerated() {
                let isListed =
                    statistic.computation(of: column.name) != nil
                    || [.units, .revenue, .proceeds, .refunds].contains(statistic)
                guard isListed else { continue }
                for month in checked {
                    let name = String(month.lowerBound.description.dropLast(3))
                    let row = table.rows.first { $0.period == name && ($0.currency ?? .usd) == .usd }
                    let value = try await check(statistic, column.name, month)
                    let known = row?.values[index] ?? (statistic.isMoney(column.name) == true ? .money(0) : nil)
                    #expect(value == known, "\(statistic) \(column.name) in \(name)")
                }
            }
        }
    }

    /// Checks that the pages of a column sum to it, and returns its value.
    @discardableResult
    func check(
        _ statistic: Statistic, _ column: String, _ days: ClosedRange<PacificDay>
    ) async throws -> StatisticValue? {
        let isMoney = statistic.isMoney(column) == true
        let figure = StatisticColumnFigure(
            bundleID: TestCatalog.bundleID, statistic: statistic, column: column, days: days,
            currency: isMoney ? .usd : nil)
        let explained = try await shop.store.explain.column(
            figure, Explanation.Page(limit: Self.pageLength), addsUpAll: true)
        let contributions = try await contributions(explained.entries) { page in
            try await shop.store.explain.column(figure, page).entries
        }
        let sum = sum(contributions, counts: !isMoney)
        let name = "\(statistic) \(column) \(days)"
        let hasParts = explained.listing != .change || statistic.computation(of: column)?.parts.isEmpty == false
        if hasParts { #expect(sum == explained.listed, "\(name)") }
        #expect(explained.entries.sum == explained.listed || !hasParts, "\(name)")
        #expect(explained.entries.count == contributions.count, "\(name)")
        check(explained, sum.amount, name)
        return explained.value
    }

    /// Checks that terms and entries lead to the value.
    private func check(_ explained: ColumnExplanation, _ sum: Int64, _ name: String) {
        let terms = explained.terms
        if let divisor = terms.first(where: { $0.operation == .dividedBy }) {
            #expect(explained.value == .share(sum, of: divisor.value?.amount ?? 0), "\(name)")
        } else if explained.listing == .column || explained.listing == .subscriptions {
            #expect(explained.value?.amount == sum, "\(name)")
        }
        guard !terms.isEmpty, !terms.contains(where: { $0.operation == .dividedBy }) else { return }
        let total = terms.reduce(0) { $0 + ($1.operation == .minus ? -1 : 1) * ($1.value?.amount ?? 0) }
        #expect(explained.value?.amount == total, "\(name)")
    }

    // MARK: - Payments

    /// Checks a figure of payments, and returns its value.
    @discardableResult
    func check(_ figure: PaymentFigure) async throws -> PaymentExplanation.Value {
        let explained = try await shop.store.explain.payment(
            figure, Explanation.Page(limit: Self.pageLength), addsUpAll: true)
        guard let listed = explained.listed else { return explained.value }
        let contributions = try await contributions(explained.entries) { page in
            try await shop.store.explain.payment(figure, page).entries
        }
        let sum = sum(contributions, counts: explained.listedColumn.counts)
        #expect(sum == listed, "\(figure.title)")
        #expect(explained.entries.sum == listed, "\(figure.title)")
        #expect(explained.entries.count == contributions.count, "\(figure.title)")
        let whole = try await shop.store.explain.payment(figure, Explanation.Page(limit: 1000))
        #expect(whole.entries.sum == listed && whole.entries.next == nil, "\(figure.title)")
        return explained.value
    }

    // MARK: - Pages

    /// Reads the pages after a first one; each entry is on one page.
    private func contributions(
        _ first: FigureEntries, _ read: (Explanation.Page) async throws -> FigureEntries
    ) async throws -> [Explanation.Contribution] {
        var (all, next) = (first.contributions, first.next)
        while let place = next {
            let page = try await read(Explanation.Page(after: place, limit: Self.pageLength))
            #expect(page.contributions.count <= Self.pageLength)
            all += page.contributions
            next = page.next
        }
        #expect(Set(all.map(\.place)).count == all.count, "an entry is on two pages")
        return all
    }

    private func sum(_ contributions: [Explanation.Contribution], counts: Bool) -> Explanation.Figure {
        guard !counts else { return Explanation.Figure(units: contributions.reduce(0) { $0 + $1.units }) }
        var amounts: [Currency: Int64] = [:]
        for amount in contributions.compactMap(\.amount) { amounts[amount.currency, default: 0] += amount.milliunits }
        return Explanation.Figure(
            amounts: amounts.filter { $0.value != 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
                .map { Money(milliunits: $0.value, $0.key) })
    }
}

extension Explanation.Figure {
    /// The number, or the amount of one currency.
    fileprivate var amount: Int64 { amounts.first?.milliunits ?? units }
}

extension StatisticValue {
    /// The number, whatever its unit.
    fileprivate var amount: Int64 {
        switch self {
        case .count(let amount), .money(let amount), .percent(let amount): amount
        }
    }
}
