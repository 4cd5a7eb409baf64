import Perennial
import PerennialStore

/// A page of figures of an app: its span, the app with its products, and how far the roll-ups are.
struct FigureRequest: Sendable {
    let page: PageRequest
    let app: App
    let today: PacificDay
    let span: FigureSpan
    /// `nil` before the first entry of the journal.
    let status: RollUps.Status?

    var statistics: Statistics { page.store.rolledUp.statistics }

    /// - Throws: ``ConsoleError`` `.appNeeded`, ``StoreError``.
    init(_ page: PageRequest, usual: FigureSpan.Choice = .thirtyDays) async throws {
        let bundleID = try page.bundleID()
        self.page = page
        today = PacificDay(page.now)
        span = FigureSpan(page.query, today: today, usual: usual)
        app = try await page.store.app(bundleID)
        status = try await page.store.rolledUp.status(of: bundleID)
    }

    /// Says up to when the figures are, where entries wait for the roll-ups.
    var notice: [Block] {
        guard let status, status.position < status.journal else { return [] }
        return [
            .notice(
                Notice(
                    status: .neutral,
                    text: .phrase(
                        SpanPhrases.behind,
                        .exact(Instant(milliseconds: page.now.milliseconds - status.lagMilliseconds)))))
        ]
    }

    /// Returns a statistic of days.
    func table(
        _ statistic: Statistic, _ days: ClosedRange<PacificDay>, _ interval: StatisticInterval
    ) async throws -> StatisticTable {
        try await statistics.table(
            StatisticRequest(
                bundleID: app.bundleID, statistic: statistic, from: days.lowerBound, to: days.upperBound,
                interval: interval))
    }

    /// The parameters of the query that a form of days keeps.
    private static let keptParameters = ["by", "amounts", "currency"]

    /// Returns the form of a span of any days.
    ///
    /// - Parameter path: Of the page that shows them.
    private func daysForm(_ path: String) -> Form {
        func field(_ name: String, _ label: Phrase, _ shown: PacificDay) -> Field {
            Field(
                name, .phrase(label), .date, value: span.fault == nil ? "\(shown)" : page.query[name] ?? "",
                error: span.fault.flatMap { $0.field == name ? Self.text(of: $0.kind) : nil }, isRequired: true)
        }
        let kept = Self.keptParameters.compactMap { name in page.query[name].map { Field.hidden(name, $0) } }
        return Form(
            page.path(path), submit: .phrase(SpanPhrases.show), isQuery: true, isRow: true,
            [
                field("from", SpanPhrases.from, span.days.lowerBound),
                field("to", SpanPhrases.to, span.days.upperBound),
            ] + kept)
    }

    static func text(of fault: FigureSpan.Fault.Kind) -> Text {
        switch fault {
        case .noDay: .phrase(RefusalPhrases.day)
        case .order: .phrase(SpanPhrases.order)
        case .tooMany: .phrase(SpanPhrases.tooMany, .number(FigureSpan.mostDays))
        }
    }

    /// Returns the page of a query whose days are wrong: its form with the fault at its field, and no figures of other days.
    /// `nil` if they are right.
    func refused(_ title: Phrase, _ place: NavigationItem) -> Page? {
        guard span.fault != nil else { return nil }
        return Page(.phrase(title), place, status: 422, [.form(daysForm(place.rawValue))])
    }

    /// Returns the choices of a span.
    private func spanChoice() -> Filter.Choice {
        let choices = FigureSpan.Choice.allCases.filter { $0 != .days || span.choice == .days }
        return Filter.Choice(
            label: .phrase(SpanPhrases.span), parameter: "span",
            options: choices.map { (value: $0.rawValue, text: $0 == .days ? span.days.text : .phrase($0.phrase)) },
            selected: span.choice.rawValue)
    }

    /// Returns the currency of charts and of sums over several currencies: the one that the query names, or that of the app's
    /// own storefront, if there are amounts in it, otherwise the first.
    func currency(of currencies: Set<Currency>) -> Currency {
        let asked = page.query["currency"].map { Currency(rawValue: $0) }
        if let asked, currencies.contains(asked) { return asked }
        let own = app.defaultStorefront.currency ?? .usd
        return currencies.contains(own) ? own : currencies.min { $0.rawValue < $1.rawValue } ?? own
    }

    /// Returns the name of a figure of money, with its currency where there are amounts in several.
    func label(_ name: Phrase, _ currency: Currency, of currencies: Set<Currency>) -> Text {
        guard currencies.count > 1 else { return .phrase(name) }
        return .phrase(FigurePhrases.inCurrency, .phrase(name), .data(currency.rawValue))
    }

    /// The most amounts in other currencies that a figure names.
    private static let mostOthers = 3

    /// Returns the amounts that a figure of one currency leaves out; `nil` if there are none. Amounts of different currencies
    /// are never added: rates exist for closed months only.
    static func others(_ amounts: [Money], than currency: Currency) -> Text? {
        let others = amounts.filter { $0.currency != currency && $0.milliunits != 0 }
        guard !others.isEmpty else { return nil }
        let named = Text.phrase(FigurePhrases.others, .list(others.prefix(mostOthers).map { .money($0) }))
        let rest = others.count - mostOthers
        return rest > 0 ? .joined([named, .data(" "), .phrase(FigurePhrases.furtherCurrencies, .number(rest))]) : named
    }

