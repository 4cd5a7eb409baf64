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
            var bytes: [UInt8] = []
            bytes.reserveCapacity(count + 7)
            // Eight at a time: each number is a call of the kernel.
            while bytes.count < count {
                withUnsafeBytes(of: generator.next()) { bytes.append(contentsOf: $0) }
            }
            bytes.removeLast(bytes.count - count)
            return bytes
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

extension DeviceDependencies {
    /// Runs `body` and waits for its end, or up to a limit. It goes on after that.
    func withLimit(_ limit: Duration, _ body: @escaping @Sendable () async -> Void) async {
        let (ends, end) = AsyncStream<Void>.makeStream()
        let work = Task {
            await body()
            end.finish()
        }
        let timer = Task {
            try? await sleep(limit)
            end.finish()
        }
        for await _ in ends {}
        timer.cancel()
        _ = work
    }
}
