/// Reads markup for tests: the tags in their order, with their attributes and the text that follows each.
struct Markup {
    struct Tag {
        var name: String
        var isEnd = false
        var attributes: [String: String] = [:]
        /// Up to the next tag, as it is written.
        var text = ""
    }

    private(set) var tags: [Tag] = []
    /// The first end that doesn't fit its beginning.
    private(set) var problem: String?

    private static let void: Set<String> = [
        "!doctype", "meta", "link", "input", "br", "path", "polyline", "rect", "line", "circle",
        "wbr",
    ]

    init(_ html: String) {
        var rest = Substring(html)
        while let start = rest.firstIndex(of: "<") {
            if !tags.isEmpty { tags[tags.count - 1].text = String(rest[..<start]) }
            rest = rest[rest.index(after: start)...]
            tags.append(Self.tag(&rest))
        }
        var open: [String] = []
        for tag in tags where problem == nil && !Self.void.contains(tag.name) {
            if !tag.isEnd {
                open.append(tag.name)
            } else if open.popLast() != tag.name {
                problem = "</\(tag.name)> after \(tag.text.prefix(60))"
            }
        }
        if problem == nil, !open.isEmpty { problem = "open: \(open)" }
    }

    /// Reads a tag after its `<`.
    private static func tag(_ rest: inout Substring) -> Tag {
        var tag = Tag(name: "")
        if rest.first == "/" {
            tag.isEnd = true
            rest.removeFirst()
        }
        tag.name = take(&rest) { !" />".contains($0) && !$0.isNewline }.lowercased()
        while let first = rest.first, first != ">" {
            guard first != "/", !first.isWhitespace else {
                rest.removeFirst()
                continue
            }
            let name = take(&rest) { !"= />".contains($0) && !$0.isNewline }
            var value = ""
            if rest.first == "=" {
                rest.removeFirst()
                let quote = rest.first == "\"" || rest.first == "'" ? rest.removeFirst() : " "
                value = take(&rest) { $0 != quote && (quote != " " || $0 != ">") }
                if quote != " " { rest = rest.dropFirst() }
            }
            tag.attributes[name] = value
        }
        rest = rest.dropFirst()
        return tag
    }

    private static func take(_ rest: inout Substring, while holds: (Character) -> Bool) -> String {
        let part = rest.prefix(while: holds)
        rest = rest[part.endIndex...]
        return String(part)
    }

    func all(_ names: String...) -> [Tag] { tags.filter { names.contains($0.name) && !$0.isEnd } }
}
