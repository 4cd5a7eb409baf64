/// An event of the seller's own journal: the money between a month's sales and the seller's bank.
package enum FinanceEvent: String, Sendable, CaseIterable {
    /// A region's proceeds of a fiscal month became payable.
    case monthClosed
    /// The operator corrected what is owed.
    case adjusted
    /// A region withheld tax, or taxed the commission.
    case withheld
    /// An amount was exchanged to the bank's currency.
    case exchanged
    /// The balance was paid.
    case paidOut

    /// The app number of the seller's own journal, which no app has.
    package static let journal: Int64 = 0
}

extension JournalEntry {
    /// Creates an entry of the seller's own journal.
    package init(_ event: FinanceEvent, at: Instant, _ postings: [Posting]) {
        self.init(.finance(event), at: at, accountID: Account.ID(rawValue: 0), postings: postings)
    }

    /// Creates the entry of a manual adjustment: money from outside of sales that the seller is owed, or owes.
    package static func adjustment(_ amount: Money, at: Instant) -> JournalEntry {
        JournalEntry(.adjusted, at: at, Posting.transfer(amount, from: .adjustment, to: .proceeds))
    }
}

extension Posting {
    /// Returns the movement of an amount from one account to another; nothing for zero.
    static func transfer(_ amount: Money, from source: Account, to target: Account) -> [Posting] {
        guard amount.milliunits != 0 else { return [] }
        return [
            Posting(source, Money(milliunits: Int64.zero.clampedSubtracting(amount.milliunits), amount.currency)),
            Posting(target, amount),
        ]
    }

    /// Returns the exchange of an amount that is payable.
    static func exchange(_ amount: Money, to other: Money) -> [Posting] {
        guard amount.currency != other.currency else { return [] }
        return transfer(amount, from: .payable, to: .exchange) + transfer(other, from: .exchange, to: .payable)
    }
}

extension MonthClosing {
    /// The entries of a closing, each with its line; the exchange of the carried balance and the payout have none.
    ///
    /// A line's proceeds become payable, tax is withheld from them, and the rest is exchanged. The payable amount
    /// in the bank's currency then is the total, of which the payout leaves the balance.
    package func entries(at instant: Instant) -> [(line: Int?, entry: JournalEntry)] {
        var entries: [(line: Int?, entry: JournalEntry)] = []
        func append(_ event: FinanceEvent, _ postings: [Posting], line: Int?) {
            guard !postings.isEmpty else { return }
            entries.append((line, JournalEntry(event, at: instant, postings)))
        }
        append(.exchanged, Posting.exchange(carried, to: carriedProceeds), line: nil)
        for (index, line) in lines.enumerated() {
            let sales = line.earned.milliunits.clampedAdding(line.adjustments.milliunits)
            append(
                .monthClosed,
                Posting.transfer(Money(milliunits: sales, line.key.currency), from: .proceeds, to: .payable),
                line: index)
            append(
                .withheld,
                Posting.transfer(line.withholding, from: .withholding, to: .payable)
                    + Posting.transfer(line.inputTax, from: .inputTax, to: .payable), line: index)
            append(.exchanged, Posting.exchange(line.owed, to: line.proceeds), line: index)
        }
        if let payout { append(.paidOut, Posting.transfer(payout.amount, from: .payable, to: .bank), line: nil) }
        return entries
    }
}
