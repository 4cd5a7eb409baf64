/// A reversible mapping of IDs of some bits onto each other, which scatters consecutive numbers.
///
/// It hides nothing. It makes IDs for people that can be computed and decoded, so that they needn't be stored.
struct ReversibleID: Sendable {
    /// The golden ratio of 2⁶⁴, which is odd and so has an inverse.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private let bits: UInt64
    private let inverse: UInt64

    /// - Parameter bits: An even number, at most 62.
    init(bits: UInt64) {
        self.bits = bits
        // Newton's method: each step doubles the correct bits, starting with three.
        var inverse = Self.factor
        for _ in 0..<5 { inverse &*= 2 &- Self.factor &* inverse }
        self.inverse = inverse
    }

    var count: UInt64 { 1 << bits }

    /// Encodes a number.
    /// - Parameter offset: Selects one of many mappings.
    func encode(_ number: UInt64, offset: UInt64 = 0) -> UInt64 {
        xorFold((number &* Self.factor &+ offset) & (count - 1))
    }

    func decode(_ number: UInt64, offset: UInt64 = 0) -> UInt64 {
        ((xorFold(number) &- offset) &* inverse) & (count - 1)
    }

    /// XORs the upper half of the bits into the lower one. Applied twice, it returns the number.
    private func xorFold(_ number: UInt64) -> UInt64 { number ^ (number >> (bits / 2)) }
}
