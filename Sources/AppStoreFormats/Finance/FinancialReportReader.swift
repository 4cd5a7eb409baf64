/// The contents of a financial report's file, found by the names of its columns.
package struct FinancialReportReader {
    /// The reason that a text is no financial report.
    package struct Malformed: Error, Equatable {
        package let line: Int
        package let reason: String
    }

    /// The rows, with their fields by column in lower case.
    package private(set) var rows: [[String: String]] = []
    /// The lines of totals: `Total_Rows`, `Total_Amount`, `Total_Units`, with their fields.
    package private(set) var totals: [(name: String, fields: [String])] = []
    /// The rows of the second section, by country; empty in a region's file.
    package private(set) var countries: [[String: String]] = []

    /// Reads a file of one region, of all regions, or of details.
    ///
    /// - Throws: ``Malformed`` for a row with more fields than columns, and for rows that `Total_Rows` doesn't count.
    package init(_ text: String) throws(Malformed) {
        var headers: [String] = []
        for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).enumerated()
        where !line.isEmpty {
            let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
            if fields[0].hasPrefix("Total_") {
                totals.append((fields[0], Array(fields.dropFirst())))
                headers = []
            } else if headers.isEmpty {
                headers = fields.map { $0.lowercased() }
            } else {
                guard fields.count <= headers.count else {
                    throw Malformed(
                        line: index + 1, reason: "\(fields.count) fields below \(headers.count) columns")
                }
                // An older file ends with a section of its own.
                let row = Dictionary(zip(headers, fields)) { first, _ in first }
                if totals.isEmpty { rows.append(row) } else { countries.append(row) }
            }
        }
        if let total = totals.first(where: { $0.name == "Total_Rows" }), total.fields.first != "\(rows.count)" {
            throw Malformed(line: 0, reason: "Total_Rows isn't the number of rows, which is \(rows.count)")
        }
    }
}

/// The contents of a payments summary, found by the names of its columns.
package struct PaymentsSummaryReader {
    package let title: String
    /// The rows of regions, with their fields by column.
    package private(set) var regions: [[String: String]] = []
    package private(set) var total: [String: String] = [:]

    /// Reads `financial_report.csv`; `nil` if it has no line with columns.
    package init?(_ text: String) {
        let lines = text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map { Self.fields($0) }
        guard let head = lines.firstIndex(where: { $0.first == "Region (Currency)" }) else { return nil }
        title = lines[0].first ?? ""
        for line in lines[(head + 1)...] where line.count == lines[head].count {
            let row = Dictionary(zip(lines[head], line)) { first, _ in first }
            if line[0] == "Total" { total = row } else { regions.append(row) }
        }
    }

    private static func fields(_ line: Substring) -> [String] {
        var fields = [""]
        var isQuoted = false
        var rest = line
        while let character = rest.popFirst() {
            switch character {
            case "\"" where isQuoted && rest.first == "\"":
                fields[fields.count - 1].append("\"")
                rest.removeFirst()
            case "\"": isQuoted.toggle()
            case "," where !isQuoted: fields.append("")
            default: fields[fields.count - 1].append(character)
            }
        }
        return fields
    }
}
