import Crypto
import Synchronization

/// Remembers verified chains by the SHA-256 of their certificates. Only what was verified is kept.
final class ChainCache: Sendable {
    typealias Key = SHA256.Digest

    /// There is one chain for each rotation of the leaves; when a sender presents more, the memory starts anew.
    static let capacity = 64

    private let chains = Mutex<[Key: VerifiedChain]>([:])

    static func key(_ certificates: [[UInt8]], _ signer: CertificateIdentity?) -> Key {
        var hash = SHA256()
        let parts = certificates + (signer.map { [$0.issuer, $0.serialNumber] } ?? [])
        for part in parts {
            // The lengths keep the borders between the parts.
            withUnsafeBytes(of: UInt64(truncatingIfNeeded: part.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: part)
        }
        return hash.finalize()
    }

    subscript(key: Key) -> VerifiedChain? {
        get { chains.withLock { $0[key] } }
        set {
            chains.withLock { chains in
                if chains.count >= Self.capacity { chains.removeAll(keepingCapacity: true) }
                chains[key] = newValue
            }
        }
    }
}
