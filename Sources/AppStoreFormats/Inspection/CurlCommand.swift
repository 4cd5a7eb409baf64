/// A command of curl as people paste it, from documentation, a log or a browser: its URL, its body and its token.
struct CurlCommand {
    private(set) var method: String?
    private(set) var url = ""
    /// The values of `Authorization` that begin with `Bearer`.
    private(set) var tokens: [String] = []
    /// The names of the files that hold the body; curl reads them, and an inspection has none of them.
    private(set) var files: [String] = []
    private var bodies: [String] = []

    /// The body that is sent; `nil` if the command has none. Several are joined, as curl does.
    var body: String? { bodies.isEmpty ? nil : bodies.joined(separator: "&") }

    /// The method that is sent.
    var sentMethod: String { method ?? (bodies.isEmpty && files.isEmpty ? "GET" : "POST") }

    /// Returns true for text that begins with the command's name, after a prompt or without one.
    static func begins(_ text: String) -> Bool {
        let words = text.prefix(64).split(maxSplits: 2, omittingEmptySubsequences: true) { $0.isWhitespace }
        let name =
            words.first.map { ["$", "%", ">", "#"].contains($0) } == true ? words.dropFirst().first : words.first
        guard let name, words.count > 1 else { return false }
        let program = name.split(separator: "/").last?.lowercased()
        return program == "curl" || program == "curl.exe"
    }

    /// Reads a command.
    ///
    /// - Returns: `nil` for text that is none.
    init?(_ text: String) {
        guard Self.begins(text) else { return nil }
        var words = ShellWords.split(text)[...]
        if let first = words.first, first.count == 1 { words = words.dropFirst() }
        words = words.dropFirst()
        while let word = words.popFirst() {
            guard word.hasPrefix("-"), word.count > 1 else {
                if url.isEmpty, word.contains(".") || word.contains("/") || word.contains(":") { url = word }
                continue
            }
            if word.hasPrefix("--") {
                readLong(word.dropFirst(2), &words)
            } else {
                readShort(word.dropFirst(), &words)
            }
        }
    }

    /// The long options that are read; each has a value.
    private static let options: [String: Character] = [
        "data": "d", "data-ascii": "d", "data-binary": "d", "data-raw": "r", "data-urlencode": "r", "json": "d",
        "form": "F", "header": "H", "request": "X", "url": "U", "oauth2-bearer": "B",
    ]
    /// The short options with a value.
    private static let shortWithValue: Set<Character> = Set("dHXFouAbcemwTxDEKPQrCtyYz")

    private mutating func readLong(_ option: Substring, _ words: inout ArraySlice<String>) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        guard let name = parts.first, let letter = Self.options[String(name)] else { return }
        let value = parts.count > 1 ? String(parts[1]) : words.popFirst() ?? ""
        take(letter, value)
    }

    /// Reads a word of short options, such as `-sSd`: the last may have its value in the word, or in the next one.
    private mutating func readShort(_ letters: Substring, _ words: inout ArraySlice<String>) {
        var rest = letters
        while let letter = rest.popFirst() {
            guard Self.shortWithValue.contains(letter) else { continue }
            take(letter, rest.isEmpty ? words.popFirst() ?? "" : String(rest))
            return
        }
    }

    private mutating func take(_ letter: Character, _ value: String) {
        switch letter {
        case "d" where value.hasPrefix("@"): files.append(String(value.dropFirst().prefix(200)))
        case "F" where value.contains("=@"): files.append(String(value.prefix(200)))
        case "d", "r", "F": bodies.append(value)
        case "X": method = String(value.prefix(20))
        case "U": url = value
        case "B": tokens.append(value)
        case "H":
            let parts = value.split(separator: ":", maxSplits: 1)
            guard parts.count == 2, parts[0].lowercased() == "authorization" else { return }
            let credentials = parts[1].drop { $0 == " " }
            if credentials.lowercased().hasPrefix("bearer ") { tokens.append(String(credentials)) }
        default: break
        }
    }
}

/// The words of a command, as a POSIX shell splits them. Variables and substitutions stay as they are.
enum ShellWords {
    private enum Quote { case none, single, double, escapes }

    static func split(_ text: String) -> [String] {
        // A browser's command for Windows has a caret before each quotation mark.
        var rest = Array((text.contains("^\"") ? text.replacing("^", with: "") : text).utf8)[...]
        var words: [String] = []
        var word: [UInt8] = []
        // A quotation without content is a word, too.
        var isWord = false
        var quote = Quote.none
        func begin(_ new: Quote) {
            (isWord, quote) = (true, new)
        }
        func end() {
            if isWord { words.append(String(decoding: word, as: UTF8.self)) }
            word.removeAll(keepingCapacity: true)
            isWord = false
        }
        while let byte = rest.popFirst() {
            switch (quote, byte) {
            case (.none, UInt8(ascii: " ")), (.none, UInt8(ascii: "\t")), (.none, UInt8(ascii: "\n")),
                (.none, UInt8(ascii: "\r")):
                end()
            case (.none, UInt8(ascii: ";")), (.none, UInt8(ascii: "|")):
                end()
                return words
            case (.none, UInt8(ascii: "'")):
                begin(.single)
            case (.none, UInt8(ascii: "\"")):
                begin(.double)
            case (.none, UInt8(ascii: "$")) where rest.first == UInt8(ascii: "'"):
                rest = rest.dropFirst()
                begin(.escapes)
            case (.single, UInt8(ascii: "'")), (.double, UInt8(ascii: "\"")), (.escapes, UInt8(ascii: "'")):
                quote = .none
            case (.none, UInt8(ascii: "\\")), (.double, UInt8(ascii: "\\")), (.escapes, UInt8(ascii: "\\")):
                guard let escaped = escape(in: quote, &rest) else { continue }
                word += escaped
                isWord = true
            default:
                word.append(byte)
                isWord = true
            }
        }
        end()
        return words
    }

    /// Returns the bytes that a backslash and what follows stand for; `nil` for the end of a line that goes on.
    private static func escape(in quote: Quote, _ rest: inout ArraySlice<UInt8>) -> [UInt8]? {
        guard let next = rest.popFirst() else { return [UInt8(ascii: "\\")] }
        let isEnd = next == UInt8(ascii: "\n") || next == UInt8(ascii: "\r")
        switch quote {
        case .none, .double:
            if isEnd {
                if next == UInt8(ascii: "\r"), rest.first == UInt8(ascii: "\n") { rest = rest.dropFirst() }
                return nil
            }
            let isKept = quote == .double && !"\"\\$`".utf8.contains(next)
            return isKept ? [UInt8(ascii: "\\"), next] : [next]
        case .escapes:
            switch next {
            case UInt8(ascii: "n"): return [UInt8(ascii: "\n")]
            case UInt8(ascii: "t"): return [UInt8(ascii: "\t")]
            case UInt8(ascii: "r"): return [UInt8(ascii: "\r")]
            case UInt8(ascii: "'"), UInt8(ascii: "\""), UInt8(ascii: "\\"): return [next]
            default: return [UInt8(ascii: "\\"), next]
            }
        case .single: return [UInt8(ascii: "\\"), next]
        }
    }
}
