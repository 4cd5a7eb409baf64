/// One posting of a movement of money. The postings of a sale, a refund or a payout sum to zero in each currency.
package struct Posting: Hashable, Sendable {
    /// The account of a posting. A positive amount is received.
    package enum Account: String, Sendable, CaseIterable {
        /// The customers' payments (negative for a sale).
        case customer
        /// The amount owed to the seller.
        case proceeds
        /// The store's commission.
        case commission
        /// The amount owed to the tax authority.
        case tax
    }

    package let account: Account
    package let amount: Money

    package init(_ account: Account, _ amount: Money) {
        self.account = account
        self.amount = amount
    }
}

/// The shares of commission and tax in a sale.
package struct SaleTerms: Hashable, Sendable, Codable {
    /// The commission on the price without tax, in basis points: 3000 is 30 %.
    package var commissionBasisPoints: Int64
    /// The tax included in the price, in basis points of the price without tax: 2000 is 20 %.
    package var taxBasisPoints: Int64

    package init(commissionBasisPoints: Int64, taxBasisPoints: Int64) {
        self.commissionBasisPoints = commissionBasisPoints
        self.taxBasisPoints = taxBasisPoints
    }

    package static let standard = SaleTerms(commissionBasisPoints: 3000, taxBasisPoints: 0)

    /// Returns the postings of a sale; empty if nothing is charged. They sum to zero: the seller gets the rounding
    /// difference.
    package func postings(forSaleAt price: Money) -> [Posting] {
        guard price.milliunits != 0 else { return [] }
        let net = price.milliunits * 10_000 / (10_000 + taxBasisPoints)
        let commission = net * commissionBasisPoints / 10_000
        func money(_ milliunits: Int64) -> Money { Money(milliunits: milliunits, price.currency) }
        var postings = [
            Posting(.customer, money(-price.milliunits)),
            Posting(.proceeds, money(net - commission)),
            Posting(.commission, money(commission)),
        ]
        if price.milliunits != net { postings.append(Posting(.tax, money(price.milliunits - net))) }
        return postings
    }
}

extension [Posting] {
    /// True if the amounts of each currency sum to zero.
    package var balances: Bool {
        // Usually there is one currency.
        guard let currency = first?.amount.currency else { return true }
        if allSatisfy({ $0.amount.currency == currency }) { return reduce(0) { $0 + $1.amount.milliunits } == 0 }
        var sums: [Currency: Int64] = [:]
        for posting in self { sums[posting.amount.currency, default: 0] += posting.amount.milliunits }
        return sums.values.allSatisfy { $0 == 0 }
    }

    /// The reverse movement.
    package var reversed: [Posting] {
        map { Posting($0.account, Money(milliunits: -$0.amount.milliunits, $0.amount.currency)) }
    }
}
