import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/explain: the journal entries behind the figures of reports.
struct ExplainRoutes {
    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "explain/sales", "The sales behind a figure of Sales and Trends",
            query: .paged([
                .bundleID, .periodDate, .reportFrequency, .figureFrom, .figureTo, .figureProduct, .figureCountry,
                .figureDevice, .figureKind, .figureType, .figureCurrency, .salesColumn,
            ]), use: sales)
        routes.get(
            "explain/subscription-events", "The journal entries behind a number of the Subscription Event report",
            query: .paged([.bundleID, .reportDay, .eventName, .figureProduct, .figureCountry]),
            use: subscriptionEvents)
        routes.get(
            "explain/financial", "The sales and the terms behind a figure of a fiscal month",
            query: .paged([.explainedMonth, .region, .figureCurrency, .figureApp, .paymentColumn]), use: financial)
        routes.get(
            "explain/statistics", "The journal entries behind a day or a column of a statistic",
            query: .paged([
                .bundleID, .statisticName, .reportDay, .statisticColumn, .figureFrom, .figureTo, .figureCurrency,
            ]), use: statistics)
        routes.get("explain/transactions/:id", "All postings of a transaction, and the reports that they are in") {
            (_: Call<NoBody>, context) in
            TransactionExplanationAnswer(
                try await context.store.explain.transaction(try context.namedTransaction()))
        }
    }

    private func sales(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ExplanationAnswer {
        let figure = SalesFigure(
            bundleID: try call.bundleIDOfQuery(),
            frequency: try call.frequency(), date: call.query(.periodDate), days: try call.days(),
            product: call.query(.figureProduct), country: call.query(.figureCountry),
            device: try call.value(.figureDevice), kind: try call.value(.figureKind), type: call.query(.figureType),
            currency: call.query(.figureCurrency).map { Currency(rawValue: $0) },
            column: try call.value(.salesColumn) ?? .proceeds)
        return ExplanationAnswer(try await context.store.explain.sales(figure, try call.page()))
    }

    private func subscriptionEvents(
        _ call: Call<NoBody>, _ context: ControlContext
    ) async throws -> ExplanationAnswer {
        let figure = SubscriptionEventFigure(
            bundleID: try call.bundleIDOfQuery(), date: call.query(.reportDay),
            event: call.words(.eventName), product: call.query(.figureProduct), country: call.query(.figureCountry))
        return ExplanationAnswer(try await context.store.explain.subscriptionEvents(figure, try call.page()))
    }

    private func financial(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ExplanationAnswer {
        let (month, region) = (try call.required(.explainedMonth), call.query(.region))
        let app = call.query(.figureApp).map { App.BundleID(rawValue: $0) }
        let explain = context.store.explain
        let column: PaymentFigure.Column? = try call.value(.paymentColumn)
        guard let column = column ?? (month == Explain.openMonths ? .owed : nil) else {
            return ExplanationAnswer(
                try await explain.financial(month: month, region: region, in: app, try call.page()))
        }
        return ExplanationAnswer(
            try await explain.financial(
                column, month: month, region: region,
                currency: call.query(.figureCurrency).map { Currency(rawValue: $0) }, in: app, try call.page()))
    }
}

extension ExplainRoutes {
    private func statistics(
        _ call: Call<NoBody>, _ context: ControlContext
    ) async throws -> StatisticExplanationAnswer {
        let name = try call.required(.statisticName)
        let statistic: Statistic = try ControlFields.value(name, field: "statistic")
        if let column = call.query(.statisticColumn) {
            guard let days = try call.days() else {
                throw ExplainError(.figureNotFound, "\(name) \(column)", "a column is explained from a day on")
            }
            let figure = StatisticColumnFigure(
                bundleID: try call.bundleIDOfQuery(), statistic: statistic, column: column, days: days,
                currency: call.query(.figureCurrency).map { Currency(rawValue: $0) })
            let explained = try await context.store.explain.column(figure, try call.page(), addsUpAll: true)
            return StatisticExplanationAnswer(
                statistic: name, definition: statistic.definition,
                measures: [ExplanationAnswer(explained.explanation)])
        }
        let explained = try await context.store.explain.statistic(
            StatisticFigure(
                bundleID: try call.bundleIDOfQuery(), statistic: statistic, date: call.query(.reportDay)),
            try call.page())
        return StatisticExplanationAnswer(
            statistic: name, definition: statistic.definition, measures: explained.map(ExplanationAnswer.init))
    }
}

extension QueryParameter {
    fileprivate static let statisticName = QueryParameter("statistic", isRequired: true, .oneOf(Statistic.self))
    fileprivate static let periodDate = QueryParameter(
        "date",
        .reportDate(
            "Of the frequency: a day, the Sunday that ends a week, a month such as 2026-10 or a year such as 2026; the "
                + "newest by default"))
    fileprivate static let figureFrom = QueryParameter(
        "from", .day("With `to`: the first day of any span, instead of a date and a frequency"))
    fileprivate static let figureTo = QueryParameter("to", .day("The last day"))
    fileprivate static let figureCurrency = QueryParameter(
        "currency", .pattern("^[A-Z]{3}$", "Only sales in this currency"))
    fileprivate static let reportDay = QueryParameter("date", .day("A day of the report; yesterday by default"))
    fileprivate static let reportFrequency = QueryParameter("frequency", .oneOf(ReportFrequency.self))
    fileprivate static let figureProduct = QueryParameter(
        "product", .described("Only this product's; the bundle ID for the app itself"))
    fileprivate static let figureCountry = QueryParameter("country", .country)
    fileprivate static let figureDevice = QueryParameter("device", .oneOf(FigureDevice.self))
    fileprivate static let figureKind = QueryParameter("kind", .oneOf(ProductType.self))
    fileprivate static let figureApp = QueryParameter("bundleId", .described("Only the sales of this app"))
    fileprivate static let paymentColumn = QueryParameter("column", .oneOf(PaymentFigure.Column.self))
    fileprivate static let statisticColumn = QueryParameter(
        "column",
        .described("A column of the statistic, such as `rate` or `month-3`, over the days `from` and `to`"))
    fileprivate static let figureType = QueryParameter("type", .described("A product type identifier, such as IA1"))
    fileprivate static let salesColumn = QueryParameter("column", .oneOf(SalesFigure.Column.self))
    fileprivate static let eventName = QueryParameter("event", .described("Of the report's Event column"))
    fileprivate static let explainedMonth = QueryParameter(
        "month", isRequired: true,
        .pattern(
            "^(?:open|(?:19[7-9][0-9]|[2-9][0-9]{3})-(?:0[1-9]|1[0-2]))$",
            "A fiscal month, or `open` for all that aren't closed"))
    fileprivate static let region = QueryParameter("region", .region)
    fileprivate static let afterEntry = QueryParameter(
        "after", .pattern("^[0-9]{1,18}-[0-9]{1,18}$", "The `next` of the page before"))
    fileprivate static let entryLimit = QueryParameter(
        "limit", .range(Explanation.Page.limits), type: "integer")

    fileprivate static func page<Body: CallBody>(of call: Call<Body>) throws -> Explanation.Page {
        var page = Explanation.Page()
        if let text = call.query(afterEntry) {
            guard let place = Explanation.Place(text) else {
                throw APIError(
                    .badRequest, "malformedRequest", "after is the next of an earlier answer", field: "after")
            }
            page.after = place
        }
        if let text = call.query(entryLimit) {
            let limits = Explanation.Page.limits
            guard let limit = Int(text), limits.contains(limit) else {
                throw APIError(
                    .badRequest, "malformedRequest", "limit is \(limits.lowerBound) to \(limits.upperBound)",
                    field: "limit")
            }
            page.limit = limit
        }
        return page
    }
}

/// The lengths of periods, with the words of control/v1/reports.
private enum ReportFrequency: String, CaseIterable {
    case daily, weekly, monthly, yearly
}

extension [QueryParameter] {
    /// Adds the parameters of a list with pages.
    fileprivate static func paged(_ parameters: [QueryParameter]) -> [QueryParameter] {
        parameters + [.afterEntry, .entryLimit]
    }
}

extension Call {
    /// - Throws: ``APIError`` `malformedRequest`.
    fileprivate func page() throws -> Explanation.Page { try QueryParameter.page(of: self) }

    /// - Throws: ``APIError`` `malformedRequest` with the values there are.
    fileprivate func frequency() throws -> ReportPeriod.Frequency {
        let frequency: ReportFrequency = try value(.reportFrequency) ?? .daily
        switch frequency {
        case .daily: return .daily
        case .weekly: return .weekly
        case .monthly: return .monthly
        case .yearly: return .yearly
        }
    }

    /// Returns the days of `from` and `to`; `nil` without them.
    ///
    /// - Throws: ``APIError`` `malformedRequest`; ``ExplainError`` `.figureNotFound` for a span without days.
    fileprivate func days() throws -> ClosedRange<PacificDay>? {
        guard let first = query(.figureFrom) ?? query(.figureTo) else { return nil }
        guard let from = PacificDay(first), let to = PacificDay(query(.figureTo) ?? first) else {
            throw APIError(
                .badRequest, "malformedRequest", "from and to are days such as 2026-10-03", field: "from")
        }
        guard from <= to else {
            throw ExplainError(.figureNotFound, "\(from) to \(to)", "the first day is after the last")
        }
        return from...to
    }

    /// Returns a parameter whose values have no plus sign: it stands for a space, as HTML forms and Python write one.
    fileprivate func words(_ parameter: QueryParameter) -> String? {
        query(parameter)?.replacing("+", with: " ")
    }

    /// - Throws: ``APIError`` `malformedRequest` with the values there are.
    fileprivate func value<Value: RawRepresentable<String> & CaseIterable>(
        _ parameter: QueryParameter
    ) throws -> Value? {
        try words(parameter).map { try ControlFields.value($0, field: parameter.name) }
    }
}
