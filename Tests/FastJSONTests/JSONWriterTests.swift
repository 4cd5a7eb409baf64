import Foundation
import Testing

@testable import FastJSON

struct JSONWriterTests {
    @Test func `characters that need an escape are escaped at every position`() throws {
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

    @Test(arguments: ["", "plain", "quote \" and \\", "line\nbreak\r\ttab", "\u{0}\u{1F}", "ä💰", "/"])
    func `a string that is written is read again`(text: String) throws {
        var json = JSONWriter()
        json.beginObject()
        json.string("text", text)
        json.endObject()
        let object = try JSONSerialization.jsonObject(with: Data(json.bytes)) as? [String: String]
        #expect(object?["text"] == text)
    }

    @Test(arguments: [0, 1, -1, 10, Int64.max, Int64.min])
    func `a number that is written is read again`(number: Int64) throws {
        var json = JSONWriter()
        json.beginObject()
        json.number("number", number)
        json.endObject()
        #expect(String(decoding: json.bytes, as: UTF8.self) == "{\"number\":\(number)}")
    }

    @Test func `each kind of member and element has its bytes`() {
        var json = JSONWriter(capacity: 0)
        json.beginObject()
        json.string("s", "a\u{1}\u{8}\n\"")
        json.string("none", nil)
        json.numberString("n", -7)
        json.numberString("n", suffix: "_ms", 12)
        json.bool("b", true)
        json.boolString("t", false)
        json.base64("x", [0xFB, 0xFF])
        json.string("f", suffix: "_g", count: 2) { text in
            text[0] = 0x68; text[1] = 0x69
        }
        json.members(Array(#""p":1,"q":2"#.utf8))
        json.written("w", Array("[null]".utf8))
        json.beginArray("e")
        json.element("one")
        json.element(base64: [0])
        json.element(written: Array("3".utf8))
        json.beginObject()
        json.endObject()
        json.endArray()
        json.endObject()
        let text =
            #"{"s":"a\u0001\u0008\n\"","n":"-7","n_ms":"12","b":true,"t":"false","x":"+/8=","f_g":"hi","#
            + #""p":1,"q":2,"w":[null],"e":["one","AA==",3,{}]}"#
        #expect(String(decoding: json.bytes, as: UTF8.self) == text)
        #expect(json.finished() == Array(text.utf8))
    }
}
