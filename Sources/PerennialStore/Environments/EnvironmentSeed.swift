import Crypto
import Foundation
import Synchronization

/// The seed of a reproducible environment: the same calls get the same IDs, secret and tokens. The tokens can be computed
/// from the seed, so it is for tests.
struct EnvironmentSeed: Sendable {
    /// Seeded environments start behind a thousand others, so that they rarely share IDs with a counted one.
    private static let places: ClosedRange<UInt64> = 1_000...5_999

    let number: Int64

    /// The number of other environments' ID ranges before this one's.
    var place: Int64 {
        let digest = bytes("place", 0).prefix(8).reduce(UInt64(0)) { $0 << 8 | UInt64(truncatingIfNeeded: $1) }
        let count = Self.places.upperBound - Self.places.lowerBound + 1
        return Int64(Self.places.lowerBound + digest % count)
    }

    var secret: [UInt8] { bytes("secret", 0) }

    /// Returns a source of bytes for one opening of the environment.
    ///
    /// - Parameter start: The first ID of this opening. It differs after a restart, so that no token comes twice.
    func source(from start: Int64) -> @Sendable (Int) -> [UInt8] {
        let stream = SeededStream(seed: self, start: start)
        return { stream.next($0) }
    }

    fileprivate func bytes(_ purpose: String, _ start: Int64, _ counter: Int64 = 0) -> [UInt8] {
        let key = SymmetricKey(data: Data("perennial \(number)".utf8))
        return Array(HMAC<SHA256>.authenticationCode(for: Data("\(purpose) \(start) \(counter)".utf8), using: key))
    }
}

private final class SeededStream: Sendable {
    private let seed: EnvironmentSeed
    private let start: Int64
    private let counter = Mutex<Int64>(0)

    init(seed: EnvironmentSeed, start: Int64) {
        self.seed = seed
        self.start = start
    }

    func next(_ count: Int) -> [UInt8] {
        counter.withLock { counter in
            var bytes: [UInt8] = []
            while bytes.count < count {
                counter += 1
                bytes += seed.bytes("bytes", start, counter)
            }
            return Array(bytes.prefix(count))
        }
    }
}
