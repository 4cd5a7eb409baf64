import Testing

@testable import PerennialHTTP

struct ModelSchemaTests {
    private struct Inner: Model, Encodable {
        var names: [String]
        var counts: [String: Int64]?
    }

    private struct Message: RequestModel, AnswerModel {
        var text: String
        var number: Int?
        var word: String?
        var inner: Inner?

        static let constraints: [String: Constraint] = [
            "number": .range(Int64(1)...10), "word": .oneOf(Word.self), "text": .text(bytes: 1...8),
        ]
    }

    private enum Word: String, CaseIterable { case one, two }

    private struct Stray: Model {
        var text: String

        static let constraints: [String: Constraint] = ["txt": .uuid]
    }

    private struct Either: RequestModel {
        var one: String?
        var other: String?

        static let rule: Constraint? = .oneOf(fields: [["one": ["type": "string"], "other": .absent]])
    }

    private static func properties(_ use: SchemaUse) throws -> [String: OpenAPINode] {
        try #require(try ModelSchema.schema(of: Message.self, use).members["properties"]).members
    }

    @Test func `a request's optional fields may be null`() throws {
        let properties = try Self.properties(.request(refusesUnknownFields: false))
        #expect(properties["number"]?.members["type"] == ["integer", "null"])
        #expect(properties["word"]?.members["enum"] == ["one", "two", .null])
        #expect(properties["text"]?.members["type"] == "string")
        #expect(properties["inner"]?.members["type"] == ["object", "null"])
    }

    @Test func `an answer's optional fields are left out`() throws {
        let properties = try Self.properties(.answer)
        #expect(properties["number"]?.members["type"] == "integer")
        #expect(properties["word"]?.members["enum"] == ["one", "two"])
        #expect(try ModelSchema.schema(of: Message.self, .answer).members["required"] == ["text"])
    }

    @Test func `nested structures, arrays and dictionaries are described`() throws {
        let inner = try #require(try Self.properties(.answer)["inner"]?.members["properties"]?.members)
        #expect(inner["names"] == ["type": "array", "items": ["type": "string"]])
        #expect(inner["counts"] == ["type": "object", "additionalProperties": ["type": "integer"]])
    }

    @Test func `only a request that refuses unknown fields says so`() throws {
        for refuses in [true, false] {
            let schema = try ModelSchema.schema(of: Message.self, .request(refusesUnknownFields: refuses))
            #expect(schema.members["additionalProperties"] == (refuses ? false : nil))
        }
    }

    @Test func `a constraint of a field that isn't there is refused`() {
        #expect(throws: ModelSchema.Undescribed.self) { try ModelSchema.schema(of: Stray.self, .answer) }
    }

    @Test func `a rule of several fields is part of the schema`() throws {
        let schema = try ModelSchema.schema(of: Either.self, .request(refusesUnknownFields: false))
        let way: OpenAPINode = [
            "properties": ["one": ["type": "string"], "other": ["type": "null"]], "required": ["one"],
        ]
        #expect(schema.members["anyOf"] == [way])
    }

    @Test(arguments: [
        ("", false), ("a", true), ("12345678", true), ("123456789", false), ("ü", true), ("üü", true),
        ("a\u{0}", false),
    ])
    func `a text is counted in bytes`(text: String, isAllowed: Bool) throws {
        guard case .string(let pattern)? = Constraint.text(bytes: 1...8).keywords["pattern"] else {
            Issue.record("there is no pattern")
            return
        }
        // JSON Schema's escapes are those of JavaScript, which Swift's are not.
        let swift = pattern.replacing(/\\u([0-9A-F]{4})/) { "\\x{\($0.1)}" }
        #expect((text.wholeMatch(of: try Regex(swift)) != nil) == isAllowed)
    }

    @Test(arguments: [
        ("2026-01-31T10:00:00Z", true), ("2026-02-28T23:59:59.123+01:00", true), ("1970-01-01T00:00:00Z", false),
        ("2026-04-31T10:00:00Z", false), ("2026-01-31 10:00:00Z", false), ("2026-01-31T10:00:00", false),
    ])
    func `a moment is a time that certificates cover`(text: String, isAllowed: Bool) throws {
        guard case .string(let pattern)? = Constraint.moment.keywords["pattern"] else {
            Issue.record("there is no pattern")
            return
        }
        #expect((text.wholeMatch(of: try Regex(pattern)) != nil) == isAllowed)
    }
}
