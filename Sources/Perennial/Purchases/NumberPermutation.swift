/// A one-to-one mapping of the numbers of so many bits onto each other, which scatters numbers that lie in a row.
///
/// It hides nothing: it makes numbers for people that can be worked out and turned back, so that nobody has to keep them.
struct NumberPermutation: Sendable {
    /// The golden ratio of 2⁶⁴: odd, so that it has an inverse.
    private static let factor: UInt64 = 0x9E37_79B9_7F4A_7C15

    private let bits: UInt64
    private let inverse: UInt64

    /// - Parameter bits: An even number, at most 62.
    init(bits: UInt64) {
        self.bits = bits
        // Newton's method doubles the bits that are right, beginning with three.
        var inverse = Self.factor
        for _ in 0..<5 { inverse &*= 2 &- Self.factor &* inverse }
        self.inverse = inverse
    }

    var count: UInt64 { 1 << bits }

    /// - Parameter offset: Chooses one of many mappings.
    func scattered(_ number: UInt64, offset: UInt64 = 0) -> UInt64 {
        folded((number &* Self.factor &+ offset) & (count - 1))
    }

    func gathered(_ number: UInt64, offset: UInt64 = 0) -> UInt64 {
        ((folded(number) &- offset) &* inverse) & (count - 1)
    }

    /// The upper half folded over the lower one; twice is not at all.
    private func folded(_ number: UInt64) -> UInt64 { number ^ (number >> (bits / 2)) }
}
