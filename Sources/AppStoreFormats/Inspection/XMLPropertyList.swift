/// Reads property lists in XML as values of JSON: data is a text in base64, a date is a text.
///
/// Foundation's reader follows nesting as deep as it goes, and entities; this one takes what receipts come in.
struct XMLPropertyList {
    private static let maximumDepth = 32

    private var rest: ArraySlice<UInt8>

    /// Returns true for text that begins like a property list, or like an element of one.
    static func begins(_ text: String) -> Bool {
        ["<?xml", "<!DOCTYPE plist", "<plist", "<dict>", "<array>", "<data>", "<key>"].contains {
            text.hasPrefix($0)
        }
    }

    /// - Returns: `nil` for text that is no property list.
    static func value(of text: String) -> StoreKitJSON? {
        // Members that were copied without what is around them.
        let whole = text.hasPrefix("<key>") ? "<dict>\(text)</dict>" : text
        var reader = XMLPropertyList(rest: Array(whole.utf8)[...])
        guard var tag = reader.nextTag() else { return nil }
        while tag.hasPrefix("?") || tag.hasPrefix("!") {
            guard !tag.contains("["), let next = reader.nextTag() else { return nil }
            tag = next
        }
        if tag.hasPrefix("plist") {
            guard let next = reader.nextTag() else { return nil }
            tag = next
        }
        return reader.value(tag, depth: 0)
    }

    /// Returns the inside of the next tag, without the text before it; `nil` at the end. Comments are left out.
    private mutating func nextTag() -> String? {
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[(start + 1)...]
            if rest.starts(with: "!--".utf8) {
                guard skip(past: "-->") != nil else { return nil }
                continue
            }
            return skip(past: ">")
        }
        return nil
    }

    /// Returns the text up to a mark, and goes on after it; `nil` without such a mark.
    private mutating func skip(past mark: String) -> String? {
        let bytes = Array(mark.utf8)
        var place = rest.startIndex
        while let found = rest[place...].firstIndex(of: bytes[0]) {
            if rest[found...].starts(with: bytes) {
                let text = String(decoding: rest[..<found], as: UTF8.self)
                rest = rest[(found + bytes.count)...]
                return text
            }
            place = found + 1
        }
        return nil
    }

    private mutating func value(_ tag: String, depth: Int) -> StoreKitJSON? {
        guard depth < Self.maximumDepth else { return nil }
        switch tag {
        case "true/": return .bool(true)
        case "false/": return .bool(false)
        case "string/", "data/": return .string("")
        case "dict/": return .object(StoreKitJSON.Object([]))
        case "array/": return .array([])
        case "string", "date": return skip(past: "</\(tag)>").map { .string(Self.withoutEntities($0)) }
        case "data": return skip(past: "</data>").map { .string($0.filter { !$0.isWhitespace }) }
        case "integer", "real":
            return skip(past: "</\(tag)>").map { text in
                let digits = text.filter { !$0.isWhitespace }
                return Int64(digits) != nil ? .number(digits) : .string(digits)
            }
        case "array":
            var elements: [StoreKitJSON] = []
            while let next = nextTag() {
                if next == "/array" { return .array(elements) }
                guard let element = value(next, depth: depth + 1) else { return nil }
                elements.append(element)
            }
            return nil
        case "dict":
            var members: [StoreKitJSON.Object.Member] = []
            while let next = nextTag() {
                if next == "/dict" { return .object(StoreKitJSON.Object(members)) }
                guard next == "key", let name = skip(past: "</key>"), let tag = nextTag(),
                    let member = value(tag, depth: depth + 1)
                else { return nil }
                members.append(.init(Self.withoutEntities(name), member))
            }
            return nil
        default: return nil
        }
    }

    private static func withoutEntities(_ text: String) -> String {
        guard text.contains("&") else { return text }
        return text.replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&quot;", with: "\"")
            .replacing("&apos;", with: "'").replacing("&#10;", with: "\n").replacing("&amp;", with: "&")
    }
}
