/// Writes JSON with the layout of Xcode: two spaces a level, a space on both sides of the colon, and a blank line
/// inside of empty arrays and objects (reference: comparison of 22 public files).
enum StoreKitFileText {
    static func pretty(_ value: StoreKitJSON) -> String {
        var text = ""
        append(value, indent: "", to: &text)
        text += "\n"
        return text
    }

    private static func append(_ value: StoreKitJSON, indent: String, to text: inout String) {
        let inner = indent + "  "
        switch value {
        case .array(let elements):
            text += "[\n"
            for (index, element) in elements.enumerated() {
                text += index == 0 ? inner : ",\n\(inner)"
                append(element, indent: inner, to: &text)
            }
            text += "\n\(indent)]"
        case .object(let object):
            text += "{\n"
            for (index, member) in object.members.enumerated() {
                text += index == 0 ? inner : ",\n\(inner)"
                appendQuoted(member.key, to: &text)
                text += " : "
                append(member.value, indent: inner, to: &text)
            }
            text += "\n\(indent)}"
        default: appendScalar(value, to: &text)
        }
    }

    static func compact(_ value: StoreKitJSON) -> String {
        switch value {
        case .array(let elements): return "[" + elements.map(compact).joined(separator: ",") + "]"
        case .object(let object):
            let members = object.members.map { member in
                compact(.string(member.key)) + ":" + compact(member.value)
            }
            return "{" + members.joined(separator: ",") + "}"
        default:
            var text = ""
            appendScalar(value, to: &text)
            return text
        }
    }

    private static func appendScalar(_ value: StoreKitJSON, to text: inout String) {
        switch value {
        case .null: text += "null"
        case .bool(let value): text += value ? "true" : "false"
        case .number(let number): text += number
        case .string(let string): appendQuoted(string, to: &text)
        case .array, .object: break
        }
    }

    private static func appendQuoted(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"": text += "\\\""
            case "\\": text += "\\\\"
            case "\n": text += "\\n"
            case "\r": text += "\\r"
            case "\t": text += "\\t"
            case "\u{08}": text += "\\b"
            case "\u{0C}": text += "\\f"
            case "\u{00}"..<"\u{20}":
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}
