import BaseEncoding

/// Takes layers off pasted text: quotation marks, names before it, URL-encoding, escapes, base64.
enum PastedText {
    /// Takes one layer off.
    ///
    /// - Returns: `nil` for text without one.
    static func unwrapped(_ text: String) -> (String, InspectionFinding)? {
        if let inner = withoutBearer(text) { return (inner, .init(.bearerRemoved)) }
        if let inner = withoutQuotes(text) { return (inner, .init(.quotesRemoved)) }
        if let (name, inner) = withoutName(text) { return (inner, .init(.labelRemoved, name)) }
        if let inner = withoutEscapes(text) { return (inner, .init(.escapesReplaced)) }
        if let inner = percentDecoded(text) { return (inner, .init(.percentDecoded)) }
        return nil
    }

    private static func withoutBearer(_ text: String) -> String? {
        var rest = Substring(text)
        for prefix in ["authorization:", "bearer "] {
            if rest.prefix(prefix.count).lowercased() == prefix {
                rest = rest.dropFirst(prefix.count).drop { $0 == " " }
            }
        }
        return rest.count < text.count ? String(rest) : nil
    }

    private static let quotes: [(Character, Character)] = [
        ("\"", "\""), ("'", "'"), ("`", "`"), ("“", "”"), ("„", "“"), ("«", "»"), ("<", ">"),
    ]

    private static func withoutQuotes(_ text: String) -> String? {
        var inner = Substring(text)
        while let last = inner.last, last == "," || last == ";" { inner = inner.dropLast() }
        guard let first = inner.first, let closing = quotes.first(where: { $0.0 == first })?.1 else {
            return inner.count < text.count ? String(inner) : nil
        }
        inner = inner.dropFirst()
        if inner.last == closing { inner = inner.dropLast() }
        return String(inner)
    }

