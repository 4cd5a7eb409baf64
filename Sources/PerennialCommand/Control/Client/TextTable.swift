/// Columns for people: as wide as their widest cell, two spaces apart.
struct TextTable {
    private static let gap = "  "

    private var rows: [[String]]

    /// A table below its headings.
    init(_ headings: [String], _ rows: [[String]]) {
        self.rows = [headings] + rows
    }

    /// Names and what they stand for; without a value a name is left out.
    init(_ members: [(name: String, value: String?)]) {
        rows = members.compactMap { member in member.value.map { [member.name, $0] } }
    }

    var text: String {
        let cells = rows.map { $0.map(\.oneLine) }
        let columns = cells.map(\.count).max() ?? 0
        let widths = (0..<columns).map { column in
            cells.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        return cells.map { row in
            let padded = zip(row, widths).map { cell, width in
                cell + String(repeating: " ", count: width - cell.count)
            }
            let line = padded.joined(separator: Self.gap)
            return String(line[..<(line.lastIndex { $0 != " " }.map(line.index(after:)) ?? line.startIndex)])
        }.joined(separator: "\n")
    }
}
