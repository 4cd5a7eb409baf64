import Foundation
import Perennial

/// What the client takes from the device it runs on; a test passes its own.
package struct Surroundings: Sendable {
    /// The device's clock.
    package var now: @Sendable () -> Instant
    /// Waits; throws `CancellationError` where the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// So many unpredictable bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]

    package init(
        now: @escaping @Sendable () -> Instant, sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.now = now
        self.sleep = sleep
        self.randomBytes = randomBytes
    }

    /// The real device: the one place where the client reads its clock and its random generator.
    package static let device = Surroundings(
        now: { Instant(Date()) },
        sleep: { try await Task.sleep(for: $0) },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        })

    /// A name nobody else has: 128 random bits in hexadecimal.
    package func uniqueName() -> String {
        randomBytes(16).hexadecimal
    }
}

extension Sequence<UInt8> {
    /// Two lower-case digits a byte.
    package var hexadecimal: String {
        var text = [UInt8]()
        for byte in self {
            for nibble in [byte >> 4, byte & 15] { text.append(nibble < 10 ? 48 + nibble : 87 + nibble) }
        }
        return String(decoding: text, as: UTF8.self)
    }
}
