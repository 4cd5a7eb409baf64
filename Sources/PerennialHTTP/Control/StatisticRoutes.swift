import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// control/v1/statistics: statistics of an app's commerce, each with its definition.
struct StatisticRoutes {
    struct ListAnswer: AnswerModel {
        struct Item: Model, Encodable {
            var name: String
            /// One sentence that says what is counted.
            var definition: String
            /// The groupings of the statistic.
            var groups: [String]
            /// True if the statistic counts what customers do within days of the day they were first seen.
            var hasWindow: Bool
        }

        var statistics: [Item]
    }

    struct TableAnswer: AnswerModel {
        struct Column: Model, Encodable {
            var name: String
            var unit: String

            static let constraints: [String: Constraint] = ["unit": .oneOf(StatisticTable.Unit.self)]
        }

        struct Row: Model, Encodable {
            /// The first day of the period, or its month.
            var period: String
            /// The product, storefront, device or version of the row; left out for all.
            var group: String?
            var currency: String?
            /// A decimal number for each column; empty where it would be a share of nothing.
            var values: [String]
        }

        var statistic: String
        var definition: String
        var group: String
        var columns: [Column]
        var rows: [Row]
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("statistics", "The statistics, with their definitions") {
            (_: Call<NoBody>, _: ControlContext) in Self.list
        }
        routes.get(
            "statistics/:statistic", "A statistic of an app",
            query: [.bundleID, .from, .to, .interval, .group, .displayCurrency, .window], use: table)
    }

    private static let list = ListAnswer(
        statistics: Statistic.allCases.map {
            ListAnswer.Item(
                name: $0.rawValue, definition: $0.definition, groups: $0.dimensions.map(\.name),
                hasWindow: $0.hasWindow)
        })

    private func table(_ call: Call<NoBody>, _ context: ControlContext) async throws -> TableAnswer {
        guard let statistic = context.parameters.get("statistic").flatMap({ Statistic(rawValue: $0) }) else {
            let names = Statistic.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIError(.notFound, "statisticNotFound", "the statistics are \(names)")
        }
        var request = StatisticRequest(bundleID: try call.bundleIDOfQuery(), statistic: statistic)
        request.from = try call.day(.from)
        request.to = try call.day(.to)
        if let text = call.query(.interval) {
            request.interval = try ControlFields.value(text, field: QueryParameter.interval.name)
        }
        if let text = call.query(.group) { request.dimension = try call.dimension(text) }
        if let text = call.query(.displayCurrency) { request.currency = try call.currency(text) }
        if let text = call.query(.window) { request.window = try call.window(text) }
        return TableAnswer(try await context.store.statistics.table(request))
    }
}

extension StatisticRoutes.TableAnswer {
    fileprivate init(_ table: StatisticTable) {
        self.init(
            statistic: table.statistic.rawValue, definition: table.statistic.definition, group: table.dimension.name,
            columns: table.columns.map { Column(name: $0.name, unit: $0.unit.rawValue) },
            rows: table.rows.map { row in
                Row(
                    period: row.period, group: table.dimension == .all ? nil : row.group,
                    currency: row.currency?.rawValue,
                    values: row.values.map { $0?.text(row.currency) ?? "" })
            })
    }
}

extension StatisticValue {
    /// The number in decimal digits; of a percentage, with two after the point.
    fileprivate func text(_ currency: Currency?) -> String {
        switch self {
        case .count(let count): String(count)
        case .money(let milliunits): Money(milliunits: milliunits, currency ?? .usd).decimal
        case .percent(let hundredths):
            Money(milliunits: hundredths.clampedMultiplied(by: 10), .usd).decimal
        }
    }
}

extension QueryParameter {
    fileprivate static let from = QueryParameter("from", .day("The first day, in Pacific time"))
    fileprivate static let to = QueryParameter("to", .day("The last day, in Pacific time; today by default"))
    fileprivate static let interval = QueryParameter("by", .oneOf(StatisticInterval.self))
    fileprivate static let group = QueryParameter(
        "group", .pattern("^(?:all|product|storefront|device|version)$", "What rows are about; all by default"))
    fileprivate static let displayCurrency = QueryParameter(
        "currency", .pattern("^[A-Z]{3}$", "The currency to convert money to; a row for each currency by default"))
    fileprivate static let window = QueryParameter(
        "window", .pattern("^(?:0|7|30|90|180|365)$", "Days since a customer was first seen; unlimited by default"))
}

extension Call {
    /// - Throws: ``APIError`` `malformedRequest`.
    fileprivate func day(_ parameter: QueryParameter) throws -> PacificDay? {
        guard let text = query(parameter) else { return nil }
        guard let day = PacificDay(text) else { throw malformed(parameter, "is a day such as 2026-10-03") }
        return day
    }

    fileprivate func dimension(_ text: String) throws -> StatisticDimension {
        guard let dimension = StatisticDimension(name: text) else {
            let names = StatisticDimension.allCases.map(\.name).joined(separator: ", ")
            throw malformed(.group, "is one of: \(names)")
        }
        return dimension
    }

    fileprivate func currency(_ text: String) throws -> Currency {
        guard text.utf8.count == 3, text.utf8.allSatisfy({ (65...90).contains($0) }) else {
            throw malformed(.displayCurrency, "is a currency's code such as USD")
        }
        return Currency(rawValue: text)
    }

    fileprivate func window(_ text: String) throws -> CustomerWindow {
        guard let days = Int64(text), let window = CustomerWindow(rawValue: days), window != .unlimited else {
            throw malformed(.window, "is one of: 0, 7, 30, 90, 180, 365")
        }
        return window
    }

    private func malformed(_ parameter: QueryParameter, _ reason: String) -> APIError {
        APIError(.badRequest, "malformedRequest", "\(parameter.name) \(reason)", field: parameter.name)
    }
}
