/// Makes UUIDs that follow from a text: the ID of a resource that is derived from another and stored nowhere.
package enum DerivedUUID {
    /// Returns a UUID of version 8 in lower case. Equal texts have equal UUIDs.
    package static func make(_ text: String) -> String {
        let high = hash(text, seed: 0xcbf2_9ce4_8422_2325) & ~0xf000 | 0x8000
        let low = hash(text, seed: 0x9ae1_6a3b_2f90_404f) & ~(0b11 << 62) | 0b10 << 62
        let digits = hexadecimal(high) + hexadecimal(low)
        let parts = [(0, 8), (8, 4), (12, 4), (16, 4), (20, 12)].map { digits.dropFirst($0.0).prefix($0.1) }
        return parts.joined(separator: "-")
    }

    /// FNV-1a with a final mix, so that texts with a common beginning differ in all bits.
    private static func hash(_ text: String, seed: UInt64) -> UInt64 {
        var value = seed
        for byte in text.utf8 { value = (value ^ UInt64(truncatingIfNeeded: byte)) &* 0x100_0000_01b3 }
        value = (value ^ value >> 30) &* 0xbf58_476d_1ce4_e5b9
        value = (value ^ value >> 27) &* 0x94d0_49bb_1331_11eb
        return value ^ value >> 31
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }
}
