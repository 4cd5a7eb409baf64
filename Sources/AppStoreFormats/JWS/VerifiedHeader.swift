import Crypto
import Foundation
import Synchronization

/// A header of signed data whose chain was verified, with the digest of it that all texts under it begin with.
struct VerifiedHeader: Sendable {
    /// The header in base64url.
    let bytes: [UInt8]
    /// The same as a text.
    let text: String
    let chain: VerifiedChain
    private let digest: SHA256

    init(_ bytes: ArraySlice<UInt8>, _ chain: VerifiedChain) {
        self.bytes = Array(bytes)
        self.chain = chain
        text = String(decoding: bytes, as: UTF8.self)
        var digest = SHA256()
        bytes.withUnsafeBytes { digest.update(bufferPointer: $0) }
        self.digest = digest
    }

    func hasBytes(_ other: ArraySlice<UInt8>) -> Bool {
        guard bytes.count == other.count else { return false }
        return bytes.withUnsafeBytes { mine in
            other.withUnsafeBytes { theirs in
                guard let mine = mine.baseAddress, let theirs = theirs.baseAddress else { return true }
                return memcmp(mine, theirs, bytes.count) == 0
            }
        }
    }

    /// Returns the digest of the header and of what follows it, from its dot on.
    func digest(withRest rest: ArraySlice<UInt8>) -> SHA256.Digest {
        var digest = digest
        rest.withUnsafeBytes { digest.update(bufferPointer: $0) }
        return digest.finalize()
    }
}

/// The verified headers of a verifier, compared byte by byte. Headers that failed are not cached.
///
/// Nearly all texts come from one signer, so the last header is looked at first, without a digest of its three certificates.
final class HeaderCache: Sendable {
    private struct State {
        var last: VerifiedHeader?
        var headers: [[UInt8]: VerifiedHeader] = [:]
    }

    private let state = Mutex(State())

    /// Returns a header that was verified before.
    func header(_ bytes: ArraySlice<UInt8>) -> VerifiedHeader? {
        if let last = state.withLock({ $0.last }), last.hasBytes(bytes) { return last }
        return state.withLock { state in
            guard let known = state.headers[Array(bytes)] else { return nil }
            state.last = known
            return known
        }
    }

    func insert(_ header: VerifiedHeader) {
        state.withLock { state in
            if state.headers.count >= ChainCache.capacity { state.headers.removeAll(keepingCapacity: true) }
            state.headers[header.bytes] = header
            state.last = header
        }
    }
}
