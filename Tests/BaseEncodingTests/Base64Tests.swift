import BaseEncoding
import Foundation
import TestRandomness
import Testing

struct Base64Tests {
    @Test func `standard base64 is the text that Foundation writes`() {
        var generator = SeededGenerator(seed: 1)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.decode(text) == bytes)
        }
    }

    @Test func `base64url has other digits and no padding`() {
        var generator = SeededGenerator(seed: 2)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let expected = Data(bytes).base64EncodedString().replacing("+", with: "-").replacing("/", with: "_")
                .replacing("=", with: "")
            #expect(Base64.encode(bytes, as: .url) == expected)
            #expect(Base64.decode(expected, as: .url) == bytes)
        }
    }

    @Test(arguments: [
        "A", "AA", "AAA", "AAAAA", "A===", "====", "=", "AA=A", "AB==", "AAB=", "AA-_", "AA AA", "AAA\n", "ÄAA",
        "AAAA=",
    ])
    func `text that no encoder writes is refused as standard base64`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: ["A", "AAAAA", "AA==", "AAA=", "AB", "AAB", "AA+/", "AA AA", "AAA\n"])
    func `text that no encoder writes is refused as base64url`(text: String) {
        #expect(Base64.decode(text, as: .url) == nil)
    }

    @Test func `a collection without contiguous storage is decoded`() {
        #expect(Base64.decode("DIQA".utf8.reversed()) == [1, 2, 3])
    }
}
