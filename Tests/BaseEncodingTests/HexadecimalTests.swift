import BaseEncoding
import Foundation
import TestRandomness
import Testing

struct HexadecimalTests {
    @Test func `bytes become two lower-case digits each`() {
        #expect(Hexadecimal.encode([]) == "")
        #expect(Hexadecimal.encode([0x00, 0x0F, 0xA9, 0xFF]) == "000fa9ff")
        let all = (0...255).map { UInt8(truncatingIfNeeded: $0) }
        #expect(Hexadecimal.encode(all) == all.map { String(format: "%02x", $0) }.joined())
    }

    @Test func `digits in either case are decoded to the bytes`() {
        var generator = SeededGenerator(seed: 3)
        for length in 0..<100 {
            let bytes = (0..<length).map { _ in UInt8.random(in: 0...255, using: &generator) }
            let text = Hexadecimal.encode(bytes)
            #expect(Hexadecimal.decode(text) == bytes)
            #expect(Hexadecimal.decode(text.uppercased()) == bytes)
        }
    }

    @Test(arguments: ["0", "000", "0g", "g0", "/0", ":0", "@0", "`0", " 0", "0x00", "００", "é"])
    func `an odd number of digits or another character is refused`(text: String) {
        #expect(Hexadecimal.decode(text) == nil)
    }

    @Test func `a digit has the value that radix 16 gives it`() {
        for byte in UInt8.min ... .max {
            #expect(Hexadecimal.value(of: byte) == UInt8(String(UnicodeScalar(byte)), radix: 16))
        }
        for value in UInt8(0)..<16 { #expect(Hexadecimal.value(of: Hexadecimal.digit(value)) == value) }
    }
}
