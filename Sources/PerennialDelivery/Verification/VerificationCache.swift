import Crypto
import Foundation
import Perennial
import Synchronization

/// Caches verified receipts for a short time, so that a device that downloads ten issues verifies once. Refusals aren't cached.
package final class VerificationCache: ReceiptVerifying {
    private struct Entry {
        let receipt: AuthenticReceipt
        let expires: Instant
    }

    private struct State {
        var entries: [SHA256Digest: Entry] = [:]
        /// Keys, oldest first.
        var order: [SHA256Digest] = []
    }

    private let verification: any ReceiptVerifying
    private let clock: @Sendable () -> Instant
    private let lifetime: Int64
    private let maximumEntries: Int
    private let state = Mutex(State())

    /// - Parameter lifetime: Lifetime of an entry in milliseconds.
    package init(
        _ verification: any ReceiptVerifying, clock: @escaping @Sendable () -> Instant, lifetime: Int64 = .seconds(60),
        maximumEntries: Int = 1_000
    ) {
        self.verification = verification
        self.clock = clock
        self.lifetime = lifetime
        self.maximumEntries = maximumEntries
    }

    package func verify(receipt: String, password: String?) async throws -> AuthenticReceipt {
        let key = Self.key(receipt, password)
        let now = clock()
        if let entry = state.withLock({ $0.entries[key] }), now < entry.expires, now + lifetime >= entry.expires {
            return entry.receipt
        }
        let verified = try await verification.verify(receipt: receipt, password: password)
        insert(verified, key, until: clock() + lifetime)
        return verified
    }

    private func insert(_ receipt: AuthenticReceipt, _ key: SHA256Digest, until expires: Instant) {
        state.withLock { state in
            if state.entries.updateValue(Entry(receipt: receipt, expires: expires), forKey: key) != nil { return }
            state.order.append(key)
            guard state.order.count > maximumEntries else { return }
            // Removes the older half at once, to keep the cost of an entry low.
            let leaving = state.order.prefix(max(1, state.order.count - maximumEntries / 2))
            for old in leaving { state.entries[old] = nil }
            state.order.removeFirst(leaving.count)
        }
    }

    private static func key(_ receipt: String, _ password: String?) -> SHA256Digest {
        var hash = SHA256()
        hash.update(data: Data((password ?? "").utf8))
        hash.update(data: [0])
        hash.update(data: Data(receipt.utf8))
        return hash.finalize()
    }
}
