import BaseEncoding
import Foundation
import TestRandomness
import Testing

struct PercentEncodingTests {
    @Test func `unreserved characters stay, and the bytes of all others are encoded`() {
        let unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~"
        #expect(PercentEncoding.encode(unreserved) == unreserved)
        #expect(PercentEncoding.encode("a b/c?d=é&\u{7F}\u{0}") == "a%20b%2Fc%3Fd%3D%C3%A9%26%7F%00")
        #expect(PercentEncoding.encode("") == "")
    }

    @Test func `further characters stay where a text may have them`() {
        #expect(PercentEncoding.encode("a,b c", keeping: ",") == "a,b%20c")
        #expect(PercentEncoding.encode("a-b", keeping: Set("ab".utf8)) == "a%2Db")
    }

    @Test func `texts are decoded to what they were`() {
        var generator = SeededGenerator(seed: 5)
        for length in 0..<200 {
            let scalars = (0..<length).compactMap { _ in
                Unicode.Scalar(UInt32.random(in: 0...0x10FFFF, using: &generator))
            }
            let text = String(String.UnicodeScalarView(scalars))
            let encoded = PercentEncoding.encode(text)
            #expect(encoded.removingPercentEncoding.map { Array($0.utf8) } == Array(text.utf8))
            #expect(encoded.utf8.allSatisfy { $0 < 128 })
        }
    }
}
