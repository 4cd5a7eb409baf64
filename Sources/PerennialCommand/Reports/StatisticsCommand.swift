import ArgumentParser
import Foundation
import Perennial

/// `perennial report statistics`: a statistic with its definition, or the list of all.
struct StatisticsCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "statistics", "Print a statistic, such as mrr or trials; without a name, all of them with their definitions.",
        """
        Days are days in Pacific time, and periods are whole: --frequency monthly extends the first and the last to whole months. \
        Money has a row for each currency, unless --currency names one to convert it to at the exchange rates that were \
        loaded for the closings of months.
        """,
        examples: [
            "report statistics", "report statistics mrr --frequency monthly",
            "report statistics trials --from 2026-09-01 --to 2026-09-30 --frequency weekly --group-by product --format csv",
            "report statistics ltv-per-customer --frequency monthly --window 90",
        ])

    enum Group: String, ExpressibleByArgument, CaseIterable {
        case all, product, storefront, device, version
    }

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, csv, json
    }

    /// The length of a row's period, spelled as in reports.
    enum Frequency: String, ExpressibleByArgument, CaseIterable {
        case daily, weekly, monthly

        var interval: StatisticInterval {
            switch self {
            case .daily: .day
            case .weekly: .week
            case .monthly: .month
            }
        }
    }

    @Argument(help: ArgumentHelp("The statistic.", valueName: "name"))
    var name: Statistic?

    @OptionGroup var app: AppOption

    @Option(
        help: ArgumentHelp("The first day; if omitted, thirty days or twelve months are shown.", valueName: "date"))
    var from: String?

    @Option(help: ArgumentHelp("The last day; today if omitted.", valueName: "date"))
    var to: String?

    @Option(help: ArgumentHelp("daily, weekly or monthly.", valueName: "frequency"))
    var frequency = Frequency.daily

    @Option(help: ArgumentHelp("all, product, storefront, device or version.", valueName: "property"))
    var groupBy = Group.all

    @Option(help: ArgumentHelp("The currency to convert money to.", valueName: "code"))
    var currency: String?

    @Option(
        help: ArgumentHelp(
            "Days since a customer was first seen that count, of conversions and lifetime values: 0, 7, 30, 90, 180 or 365.",
            valueName: "days"))
    var window: Int?

    @Option(help: ArgumentHelp("table, csv or json.", valueName: "format"))
    var format = Format.table

    @OptionGroup var store: StoreOptions

    var names: StoreNames { StoreNames(app: app.bundleID) }

    private struct List: Decodable {
        struct Item: Decodable {
            var name: String
            var definition: String
        }

        var statistics: [Item]
    }

    private struct Table: Decodable {
        struct Column: Decodable {
            var name: String
            var unit: String
        }

        struct Row: Decodable {
            var period: String
            var group: String?
            var currency: String?
            var values: [String]
        }

        var definition: String
        var columns: [Column]
        var rows: [Row]
    }

    func report(from client: StoreClient) async throws -> Report {
        guard let name else {
            let answer: StoreAnswer<List> = try await client.get("control/v1/statistics")
            let rows = answer.value.statistics.map { [$0.name, $0.definition] }
            return report(answer.json, headings: ["name", "definition"], rows)
        }
        let bundleID = try await client.app(app.bundleID)
        let parameters = [
            "bundleId": bundleID, "from": from, "to": to, "by": frequency.interval.rawValue, "group": groupBy.rawValue,
            "currency": currency, "window": window.map(String.init),
        ]
        let query = parameters.compactMap { name, value in value.map { "\(name)=\($0.percentEncoded)" } }.sorted()
        let answer: StoreAnswer<Table> = try await client.get(
            "control/v1/statistics/\(name.rawValue)?\(query.joined(separator: "&"))")
        let table = answer.value
        let hasCurrency = table.rows.contains { $0.currency != nil }
        let headings =
            ["period"] + (groupBy == .all ? [] : [groupBy.rawValue]) + (hasCurrency ? ["currency"] : [])
            + table.columns.map { $0.unit == "percent" && format == .table ? "\($0.name) %" : $0.name }
        let rows = table.rows.map { row in
            [row.period] + (groupBy == .all ? [] : [row.group ?? ""]) + (hasCurrency ? [row.currency ?? ""] : [])
                + row.values
        }
        return report(answer.json, definition: table.definition, headings: headings, rows)
    }

    private func report(
        _ json: [UInt8], definition: String? = nil, headings: [String], _ rows: [[String]]
    ) -> Report {
        let words =
            switch format {
            case .json: String(decoding: json, as: UTF8.self)
            case .csv: ([headings] + rows).map { $0.map(Self.cell).joined(separator: ",") }.joined(separator: "\n")
            case .table:
                [definition, TerminalTable(headings.map { $0.uppercased() }, rows).text].compactMap { $0 }
                    .joined(separator: "\n\n")
            }
        return Report(words: words, json: json)
    }

    /// Returns a cell of RFC 4180.
    private static func cell(_ text: String) -> String {
        guard text.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return text }
        return "\"\(text.replacing("\"", with: "\"\""))\""
    }
}