    /// `receipt-data=`, `"signedPayload": `.
    private static func withoutName(_ text: String) -> (String, String)? {
        let head = text.prefix(42)
        guard let cut = head.firstIndex(where: { $0 == "=" || $0 == ":" }) else { return nil }
        let name = text[..<cut].filter { $0 != "\"" && $0 != "'" && $0 != " " }
        let rest = text[text.index(after: cut)...].drop { $0 == " " || $0 == ">" }
        guard (3...40).contains(name.count), rest.count >= 20, name.first?.isLetter == true,
            name.allSatisfy({ $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "-" || $0 == "_") })
        else { return nil }
        return (name, String(rest))
    }

    /// Replaces one level of the escapes of JSON.
    ///
    /// - Returns: `nil` for text without escapes.
    static func withoutEscapes(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "\\")) else { return nil }
        var (inner, isChanged) = ([UInt8](), false)
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            guard byte == UInt8(ascii: "\\"), let (replacement, length) = replacement(of: rest) else {
                inner.append(byte)
                continue
            }
            inner += replacement
            rest = rest.dropFirst(length)
            isChanged = true
        }
        return isChanged ? String(decoding: inner, as: UTF8.self) : nil
    }

    /// Returns the text that an escape stands for, and the length of what follows its backslash.
    private static func replacement(of escape: ArraySlice<UInt8>) -> (text: [UInt8], length: Int)? {
        switch escape.first {
        case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return (Array(escape.prefix(1)), 1)
        case UInt8(ascii: "n"): return ([UInt8(ascii: "\n")], 1)
        case UInt8(ascii: "r"), UInt8(ascii: "t"): return ([UInt8(ascii: " ")], 1)
        case UInt8(ascii: "u"):
            let digits = escape.dropFirst().prefix(4).compactMap(Hexadecimal.value)
            guard digits.count == 4,
                let scalar = Unicode.Scalar(digits.reduce(UInt32(0)) { $0 << 4 | UInt32(clamping: $1) })
            else {
                return nil
            }
            return (Array(String(Character(scalar)).utf8), 5)
        default: return nil
        }
    }

    private static func percentDecoded(_ text: String) -> String? {
        guard text.utf8.contains(UInt8(ascii: "%")) else { return nil }
        var bytes: [UInt8] = []
        var isEncoded = false
        var rest = Array(text.utf8)[...]
        while let byte = rest.popFirst() {
            if byte == UInt8(ascii: "%"), let high = rest.first.flatMap(Hexadecimal.value),
                let low = rest.dropFirst().first.flatMap(Hexadecimal.value)
            {
                bytes.append(high << 4 | low)
                rest = rest.dropFirst(2)
                isEncoded = true
            } else {
                bytes.append(byte)
            }
        }
        return isEncoded ? String(validating: bytes, as: UTF8.self) : nil
    }

    /// Returns true for text that has the form of a compact JWS, complete or not: its header is JSON.
    static func isCompactJWS(_ text: String) -> Bool {
        let parts = text.utf8.split(separator: UInt8(ascii: "."), maxSplits: 4, omittingEmptySubsequences: false)
        guard parts.count >= 2, text.utf8.allSatisfy({ isDigit($0) || $0 == UInt8(ascii: ".") }) else { return false }
        guard let header = lenient(String(Substring(parts[0])))?.bytes else { return false }
        return header.first == UInt8(ascii: "{")
    }

    /// True for the digits of both alphabets and for padding.
    private static func isDigit(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "a")...UInt8(ascii: "z"),
            UInt8(ascii: "A")...UInt8(ascii: "Z"), UInt8(ascii: "+"), UInt8(ascii: "/"), UInt8(ascii: "-"),
            UInt8(ascii: "_"), UInt8(ascii: "="):
            true
        default: false
        }
    }

    /// Decodes base64 that may be wrong in the usual ways.
    ///
    /// - Parameter compact: The text without white space.
    static func base64(_ text: String, _ compact: String) -> (bytes: [UInt8], problem: InspectionFinding?)? {
        guard compact.utf8.count >= 12, compact.utf8.allSatisfy(isDigit), hexadecimal(compact) == nil else {
            return nil
        }
        if text.contains(" "), !text.contains(where: \.isNewline) {
            let joined = text.replacing(" ", with: "+")
            // Those at the end went with the white space around the text.
            for lost in ["", "+", "++"] {
                if let bytes = Base64.decode(joined + lost), isWhole(bytes) { return (bytes, .init(.spacesForPlus)) }
            }
        }
        guard let decoded = lenient(compact) else { return nil }
        return decoded
    }

    /// True if the bytes are one whole DER element.
    private static func isWhole(_ bytes: [UInt8]) -> Bool {
        var reader = DERReader(bytes)
        guard bytes.first == DERTag.sequence.rawValue, (try? reader.next("element")) != nil else { return false }
        return reader.isAtEnd
    }

    /// Decodes either alphabet, with or without padding.
    static func lenient(_ text: String) -> (bytes: [UInt8], problem: InspectionFinding?)? {
        if let bytes = Base64.decode(text) { return (bytes, nil) }
        let isURL = text.utf8.contains { $0 == UInt8(ascii: "-") || $0 == UInt8(ascii: "_") }
        var digits = text.utf8.filter { $0 != UInt8(ascii: "=") }.map {
            $0 == UInt8(ascii: "+") ? UInt8(ascii: "-") : $0 == UInt8(ascii: "/") ? UInt8(ascii: "_") : $0
        }
        let isCut = digits.count % 4 == 1
        if isCut { digits.removeLast() }
        // The bits beyond the last byte are nought in what an encoder writes; here they don't matter.
        let rest = digits.count % 4
        if Base64.decode(digits, as: .url) == nil, rest > 0 {
            digits.removeLast(rest)
            guard let bytes = Base64.decode(digits, as: .url) else { return nil }
            return (bytes, .init(.lastCharacterCut))
        }
        guard let bytes = Base64.decode(digits, as: .url) else { return nil }
        return (bytes, .init(isCut ? .lastCharacterCut : isURL ? .urlAlphabet : .paddingMissing))
    }

    static func hexadecimal(_ text: String) -> [UInt8]? {
        guard text.utf8.count >= 40, text.utf8.count.isMultiple(of: 2) else { return nil }
        return Hexadecimal.decode(text)
    }
}