    /// Returns the filter of a page: its span, its own choices, and the currency where there are several.
    ///
    /// - Parameter place: Of the page.
    func filter(
        _ place: NavigationItem, _ choices: [Filter.Choice], _ currencies: Set<Currency>, _ currency: Currency
    ) -> Filter {
        let currencyChoice = Filter.Choice(
            label: .phrase(SpanPhrases.currency), parameter: "currency",
            options: currencies.map(\.rawValue).sorted().map { (value: $0, text: .data($0)) },
            selected: currency.rawValue)
        return Filter(
            choices: [spanChoice()] + choices + (currencies.count > 1 ? [currencyChoice] : []),
            form: daysForm(place.rawValue),
            hidden: span.choice == .days ? span.query : [:])
    }

    /// Returns the path of the entries behind a sum of sales.
    func explanation(
        _ column: SalesFigure.Column, product: String? = nil, country: String? = nil, device: String? = nil,
        kind: ProductType? = nil, currency: Currency? = nil, days: ClosedRange<PacificDay>? = nil
    ) -> String {
        let days = days ?? span.days
        return page.path(
            "explain",
            [
                "figure": "sales", "column": column.rawValue, "from": "\(days.lowerBound)",
                "to": "\(days.upperBound)", "product": product ?? "", "country": country ?? "",
                "device": device ?? "", "kind": kind?.rawValue ?? "", "currency": currency?.rawValue ?? "",
            ])
    }

    /// Returns the path of the explanation of a column of a statistic.
    ///
    /// - Parameter days: Of a number that lasts the last one counts; `nil` for today.
    func explanation(
        _ statistic: Statistic, _ column: String, _ currency: Currency? = nil, days: ClosedRange<PacificDay>? = nil
    ) -> String {
        page.explanation(
            of: StatisticColumnFigure(
                bundleID: app.bundleID, statistic: statistic, column: column, days: days ?? today...today,
                currency: currency))
    }

    /// Returns the command and the call of a statistic over the span.
    func same(_ statistic: Statistic, group: StatisticDimension = .all) -> SameCommand {
        let (days, interval) = (span.days, span.interval)
        let group = group == .all ? ("", "") : (" --group-by \(group.name)", "&group=\(group.name)")
        return SameCommand(
            "report statistics \(statistic.rawValue) --app \(app.bundleID) --from \(days.lowerBound) "
                + "--to \(days.upperBound) --frequency \(interval.frequency)\(group.0) --environment \(page.environment.name)",
            .init(
                "GET",
                "control/v1/statistics/\(statistic.rawValue)?bundleId=\(app.bundleID)&from=\(days.lowerBound)"
                    + "&to=\(days.upperBound)&by=\(interval.rawValue)\(group.1)"))
    }
}

extension PageRequest {
    /// Returns the path of the explanation of a column of a statistic.
    func explanation(of figure: StatisticColumnFigure, after place: Explanation.Place? = nil) -> String {
        path(
            "explain",
            [
                "figure": "statistic", "statistic": figure.statistic.rawValue, "column": figure.column,
                "from": "\(figure.days.lowerBound)", "to": "\(figure.days.upperBound)",
                "currency": figure.currency?.rawValue ?? "", "after": place?.text ?? "",
            ])
    }

    /// Returns the path of the explanation of a figure of payments: with all apps, or with the page's own.
    func explanation(of figure: PaymentFigure, after place: Explanation.Place? = nil) -> String {
        let month = figure.month?.description
        let query: KeyValuePairs = [
            "figure": figure.bundleID == nil ? "" : "financial", "month": figure.bundleID == nil ? "" : month ?? "",
            "column": figure.column.rawValue, "region": figure.region?.rawValue ?? "",
            "currency": figure.currency?.rawValue ?? "", "after": place?.text ?? "",
        ]
        guard figure.bundleID == nil else { return path("explain", query) }
        return path("payments/\(month ?? PaymentFigurePage.openMonths)/explain", query)
    }
}

extension StatisticTable {
    /// Returns a column's amounts by period, of one currency for money.
    func amounts(_ column: String, _ currency: Currency? = nil) -> [(period: String, amount: Int64?)] {
        guard let index = columns.firstIndex(where: { $0.name == column }) else { return [] }
        var amounts: [String: Int64] = [:]
        var order: [String] = []
        for row in rows {
            if order.last != row.period { order.append(row.period) }
            guard columns[index].unit != .money || row.currency == currency else { continue }
            if let value = row.values[index] { amounts[row.period] = value.amount }
        }
        return order.map { ($0, amounts[$0]) }
    }

    /// The last period's amount of a column.
    func last(_ column: String, _ currency: Currency? = nil) -> Int64? { amounts(column, currency).last?.amount }

    /// The last period's amounts of money in each currency, without zeros.
    func lastMoney(_ column: String) -> [Money] {
        guard let index = columns.firstIndex(where: { $0.name == column }), let period = rows.last?.period else {
            return []
        }
        return rows.reversed().prefix { $0.period == period }.reversed().compactMap { row in
            guard let amount = row.values[index]?.amount, amount != 0 else { return nil }
            return row.currency.map { Money(milliunits: amount, $0) }
        }
    }
}

extension StatisticValue {
    var amount: Int64 {
        switch self {
        case .count(let amount), .money(let amount), .percent(let amount): amount
        }
    }
}

extension [Money] {
    /// The amounts as a text; amounts of different currencies are never added.
    var text: Text { isEmpty ? .number(0) : count == 1 ? .money(self[0]) : .list(map(Text.money)) }
}
