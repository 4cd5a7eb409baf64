import Perennial
import PerennialStorage

/// What was signed of transactions lately: servers ask about the same ones again and again, and a history of twenty is
/// twenty signatures.
///
/// Nothing in it can be out of date: a change gives a transaction another place in its customer's history, and what was
/// signed is kept with the place that it is true for. It is shared by all environments of a process, so that its size is
/// a bound for all of them together.
final class SignedTransactionMemory: Sendable {
    struct Key: Hashable {
        let environment: StoreEnvironment.ID
        let place: TransactionsTable.Place
    }

    private struct Entry {
        let json: [UInt8]
        let signed: Instant
    }

    /// In bytes: some ten thousand signed transactions.
    private static let room = 64 << 20
    /// What a value takes besides its bytes.
    private static let overhead = 128
    /// How old a signature may be, by the environment's clock: there are verifiers that look at `signedDate`.
    private static let lifetime: Int64 = .minutes(1)

    private let entries = BoundedMemory<Key, Entry>(room: room)

    /// A signed transaction as a JSON string, quotes included.
    func find(_ key: Key, at now: Instant) -> [UInt8]? {
        guard let entry = entries.find(key), entry.signed <= now, now < entry.signed + Self.lifetime else { return nil }
        return entry.json
    }

    func keep(_ json: [UInt8], signed: Instant, for key: Key) {
        entries.keep(Entry(json: json, signed: signed), size: json.count + Self.overhead, for: key)
    }
}
