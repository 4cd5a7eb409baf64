extension [Posting] {
    /// The postings of a refund of the sale that these are the postings of: the sale's own, the other way round, in the share
    /// that is given back. The terms on which the app sells by now don't matter.
    ///
    /// The customer receives exactly `amount`. What is taken back of commission and tax is rounded towards zero, to a
    /// thousandth of the currency's unit; the rest is the seller's, as it is in a sale. Refunds of one sale that say what was
    /// given back before take back, together, what one refund of their sum would: all of the sale, if it is all of the price.
    ///
    /// - Parameters:
    ///   - amount: What is given back now.
    ///   - before: What was given back before.
    package func refunding(_ amount: Money, after before: Int64 = 0) -> [Posting] {
        let price = reduce(0) { $1.account == .customer ? $0 - $1.amount.milliunits : $0 }
        guard price > 0, amount.milliunits > 0 else { return [] }
        let from = Swift.min(Swift.max(before, 0), price)
        let to = Swift.min(from + Swift.min(amount.milliunits, price), price)
        func share(_ milliunits: Int64, _ given: Int64) -> Int64 {
            let size = Money.fraction(Int64(clamping: milliunits.magnitude), given, price)
            return milliunits < 0 ? -size : size
        }
        var postings: [Posting] = []
        var rest: Int64 = 0
        for posting in self where posting.account != .proceeds {
            let moved = share(posting.amount.milliunits, from) - share(posting.amount.milliunits, to)
            rest -= moved
            postings.append(Posting(posting.account, Money(milliunits: moved, amount.currency)))
        }
        // Where it stands in the sale.
        let index = firstIndex { $0.account == .proceeds } ?? postings.count
        postings.insert(
            Posting(.proceeds, Money(milliunits: rest, amount.currency)), at: Swift.min(index, postings.count))
        return postings
    }
}
