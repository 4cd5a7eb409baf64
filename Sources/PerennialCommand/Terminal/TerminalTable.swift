/// Aligned columns of text, two spaces apart, as wide as their widest cell or as the terminal permits.
///
/// On a terminal that is too narrow, cells continue on further lines at spaces: an ID is never broken. Where even that
/// is too wide, each row is a list of its columns with their values.
struct TerminalTable {
    private static let gap = "  "

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
    var text: String { text(columns: Terminal.columns, style: Terminal.output) }

    /// Renders the table.
    ///
    /// - Parameter columns: The width to fit; `nil` for no limit. A word that is longer is printed whole.
    func text(columns limit: Int?, style: Terminal.OutputStream? = nil) -> String {
        let cells = rows.map { $0.map(\.oneLine) }
        guard let widths = Self.widths(of: cells, limit: limit) else {
            let width = limit ?? .max
            guard hasHeadings, let headings = cells.first else { return Self.list(cells, width, style) }
            return cells.dropFirst().map { Self.list(zip(headings, $0).map { [$0, $1] }, width, style) }
                .joined(separator: "\n\n")
        }
        return cells.enumerated().map { index, row in
            let text = Self.lines(of: row, widths)
            guard index == 0, hasHeadings, let style else { return text }
            return style.styled(text, .bold)
        }.joined(separator: "\n")
    }

    /// Returns the width of each column: that of its widest cell, or less in the widest columns of a table that would not
    /// fit; `nil` if a column would be narrower than one of its words.
    private static func widths(of cells: [[String]], limit: Int?) -> [Int]? {
        let count = cells.map(\.count).max() ?? 0
        func widest(_ width: (String) -> Int) -> [Int] {
            (0..<count).map { column in cells.map { column < $0.count ? width($0[column]) : 0 }.max() ?? 0 }
        }
        var widths = widest(\.displayWidth)
        guard let limit else { return widths }
        let least = widest { $0.split(separator: " ").map { String($0).displayWidth }.max() ?? 0 }
        let available = limit - gap.count * max(0, count - 1)
        while widths.reduce(0, +) > available {
            let shrinking = widths.indices.filter { widths[$0] > least[$0] }
            guard let column = shrinking.max(by: { widths[$0] < widths[$1] }) else { return nil }
            widths[column] -= 1
        }
        return widths
    }

    /// Returns names with their values, each beside its name or, if a word of it is too long, below.
    private static func list(_ members: [[String]], _ limit: Int, _ style: Terminal.OutputStream?) -> String {
        let width = members.compactMap { $0.first?.displayWidth }.max() ?? 0
        let room = limit - width - gap.count
        return members.map { member in
            let (name, value) = (member.first ?? "", member.dropFirst().first ?? "")
            let heading = style?.styled(name, .bold) ?? name
            let longest = value.split(separator: " ").map { String($0).displayWidth }.max() ?? 0
            guard longest <= room else {
                let lines = wrap(value, to: limit - gap.count)
                return ([heading] + lines.map { gap + $0 }).joined(separator: "\n")
            }
            let indent = String(repeating: " ", count: width + gap.count)
            let lines = wrap(value, to: room)
            return heading + String(repeating: " ", count: width - name.displayWidth) + gap
                + lines.joined(separator: "\n" + indent)
        }.joined(separator: "\n")
    }

    private static func lines(of row: [String], _ widths: [Int]) -> String {
        let wrapped = zip(row, widths).map { wrap($0, to: $1) }
        let height = wrapped.map(\.count).max() ?? 0
        return (0..<height).map { line in
            let padded = zip(wrapped, widths).map { pieces, width in
                let cell = line < pieces.count ? pieces[line] : ""
                return cell + String(repeating: " ", count: max(0, width - cell.displayWidth))
            }
            let text = padded.joined(separator: gap)
            return String(text[..<(text.lastIndex { $0 != " " }.map(text.index(after:)) ?? text.startIndex)])
        }.joined(separator: "\n")
    }

    /// Breaks a text at spaces into pieces of a width. A word that is longer is a piece of its own.
    private static func wrap(_ text: String, to width: Int) -> [String] {
        guard text.displayWidth > width else { return [text] }
        var pieces: [String] = []
        var piece = ""
        for word in text.split(separator: " ") {
            let longer = piece.isEmpty ? String(word) : "\(piece) \(word)"
            guard longer.displayWidth > width, !piece.isEmpty else {
                piece = longer
                continue
            }
            pieces.append(piece)
            piece = String(word)
        }
        return pieces + [piece]
    }
}

extension String {
    /// The text without line breaks and control characters, which a terminal would obey.
    var oneLine: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }

    /// The columns of a terminal that the text takes: two for an ideograph or an emoji, none for a combining mark.
    var displayWidth: Int {
        if utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return utf8.count }
        return reduce(0) { $0 + $1.displayWidth }
    }
}

extension Character {
    /// The blocks whose characters are wide or full-width (Unicode Standard Annex #11).
    private static let wide: [ClosedRange<UInt32>] = [
        0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xA000...0xA4CF,
        0xA960...0xA97F, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE10...0xFE19, 0xFE30...0xFE6F, 0xFF01...0xFF60,
        0xFFE0...0xFFE6, 0x1F900...0x1F9FF, 0x20000...0x3FFFD,
    ]

    fileprivate var displayWidth: Int {
        guard let first = unicodeScalars.first else { return 0 }
        let isEmoji = first.properties.isEmojiPresentation || unicodeScalars.contains("\u{FE0F}")
        if isEmoji || Self.wide.contains(where: { $0.contains(first.value) }) { return 2 }
        switch first.properties.generalCategory {
        case .nonspacingMark, .enclosingMark, .format, .control: return 0
        default: return 1
        }
    }
}
