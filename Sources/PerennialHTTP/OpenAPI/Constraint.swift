import Perennial
import PerennialStorage

/// The values that a field may have besides being of its type, as keywords of JSON Schema.
struct Constraint: Sendable {
    private(set) var keywords: [String: OpenAPINode]

    private init(_ keywords: [String: OpenAPINode]) { self.keywords = keywords }

    func apply(to schema: OpenAPINode) -> OpenAPINode {
        .object(
            schema.members.merging(keywords) { own, constraint in
                // Of an array's items, and of nothing else, both have keywords.
                own.members.isEmpty ? constraint : .object(own.members.merging(constraint.members) { $1 })
            })
    }

    // MARK: Numbers

    static func range(_ range: ClosedRange<Int64>) -> Constraint {
        Constraint(["minimum": .integer(range.lowerBound), "maximum": .integer(range.upperBound)])
    }

    static func range(_ range: ClosedRange<Int>) -> Constraint {
        Self.range(Int64(range.lowerBound)...Int64(range.upperBound))
    }

    static func oneOf(_ numbers: [Int64]) -> Constraint { Constraint(["enum": .array(numbers.map { .integer($0) })]) }

    // MARK: Texts

    static func oneOf<Value: RawRepresentable<String> & CaseIterable>(
        _ type: Value.Type, and more: [String] = []
    ) -> Constraint {
        Constraint(["enum": .array((Value.allCases.map(\.rawValue) + more).map { .string($0) })])
    }

    /// Some of the values of an enumeration.
    static func oneOf<Value: RawRepresentable<String>>(_ values: [Value]) -> Constraint {
        Constraint(["enum": .array(values.map { .string($0.rawValue) })])
    }

    static func pattern(_ pattern: String, _ description: String? = nil) -> Constraint {
        var keywords: [String: OpenAPINode] = ["pattern": .string(pattern)]
        if let description { keywords["description"] = .string(description) }
        return Constraint(keywords)
    }

    /// A text without NUL that is counted in bytes of UTF-8, as it is stored; JSON Schema counts characters.
    static func text(bytes: ClosedRange<Int>) -> Constraint {
        let (shortest, longest) = (bytes.lowerBound, bytes.upperBound)
        return pattern(
            #"^(?:[\u0001-\u007F]{\#(shortest),\#(longest)}|[^\u0000]{\#(shortest),\#(longest / 4)})$"#,
            "\(shortest) to \(longest) bytes of UTF-8, without NUL")
    }

    static func described(_ description: String) -> Constraint { Constraint(["description": .string(description)]) }

    /// A text that isn't empty.
    static func nonempty(_ description: String) -> Constraint {
        Constraint(["minLength": .integer(1), "description": .string(description)])
    }

    /// A time in an answer.
    static let time = Constraint(["format": "date-time"])
    /// A time in a request, which certificates cover.
    static let moment = pattern(
        #"^(?:197[1-9]|19[89][0-9]|[2-8][0-9]{3})-"#
            + #"(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"#
            + #"T(?:[01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](?:\.[0-9]{1,9})?(?:Z|[+-](?:0[0-9]|1[0-3]):[0-5][0-9])$"#,
        "A time such as 2026-01-31T10:00:00Z (RFC 3339)")
    /// A day such as 2026-10-03 since 1900. The pattern leaves out 29 February, which some years don't have.
    static func day(_ description: String) -> Constraint { pattern("^\(dayForm)$", description) }

    /// A day, a month such as 2026-10, or a year such as 2026.
    static func reportDate(_ description: String) -> Constraint {
        pattern("^(?:\(dayForm)|(?:19|[2-9][0-9])[0-9]{2}(?:-(?:0[1-9]|1[0-2]))?)$", description)
    }

    private static let dayForm =
        "(?:19|[2-9][0-9])[0-9]{2}-(?:(?:0[1-9]|1[0-2])-(?:0[1-9]|1[0-9]|2[0-8])|"
        + "(?:0[13-9]|1[0-2])-(?:29|30)|(?:0[13578]|1[02])-31)"
    static let duration = pattern(
        #"^P(?:(?:[1-9][0-9]{0,2}Y)?[1-9][0-9]{0,2}M|[1-9][0-9]{0,2}Y|[1-9][0-9]{0,3}[WD]|"#
            + #"(?:[1-9][0-9]{0,3}D)?T(?:[1-9][0-9]{0,4}H|(?:[1-9][0-9]{0,3}H)?[1-9][0-9]{0,4}M|"#
            + #"(?:[1-9][0-9]{0,3}H)?(?:[1-9][0-9]{0,3}M)?[1-9][0-9]{0,4}S))$"#,
        "A duration such as P1M, P2W or P1DT12H (ISO 8601)")
    static let password = text(bytes: 1...PasswordHash.maximumPasswordSize)
    static let uuid = Constraint(["format": "uuid"])
    /// A UUID in the form that is read, in either case.
    static let uuidText = pattern("^[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12}$", "A UUID")
    static let base64 = Constraint(["contentEncoding": "base64"])
    static let jws = described("A compact JWS, ES256")
    static let milliunits = described("Thousandths of the currency's unit")
    static let storefront = Constraint([
        "enum": .array(Storefront.all.map { .string($0.storefront.rawValue) }),
        "description": "A country's code of three letters (ISO 3166-1)",
    ])

    static let country = Constraint([
        "enum": .array(Storefront.all.flatMap { [.string($0.alpha2), .string($0.storefront.rawValue)] }),
        "description": "A country's code of two or three letters (ISO 3166-1)",
    ])

    // MARK: Arrays

    static func items(_ items: Constraint? = nil, count: ClosedRange<Int>) -> Constraint {
        var keywords: [String: OpenAPINode] = [
            "minItems": .integer(Int64(count.lowerBound)), "maxItems": .integer(Int64(count.upperBound)),
        ]
        if let items { keywords["items"] = .object(items.keywords) }
        return Constraint(keywords)
    }

    static func items(_ items: Constraint) -> Constraint { Constraint(["items": .object(items.keywords)]) }

    // MARK: Several fields

    /// A rule that is kept in one of several ways; each way says what some of the fields are.
    static func oneOf(fields ways: [[String: OpenAPINode]]) -> Constraint {
        Constraint(["anyOf": .array(ways.map { ["properties": .object($0), "required": .array(Self.required($0))] })])
    }

    /// A field that has to be there, unless it may be null.
    private static func required(_ fields: [String: OpenAPINode]) -> [OpenAPINode] {
        fields.filter { $0.value != .absent }.keys.sorted().map { .string($0) }
    }

    // MARK: Both

    func and(_ other: Constraint) -> Constraint { Constraint(keywords.merging(other.keywords) { $1 }) }
}
