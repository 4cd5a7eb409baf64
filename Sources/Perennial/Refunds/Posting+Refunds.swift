extension [Posting] {
    /// Returns the postings of a refund of this sale: the reverse of the sale's postings, in the refunded share. The
    /// app's current terms don't matter.
    ///
    /// Each account gets its share of what the sale posted, in whole coins, rounded towards zero; the rest is the
    /// seller's, as in a sale. If tax was on top of the price, the customer receives the refunded share of it too.
    /// Partial refunds that name the earlier amount add up to one refund of their sum: to the whole sale, if they add up
    /// to the price, also if the sale was posted in finer amounts than coins.
    ///
    /// - Parameters:
    ///   - amount: The amount of the price to refund now.
    ///   - price: The price of the sale without a tax on top; by default what the customer paid.
    ///   - before: The amount of the price refunded before.
    package func refunding(_ amount: Money, of price: Money? = nil, after before: Int64 = 0) -> [Posting] {
        let paid = reduce(Int64(0)) {
            $1.account == .customer ? $0.clampedSubtracting($1.amount.milliunits) : $0
        }
        let price = price?.milliunits ?? paid
        guard paid > 0, price > 0, amount.milliunits > 0 else { return [] }
        let from = Swift.min(Swift.max(before, 0), price)
        let to = Swift.min(from + Swift.min(amount.milliunits, price - from), price)
        let coin = amount.currency.smallestAmount
        func share(_ milliunits: Int64, _ given: Int64) -> Int64 {
            // The whole stays the whole. A customer who paid the price alone receives exactly the amount.
            let magnitude = Int64(clamping: milliunits.magnitude)
            guard given < price else { return milliunits }
            if magnitude == price { return milliunits < 0 ? -given : given }
            let size = Money.fraction(magnitude, given, price) / coin * coin
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
