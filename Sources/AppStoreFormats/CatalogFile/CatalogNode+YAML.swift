extension CatalogNode {
    /// The longest line on which keys or a list are written in brackets.
    private static let longestLine = 110

    /// The tree as the text of a YAML file, which reads as the same tree.
    package var yaml: String {
        var text = ""
        switch self {
        case .keys(let members) where !members.isEmpty: Self.append(members, indent: "", to: &text)
        case .list(let elements) where !elements.isEmpty: Self.append(elements, indent: "", to: &text)
        default: text = inline + "\n"
        }
        return text
    }

    private static func append(_ members: [Member], indent: String, to text: inout String) {
        for (index, member) in members.enumerated() {
            // The first key of a list's element follows its dash.
            if index > 0 || !text.hasSuffix("- ") { text += indent }
            text += YAMLText.quoted(member.key, inBrackets: false) + ":"
            member.node.appendValue(indent: indent, to: &text)
        }
    }

    private static func append(_ elements: [CatalogNode], indent: String, to text: inout String) {
        for element in elements {
            text += "\(indent)- "
            switch element {
            case .keys(let members) where !members.isEmpty && !element.fits(after: indent.utf8.count + 2):
                append(members, indent: indent + "  ", to: &text)
            case .list(let inner) where !inner.isEmpty && !element.fits(after: indent.utf8.count + 2):
                text.removeLast()
                text += "\n"
                append(inner, indent: indent + "  ", to: &text)
            default: text += element.inline(inBrackets: false) + "\n"
            }
        }
    }

    private func appendValue(indent: String, to text: inout String) {
        let column = text.utf8.reversed().prefix { $0 != UInt8(ascii: "\n") }.count + 1
        switch self {
        case .keys(let members) where !members.isEmpty && !fits(after: column):
            text += "\n"
            Self.append(members, indent: indent + "  ", to: &text)
        case .list(let elements) where !elements.isEmpty && !fits(after: column):
            text += "\n"
            Self.append(elements, indent: indent + "  ", to: &text)
        default: text += " \(inline(inBrackets: false))\n"
        }
    }

    /// Returns true for keys or a list that are short and hold at most one further level.
    private func fits(after column: Int) -> Bool {
        guard count <= 16, depth <= 2 else { return false }
        return column + inline.utf8.count <= Self.longestLine
    }

    private var depth: Int {
        switch self {
        case .text, .literal: 0
        case .list(let elements): 1 + (elements.map(\.depth).max() ?? 0)
        case .keys(let members): 1 + (members.map(\.node.depth).max() ?? 0)
        }
    }

    private var count: Int {
        switch self {
        case .text, .literal: 1
        case .list(let elements): elements.count
        case .keys(let members): members.count
        }
    }

    /// The node on one line, as between brackets.
    package var inline: String { inline(inBrackets: true) }

    private func inline(inBrackets: Bool) -> String {
        switch self {
        case .literal(let text): text
        case .text(let text): YAMLText.quoted(text, inBrackets: inBrackets)
        case .list(let elements): "[" + elements.map(\.inline).joined(separator: ", ") + "]"
        case .keys(let members):
            "{"
                + members.map { "\(YAMLText.quoted($0.key, inBrackets: true)): \($0.node.inline)" }
                .joined(separator: ", ") + "}"
        }
    }
}

/// Texts in YAML.
enum YAMLText {
    /// The words that YAML reads as something else than text, in lower case.
    private static let words: Set<String> = ["true", "false", "null", "yes", "no", "on", "off", "y", "n", "~"]

    /// Returns the text itself if YAML reads it as this text, otherwise the text in quotes.
    static func quoted(_ text: String, inBrackets: Bool) -> String {
        isPlain(text, inBrackets: inBrackets) ? text : quoted(text)
    }

    private static func isPlain(_ text: String, inBrackets: Bool) -> Bool {
        let scalars = text.unicodeScalars
        guard let first = scalars.first, let last = scalars.last, isWord(first), last != " " else { return false }
        guard !words.contains(text.lowercased()), !readsAsNumber(text) else { return false }
        return scalars.allSatisfy {
            isWord($0) || " ./+@-".unicodeScalars.contains($0) || !inBrackets && ",'()".unicodeScalars.contains($0)
        }
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        scalar == "_" || scalar.properties.isAlphabetic || ("0"..."9").contains(scalar)
    }

    /// Returns true for texts that some reader takes for a number or a date: of digits, dots, signs, and `e` or `x`.
    private static func readsAsNumber(_ text: String) -> Bool {
        guard let first = text.utf8.first, (48...57).contains(first) else { return false }
        return text.utf8.allSatisfy { (48...57).contains($0) || ".-+_exEXoabcdfABCDFtT".utf8.contains($0) }
    }

    private static func quoted(_ text: String) -> String {
        var quoted = "\""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "\"": quoted += "\\\""
            case "\\": quoted += "\\\\"
            case "\n": quoted += "\\n"
            case "\r": quoted += "\\r"
            case "\t": quoted += "\\t"
            case "\u{20}"..."\u{7E}", "\u{A0}"..."\u{2027}", "\u{202A}"..."\u{D7FF}", "\u{E000}"..."\u{FEFE}",
                "\u{FF00}"..."\u{FFFD}", "\u{10000}"...:
                quoted.unicodeScalars.append(scalar)
            case "\u{00}"..."\u{FF}": quoted += "\\x" + hexadecimal(scalar, digits: 2)
            default: quoted += "\\u" + hexadecimal(scalar, digits: 4)
            }
        }
        return quoted + "\""
    }

    private static func hexadecimal(_ scalar: Unicode.Scalar, digits: Int) -> String {
        let text = String(scalar.value, radix: 16)
        return String(repeating: "0", count: max(0, digits - text.count)) + text
    }
}
