import FastJSON

/// The claims of a token as its payload has them, before they mean something.
struct JWTMembers {
    private(set) var strings: [String: String] = [:]
    private(set) var numbers: [String: Double] = [:]
    /// Arrays of one or more strings.
    private(set) var lists: [String: [String]] = [:]
    private(set) var names: Set<String> = []

    /// The last second that a claim may name: protocols write years with four digits.
    static let endOfTime = 253_402_300_799.0

    /// Reads a payload.
    ///
    /// - Returns: `nil` for a payload that is no JSON object, and for a claim that comes twice (RFC 7519, section 4).
    init?(payload: [UInt8]) {
        var isStrict = true
        var scanner = JSONScanner(payload)
        var members = (strings: strings, numbers: numbers, lists: lists, names: names)
        let isScanned: Void? = try? scanner.scanEveryMember { name, value in
            if !members.names.insert(name).inserted { isStrict = false }
            switch value {
            case .string(let text): members.strings[name] = text
            case .number(let number): members.numbers[name] = number
            case .strings(let texts): members.lists[name] = texts
            default: break
            }
        }
        guard isScanned != nil, isStrict else { return nil }
        (strings, numbers, lists, names) = members
    }

    /// A text, or the one element of an array, as `aud` may have it.
    func text(_ name: String) -> String? {
        if let list = lists[name], list.count == 1 { return list[0] }
        return strings[name]
    }

    /// A time in whole seconds since 1970; `nil` without one, and for one outside the years with four digits.
    func seconds(_ name: String, _ rule: FloatingPointRoundingRule) -> Int64? {
        guard let number = numbers[name], (0...Self.endOfTime).contains(number) else { return nil }
        return Int64(exactly: number.rounded(rule))
    }

    /// An optional time.
    ///
    /// - Throws: ``Malformed`` for a claim that is there and is no time.
    func optionalSeconds(_ name: String, _ rule: FloatingPointRoundingRule) throws(Malformed) -> Int64? {
        guard names.contains(name) else { return nil }
        guard let seconds = seconds(name, rule) else { throw Malformed() }
        return seconds
    }

    /// A claim of another type than it has to be.
    struct Malformed: Error {}
}
