/// Aligned columns of text, two spaces apart, as wide as their widest cell or as the terminal permits.
struct TextTable {
    private static let gap = "  "
    /// The narrowest that a column becomes to make a table fit.
    private static let minimumColumnWidth = 8

    private var rows: [[String]]
    private let hasHeadings: Bool

    /// Makes a table below its headings.
    init(_ headings: [String], _ rows: [[String]]) {
        self.rows = [headings] + rows
        hasHeadings = true
    }

    /// Makes a list of names with their values; omits a name without a value.
    init(_ members: [(name: String, value: String?)]) {
        rows = members.compactMap { member in member.value.map { [member.name, $0] } }
        hasHeadings = false
    }

    /// The table for standard output.
    var text: String { text(columns: Terminal.output.columns, style: Terminal.output) }

    /// Renders the table.
    ///
    /// - Parameter columns: The width to fit; cells that are too long continue on further lines. `nil` for no limit.
    func text(columns limit: Int?, style: Terminal.OutputStream? = nil) -> String {
        let cells = rows.map { $0.map(\.oneLine) }
        let widths = widths(of: cells, limit: limit)
        return cells.enumerated().map { index, row in
            let text = lines(of: row, widths)
            guard index == 0, hasHeadings, let style else { return text }
            return style.styled(text, .bold)
        }.joined(separator: "\n")
    }

    /// The width of each column: that of its widest cell, or less in the widest columns of a table that would not fit.
    private func widths(of cells: [[String]], limit: Int?) -> [Int] {
        let count = cells.map(\.count).max() ?? 0
        var widths = (0..<count).map { column in
            cells.map { column < $0.count ? $0[column].count : 0 }.max() ?? 0
        }
        guard let limit else { return widths }
        let available = limit - Self.gap.count * max(0, count - 1)
        while widths.reduce(0, +) > available, let widest = widths.indices.max(by: { widths[$0] < widths[$1] }),
            widths[widest] > Self.minimumColumnWidth
        {
            widths[widest] -= 1
        }
        return widths
    }

    private func lines(of row: [String], _ widths: [Int]) -> String {
        let wrapped = zip(row, widths).map { Self.wrap($0, to: $1) }
        let height = wrapped.map(\.count).max() ?? 0
        return (0..<height).map { line in
            let padded = zip(wrapped, widths).map { pieces, width in
                let cell = line < pieces.count ? pieces[line] : ""
                return cell + String(repeating: " ", count: width - cell.count)
            }
            let text = padded.joined(separator: Self.gap)
            return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
        }.joined(separator: "\n")
    }

    /// Breaks a text into pieces of a width, at spaces where there are some.
    private static func wrap(_ text: String, to width: Int) -> [String] {
        var rest = Substring(text)
        var pieces: [String] = []
        while rest.count > max(1, width) {
            let piece = rest.prefix(max(1, width))
            // A space right behind the piece ends it, too.
            let isWhole = rest[piece.endIndex] == " "
            let end = isWhole ? piece.endIndex : piece.lastIndex(of: " ") ?? piece.endIndex
            pieces.append(String(rest[..<end]))
            rest = rest[end...].drop { $0 == " " }
        }
        return pieces + [String(rest)]
    }
}

extension String {
    /// The text without line breaks and control characters, which a terminal would obey.
    var oneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
