import Perennial

/// The parts of the rules that the simulator and the checker of histories apply to the same data.
enum CommonRules {
    /// True if a journal entry at a position follows another without a gap.
    static func follows(_ position: Int64, _ last: Int64) -> Bool { position == last + 1 }

    /// True if the postings of a journal entry sum to zero, by currency.
    static func balance(_ postings: [Posting]) -> Bool { postings.balances }

    /// True if a sale was charged one of the prices that could be in force.
    static func isCharged(_ price: Money, for quantity: Int = 1, among prices: some Sequence<Money>) -> Bool {
        prices.contains { price == $0 * quantity }
    }

    /// True if a product was sold at most as often as it was requested.
    static func isCovered(sold: Int, requested: Int) -> Bool { sold <= requested }

    /// Finds two periods of one subscription for the same time.
    ///
    /// - Parameter periods: Periods neither refunded nor replaced.
    static func overlap<ID: Comparable>(of periods: [PaidPeriod<ID>]) -> (PaidPeriod<ID>, PaidPeriod<ID>)? {
        let sorted = periods.filter { $0.start < $0.end ?? $0.start }
            .sorted { ($0.start, $0.id) < ($1.start, $1.id) }
        return zip(sorted, sorted.dropFirst()).first { one, next in one.end.map { $0 > next.start } ?? false }
    }

    /// True if a renewal starts where a period of its subscription ended.
    static func continues(_ start: Instant, ends: some Sequence<Instant>) -> Bool { ends.contains(start) }
}
