import Foundation
import TestRandomness
import Testing

@testable import AppStoreFormats

struct Base64Tests {
    @Test func `standard base64 is Foundation's`() {
        var generator = SeededGenerator(seed: 1)
        for length in 0..<200 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Base64.encode(bytes)
            #expect(text == Data(bytes).base64EncodedString())
            #expect(Base64.decode(text) == bytes)
        }
    }

    @Test func `base64url is the same with other digits and no padding`() {
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
    func `standard base64 is strict`(text: String) {
        #expect(Base64.decode(text) == nil)
    }

    @Test(arguments: ["A", "AAAAA", "AA==", "AAA=", "AB", "AAB", "AA+/", "AA AA", "AAA\n"])
    func `base64url is strict`(text: String) {
        #expect(Base64.decode(text, as: .url) == nil)
    }

    @Test func `line breaks are passed over where it is allowed`() {
        #expect(Base64.decode("AQ\r\nID\n", allowingLineBreaks: true) == [1, 2, 3])
        #expect(Base64.decode("AQ ID", allowingLineBreaks: true) == nil)
    }

    @Test func `collections without contiguous storage decode as well`() {
        #expect(Base64.decode("DIQA".utf8.reversed()) == [1, 2, 3])
    }
}
