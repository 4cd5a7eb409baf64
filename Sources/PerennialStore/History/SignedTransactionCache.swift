import Perennial
import PerennialStorage

/// A cache of signed transactions. Servers ask about the same ones again and again, and a history page needs twenty
/// signatures.
///
/// Its entries can't be out of date: a change gives a transaction another position in its customer's history, and the
/// position is part of the key. All environments of a process share it, so that its capacity is a limit for all together.
final class SignedTransactionCache: Sendable {
    struct Key: Hashable {
        let environment: StoreEnvironment.ID
        let place: TransactionsTable.Place
        /// A change that was lost with a failover may have had the place.
        let era: Int64
    }

    /// A signed transaction.
    struct Entry: Sendable {
        /// A JSON string with its quotes.
        let json: [UInt8]
        let signed: Instant
    }

    /// The capacity in bytes: about ten thousand signed transactions.
    private static let capacity = 64 << 20
    /// The size of an entry besides its bytes.
    private static let overhead = 128
    /// The maximum age of a signature by the environment's clock, because some verifiers check `signedDate`.
    static let lifetime: Int64 = .minutes(1)

    private let entries = TwoGenerationCache<Key, Entry>(capacity: capacity)

    func value(_ key: Key, at now: Instant) -> Entry? {
        guard let entry = entries.value(key), entry.signed <= now, now < entry.signed + Self.lifetime else {
            return nil
        }
        return entry
    }

    func insert(_ entry: Entry, for key: Key) {
        entries.insert(entry, size: entry.json.count + Self.overhead, for: key)
    }
}
