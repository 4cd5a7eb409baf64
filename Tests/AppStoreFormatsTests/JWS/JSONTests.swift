import Foundation
import TestRandomness
import Testing

@testable import AppStoreFormats

struct JSONTests {
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
    func `what Foundation reads is read`(text: String) throws {
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
    func `what is not a JSON object is refused`(text: String) {
        #expect(throws: JSONScanner.Failure.self) { try scan(text) }
    }

    @Test func `bytes that are not UTF-8 are refused`() {
        var scanner = JSONScanner([0x7B, 0x22, 0xFF, 0x22, 0x3A, 0x31, 0x7D])
        #expect(throws: JSONScanner.Failure.self) { try scanner.scanObject { _, _ in } }
    }

    @Test func `nesting is bounded`() {
        let deep = 100_000
        let text = #"{"a":"# + String(repeating: "[", count: deep) + String(repeating: "]", count: deep) + "}"
        #expect(throws: JSONScanner.Failure.self) { try scan(text) }
    }

    @Test func `what has to be escaped is, wherever it stands`() throws {
        for special in ["\"", "\\", "\n", "\u{0}", "\u{1f}", " ", "\u{7f}", "ä", "\u{80}", "\u{10ffff}"] {
            for before in 0..<18 {
                for after in [0, 1, 7, 8, 9] {
                    let text = String(repeating: "a", count: before) + special + String(repeating: "z", count: after)
                    var json = JSONWriter()
                    json.beginObject()
                    json.string("a", text)
                    json.endObject()
                    #expect(try JSONDecoder().decode([String: String].self, from: Data(json.bytes)) == ["a": text])
                }
            }
        }
    }

    @Test func `damaged JSON never crashes the scanner`() {
        var generator = SeededGenerator(seed: 3)
        let original = Array(
            #"{"receipt-data":"AAA\u00e4A","x":[1,-2.5e3,{"y":null}],"password":"p","z":["a","b"]}"#.utf8)
        for _ in 0..<20_000 {
            var bytes = original
            for _ in 0..<Int.random(in: 1...4, using: &generator) where !bytes.isEmpty {
                let index = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<3, using: &generator) {
                case 0: bytes[index] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: index)
                default: bytes.removeSubrange(index...)
                }
            }
            var scanner = JSONScanner(bytes)
            let isRead = (try? scanner.scanObject { _, _ in }) != nil
            // Whatever we take for JSON, Foundation does.
            if isRead { #expect((try? JSONSerialization.jsonObject(with: Data(bytes))) != nil) }
        }
    }

    @Test(arguments: ["", "plain", "quote \" and \\", "line\nbreak\r\ttab", "\u{0}\u{1F}", "ä💰", "/"])
    func `strings that are written are read again`(text: String) throws {
        var json = JSONWriter()
        json.beginObject()
        json.string("text", text)
        json.endObject()
        let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: String]
        #expect(object?["text"] == text)
    }

    @Test(arguments: [0, 1, -1, 10, Int64.max, Int64.min])
    func `numbers that are written are read again`(number: Int64) throws {
        var json = JSONWriter()
        json.beginObject()
        json.number("number", number)
        json.endObject()
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{\"number\":\(number)}")
    }
}
