import BaseEncoding
import Foundation
import Perennial

/// Clock, sleep and randomness of the device. Tests pass their own.
package struct DeviceDependencies: Sendable {
    /// Returns the time of the device's clock.
    package var now: @Sendable () -> Instant
    /// Waits. Throws `CancellationError` if the task is cancelled.
    package var sleep: @Sendable (Duration) async throws -> Void
    /// Returns unpredictable bytes.
    package var randomBytes: @Sendable (Int) -> [UInt8]

    package init(
        now: @escaping @Sendable () -> Instant, sleep: @escaping @Sendable (Duration) async throws -> Void,
        randomBytes: @escaping @Sendable (Int) -> [UInt8]
    ) {
        self.now = now
        self.sleep = sleep
        self.randomBytes = randomBytes
    }

    /// The real device: the only place where the client reads its clock and random generator.
    package static let device = DeviceDependencies(
        now: { Instant(Date()) },
        sleep: { try await Task.sleep(for: $0) },
        randomBytes: { count in
            var generator = SystemRandomNumberGenerator()
            return (0..<count).map { _ in UInt8(truncatingIfNeeded: generator.next()) }
        })

    /// Returns a random identifier.
    package func uuid() -> UUID {
        let bytes = randomBytes(16)
        return bytes.withUnsafeBytes { UUID(uuid: $0.loadUnaligned(as: uuid_t.self)) }
    }

    /// Returns a unique name: 128 random bits in hexadecimal.
    package func uniqueName() -> String {
        Hexadecimal.encode(randomBytes(16))
    }
}
