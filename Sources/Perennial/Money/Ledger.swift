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
        /// The proceeds of closed months that aren't paid out.
        case payable
        /// The tax that a region withheld from proceeds.
        case withholding
        /// The tax on the commission that the seller bears.
        case inputTax
        /// The other side of manual adjustments.
        case adjustment
        /// The other side of exchanges between currencies.
        case exchange
        /// The seller's bank account.
        case bank
    }

    package let account: Account
    package let amount: Money

    package init(_ account: Account, _ amount: Money) {
        self.account = account
        self.amount = amount
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
