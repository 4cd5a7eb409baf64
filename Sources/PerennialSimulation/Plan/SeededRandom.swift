import Synchronization

/// SplitMix64, the only source of randomness of a simulation (Steele, Lea and Flood, “Fast Splittable Pseudorandom Number
/// Generators”). The same seed gives the same numbers on every machine.
package struct SeededRandom: Sendable {
    private var state: UInt64

    package init(seed: UInt64) {
        state = seed
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }

    /// Returns a number from 0 to one below the bound, or 0 for a bound that isn't positive.
    mutating func below(_ bound: Int) -> Int {
        guard bound > 0 else { return 0 }
        return Int(next().multipliedFullWidth(by: UInt64(bound)).high)
    }

    /// Returns true with a probability in percent.
    mutating func chance(_ percent: Int) -> Bool {
        below(100) < percent
    }

    /// Returns an element of a list that isn't empty.
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[below(elements.count)]
    }
}

/// Random bytes for a store, the same in every run.
final class SeededBytes: Sendable {
    private let random: Mutex<SeededRandom>

    init(seed: UInt64) {
        random = Mutex(SeededRandom(seed: seed))
    }

    @Sendable func bytes(_ count: Int) -> [UInt8] {
        random.withLock { random in (0..<count).map { _ in UInt8(truncatingIfNeeded: random.next()) } }
    }
}
