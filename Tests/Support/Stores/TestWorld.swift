import Perennial
import Synchronization

/// The world's time as a test has it: it stands still until it is moved.
package final class TestClock: Sendable {
    private let instant: Mutex<Instant>

    package init(_ instant: Instant) { self.instant = Mutex(instant) }

    package var now: Instant { instant.withLock { $0 } }

    package func advance(by milliseconds: Int64) {
        instant.withLock { $0 = $0 + milliseconds }
    }
}

/// Random numbers that are the same in every run (SplitMix64).
package struct SeededGenerator: RandomNumberGenerator, Sendable {
    private var state: UInt64

    package init(seed: UInt64) { state = seed }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return mixed ^ (mixed >> 31)
    }
}

/// A source of bytes that are the same in every run, shared by all who ask.
package final class SeededBytes: Sendable {
    private let generator: Mutex<SeededGenerator>

    package init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    package func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
    }
}
