extension [Posting] {
    /// Returns the postings of a refund of this sale: the reverse of the sale's postings, in the refunded share. The
    /// app's current terms don't matter.
    ///
    /// The customer receives exactly `amount`. Commission and tax are taken back rounded towards zero to a thousandth
    /// of the currency's unit; the rest is the seller's, as in a sale. Partial refunds that name the earlier amount
    /// add up to one refund of their sum: to the whole sale, if they add up to the price.
    ///
    /// - Parameters:
    ///   - amount: The amount to refund now.
    ///   - before: The amount refunded before.
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
        // Keeps the order of the sale's postings.
        let index = firstIndex { $0.account == .proceeds } ?? postings.count
        postings.insert(
            Posting(.proceeds, Money(milliunits: rest, amount.currency)), at: Swift.min(index, postings.count))
        return postings
    }
}
