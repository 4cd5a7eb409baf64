import Perennial
import PerennialStorage

/// A cache of answers with pages of histories, for all environments of a process.
///
/// Servers request the same histories again and again, and an answer of twenty transactions has seventy kilobytes, which
/// are written once. An entry can't be out of date: its key has the customer and the place of each transaction in the
/// customer's history, and every change of a transaction moves it. Keys and places are read from the database for each
/// answer.
package final class HistoryAnswers<Answer: Sendable>: Sendable {
    struct Key: Hashable {
        let customer: CustomerKey
        let places: [TransactionsTable.Place]
        let hasMore: Bool
        /// The places may be of changes that a failover has lost.
        let era: Int64
    }

    private struct Entry {
        let answer: Answer
        /// The first and the last time of its signatures.
        let signed: ClosedRange<Instant>
    }

    /// The capacity in bytes: some four hundred full pages.
    private static var capacity: Int { 32 << 20 }
    /// The size of an entry besides its answer.
    private static var overhead: Int { 512 }

    private let entries = TwoGenerationCache<Key, Entry>(capacity: capacity)

    package init() {}

    func answer(_ key: Key, at now: Instant) -> Answer? {
        guard let entry = entries.value(key), entry.signed.upperBound <= now,
            now < entry.signed.lowerBound + SignedTransactionCache.lifetime
        else { return nil }
        return entry.answer
    }

    /// - Parameter size: The size of the answer in bytes.
    func insert(_ answer: Answer, size: Int, signed: ClosedRange<Instant>, for key: Key) {
        entries.insert(Entry(answer: answer, signed: signed), size: size + Self.overhead, for: key)
    }
}
