import Perennial
import Synchronization
import TestRandomness

/// A clock that stands still until a test advances it.
package final class TestClock: Sendable {
    private let instant: Mutex<Instant>

    package init(_ instant: Instant) { self.instant = Mutex(instant) }

    package var now: Instant { instant.withLock { $0 } }

    package func advance(by milliseconds: Int64) {
        instant.withLock { $0 = $0 + milliseconds }
    }
}

/// A shared source of bytes that are the same in every run.
package final class SeededBytes: Sendable {
    private let generator: Mutex<SeededGenerator>

    package init(seed: UInt64) { generator = Mutex(SeededGenerator(seed: seed)) }

    package func bytes(_ count: Int) -> [UInt8] {
        generator.withLock { generator in (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) } }
    }
}
