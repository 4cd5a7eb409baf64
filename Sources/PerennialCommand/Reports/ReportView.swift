import AppStoreFormats
import Perennial

/// A report file as the store lists it, and its forms on a terminal.
struct ReportView: Decodable {
    var name: String
    var columns: [String]
    var rows: [[String]]

    /// Returns the report in a form, without a line break at its end.
    ///
    /// - Throws: ``StoreClientError`` `.notUnderstood`.
    func text(_ format: ReportOptions.Format, of report: ReportLayout.Report) throws -> String {
        switch format {
        case .tsv: tsv
        case .csv: ([columns] + rows).map { $0.map(Self.quoted).joined(separator: ",") }.joined(separator: "\n")
        case .table, .json: try table(ReportColumns(report))
        }
    }

    /// The text of the file, with a space in blank cells.
    private var tsv: String {
        ([columns] + rows).map { row in row.map { $0.isEmpty ? " " : $0 }.joined(separator: "\t") }
            .joined(separator: "\n")
    }

    /// Returns a cell of RFC 4180.
    private static func quoted(_ cell: String) -> String {
        guard cell.contains(where: { $0 == "," || $0 == "\"" || $0.isNewline }) else { return cell }
        return "\"\(cell.replacing("\"", with: "\"\""))\""
    }

    private func table(_ columns: ReportColumns) throws -> String {
        guard let read = try? ReportTable(Array(tsv.utf8)) else {
            throw StoreClientError(.notUnderstood, name, "the answer is no report")
        }
        var cells = read.rows.map { row in columns.shown.map { row[$0.header] ?? "" } }
        for (index, column) in columns.shown.enumerated() where column.isNumber {
            let width = max(column.heading.count, cells.map { $0[index].count }.max() ?? 0)
            for row in cells.indices {
                let padding = width - cells[row][index].count
                cells[row][index] = String(repeating: " ", count: padding) + cells[row][index]
            }
        }
        let count = "\(rows.count) row\(rows.count == 1 ? "" : "s")"
        return
            "\(name): \(count)\n\n\(TerminalTable(columns.shown.map(\.heading), cells).text)\n\n\(columns.total(read))"
    }
}

/// The columns of a report that a table on a terminal has, and its totals.
struct ReportColumns {
    struct Column {
        var heading: String
        var header: String
        /// True for a column whose cells are aligned at their ends.
        var isNumber = false
    }

    let shown: [Column]
    private let counted: (header: String, word: String)
    /// The column with the currency of proceeds; `nil` for a report without proceeds of sales.
    private let currency: String?

    init(_ report: ReportLayout.Report) {
        switch report {
        case .sales:
            shown = Self.columns(
                "TYPE=Product Type Identifier, PRODUCT=SKU, COUNTRY=Country Code, DEVICE=Device, UNITS#=Units, "
                    + "PRICE#=Customer Price, PROCEEDS#=Developer Proceeds, CURRENCY=Currency of Proceeds")
            (counted, currency) = (("Units", "units"), "Currency of Proceeds")
        case .subscription:
            shown = Self.columns(
                "SUBSCRIPTION=Subscription Name, OFFER=Subscription Offer Name, COUNTRY=Country, DEVICE=Device, "
                    + "PRICE#=Customer Price, CURRENCY=Customer Currency, "
                    + "STANDARD#=Active Standard Price Subscriptions, "
                    + "TRIALS#=Active Free Trial Introductory Offer Subscriptions, RETRY#=Billing Retry, "
                    + "GRACE#=Grace Period, SUBSCRIBERS#=Subscribers")
            (counted, currency) = (("Subscribers", "subscribers"), nil)
        case .subscriptionEvent:
            shown = Self.columns(
                "EVENT=Event, SUBSCRIPTION=Subscription Name, OFFER=Subscription Offer Type, COUNTRY=Country, "
                    + "DEVICE=Device, QUANTITY#=Quantity")
            (counted, currency) = (("Quantity", "events"), nil)
        case .subscriber:
            shown = Self.columns(
                "SUBSCRIPTION=Subscription Name, OFFER=Subscription Offer Type, COUNTRY=Country, "
                    + "SUBSCRIBER=Subscriber ID, REFUND=Refund, UNITS#=Units, PRICE#=Customer Price, "
                    + "PROCEEDS#=Developer Proceeds, CURRENCY=Proceeds Currency")
            (counted, currency) = (("Units", "units"), "Proceeds Currency")
        case .offerCodeRedemption:
            shown = Self.columns(
                "SUBSCRIPTION=Subscription Name, OFFER=Offer Reference Name, CODE=Offer Code, COUNTRY=Territory, "
                    + "REDEMPTIONS#=Redemptions")
            (counted, currency) = (("Redemptions", "redemptions"), nil)
        }
    }

    /// Reads `HEADING=Header` pairs; `#` marks a number.
    private static func columns(_ list: String) -> [Column] {
        list.split(separator: ", ").compactMap { pair in
            let parts = pair.split(separator: "=").map(String.init)
            guard let heading = parts.first, let header = parts.last else { return nil }
            return Column(heading: heading.filter { $0 != "#" }, header: header, isNumber: heading.hasSuffix("#"))
        }
    }

    /// Returns the line below a table: what was counted, and the proceeds of all units by currency.
    func total(_ table: ReportTable) -> String {
        let count = table.rows.reduce(Int64(0)) { $0.clampedAdding($1.integer(counted.header) ?? 0) }
        var text = "Total: \(count) \(counted.word)"
        guard let currency else { return text }
        var sums: [String: Int64] = [:]
        for row in table.rows {
            let each = row.thousandths("Developer Proceeds") ?? 0
            let proceeds = each.clampedMultiplied(by: row.integer(counted.header) ?? 0)
            sums[row[currency] ?? "", default: 0] = (sums[row[currency] ?? ""] ?? 0).clampedAdding(proceeds)
        }
        let amounts = sums.filter { $0.value != 0 }.sorted { $0.key < $1.key }.map { code, sum in
            Money(milliunits: sum, Currency(rawValue: code)).description
        }
        if !amounts.isEmpty { text += ", proceeds \(amounts.joined(separator: ", "))" }
        return text
    }
}
