import Foundation
import Testing

@testable import FastJSON

struct JSONScannerTests {
    private func scan(_ text: String) throws -> [(key: String, value: JSONScanner.Value)] {
        var scanner = JSONScanner(Array(text.utf8))
        var members: [(key: String, value: JSONScanner.Value)] = []
        try scanner.scanObject { members.append(($0, $1)) }
        return members
    }

    @Test(arguments: [
        #"{}"#, #" { "a" : 1 } "#, #"{"a":[1,2,{"b":[]}],"c":"\u00e4\uD83D\uDCB0\n\"\\\/"}"#,
        #"{"a":-0.5e+10,"b":true}"#,
        #"{"a":null,"a":false}"#, #"{"":""}"#, "{\"ä\":\"💰\"}", #"{"a":1E2}"#, #"{"a":[[[[]]]]}"#,
    ])
    func `an object that Foundation reads is read`(text: String) throws {
        #expect((try? JSONSerialization.jsonObject(with: Data(text.utf8))) != nil)
        _ = try scan(text)
    }

    @Test(arguments: [
        "", " ", "[]", "1", "\"a\"", "{", "{}}", "{\"a\"}", "{\"a\":}", "{\"a\":1,}", "{a:1}", "{\"a\":01}",
        "{\"a\":1.}",
        "{\"a\":.5}", "{\"a\":+1}", "{\"a\":tru}", "{\"a\":\"\n\"}", "{\"a\":\"\\x\"}", "{\"a\":\"\\u12\"}",
        "{\"a\":\"\\uD83D\"}", "{\"a\":[1,]}", "{\"a\":[1 2]}", "{\"a\":1} x", "{\"a\":\"", "{\"a\":\"\\",
        "{\"a\":1e999}",
        "{'a':1}", "{\"a\":NaN}",
    ])
    func `other text than one JSON object is refused`(text: String) {
        #expect(throws: JSONSyntaxError.self) { try scan(text) }
    }

    @Test(arguments: [
        (#"{"a" 1}"#, "expected ':' at byte 5"), (#"{"a":tru}"#, "expected true at byte 8"),
        (#"{"a":01}"#, "expected ',' at byte 6"), (#"{"a":-}"#, "expected a digit at byte 6"),
        (#"{"a":"\q"}"#, "expected a known escape at byte 7"),
        (#"{"a":"\u12x4"}"#, "expected four hexadecimal digits at byte 8"),
        (#"{"a":"\ud800\q"}"#, "expected a whole surrogate pair at byte 8"),
        ("{\"a\":\"\n\"}", "expected no control character at byte 6"),
        // The first error counts, though the end of the string is looked for before escapes are replaced.
        ("{\"a\":\"\\q\n\"}", "expected a known escape at byte 7"), (#"{"a":"\q"#, "expected a known escape at byte 7"),
        (#"{"a":"b"#, "expected '\"' at byte 7"), (#"{"a":"b\"#, "expected an escaped character at byte 8"),
        (#"{a:1}"#, "expected a key at byte 1"), (#"{} {}"#, "expected the end at byte 3"),
        (#"{"a":1e999}"#, "expected a number that can be represented at byte 10"),
    ])
    func `an error names the byte at which the text goes wrong`(text: String, message: String) {
        let error = #expect(throws: JSONSyntaxError.self) { try scan(text) }
        #expect(error?.description == message)
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        var scanner = JSONScanner([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])
        #expect(throws: JSONSyntaxError.self) { try scanner.scanObject { _, _ in } }
    }

    @Test func `nesting is bounded`() throws {
        func nested(_ depth: Int) -> String {
            #"{"a":"# + String(repeating: "[", count: depth) + String(repeating: "]", count: depth) + "}"
        }
        #expect(throws: JSONSyntaxError.self) { try scan(nested(100_000)) }
        #expect(throws: JSONSyntaxError.self) { try scan(nested(JSONScanner.maximumDepth)) }
        #expect(try scan(nested(JSONScanner.maximumDepth - 1)).count == 1)
    }

    @Test func `of a repeated name the first value is passed, or all`() throws {
        let text = #"{"a":1,"b":2,"\u0061":3}"#
        #expect(try scan(text).map(\.value.number) == [1, 2])
        var scanner = JSONScanner(Array(text.utf8))
        var values: [Double?] = []
        try scanner.scanEveryMember { values.append($1.number) }
        #expect(values == [1, 2, 3])
    }
}
