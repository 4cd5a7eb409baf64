import Perennial
import PerennialStorage

/// The comparison of closings and adjustments with the seller's own journal.
struct ReconciledLedger {
    private(set) var differences: [Reconciliation.Difference] = []
    /// The balances of the seller's own journal, by account and currency.
    private(set) var balances: [Posting.Account: [Currency: Int64]] = [:]
    private(set) var payments: [Reconciliation.Payments] = []

    init(_ stored: StoredFigures) {
        let journal = Dictionary(stored.entries.map { ($0.position, $0.entry) }) { first, _ in first }
        for (position, entry) in stored.entries {
            if !entry.postings.balances {
                append("the entry \(position) of the seller's own journal doesn't sum to zero")
            }
            for posting in entry.postings {
                let (amount, currency) = (posting.amount.milliunits, posting.amount.currency)
                balances[posting.account, default: [:]][currency] =
                    (balances[posting.account]?[currency] ?? 0).clampedAdding(amount)
            }
        }
        var known: Set<Int64> = []
        for adjustment in stored.adjustments {
            known.insert(adjustment.position)
            guard journal[adjustment.position] == .adjustment(adjustment.amount, at: adjustment.at) else {
                append("the adjustment \(adjustment.position) of \(adjustment.amount) isn't posted like that")
                continue
            }
        }
        var previous: MonthClosing?
        for record in stored.closings {
            compare(record, after: previous, journal, &known)
            previous = record.closing
        }
        for (position, _) in stored.entries where !known.contains(position) {
            append("the entry \(position) of the seller's own journal belongs to no closing and no adjustment")
        }
        comparePayable(stored.closings.last?.closing)
        addPayments(stored.closings.map(\.closing))
    }

    private mutating func append(_ text: String) { differences.append(Reconciliation.Difference(text)) }

    private mutating func compare(
        _ record: ClosedMonthsTable.Record, after previous: MonthClosing?, _ journal: [Int64: JournalEntry],
        _ known: inout Set<Int64>
    ) {
        let closing = record.closing
        for line in closing.lines
        where line.owed.multiplied(by: line.rate, in: closing.bankCurrency) != line.proceeds {
            append(
                "the line \(line.key.region) (\(line.key.currency)) of the closing of \(closing.month): "
                    + "\(line.owed) at \(line.rate) isn't \(line.proceeds)")
        }
        if let previous, previous.balance != closing.carried {
            append(
                "the closing of \(closing.month) carries \(closing.carried), and that of \(previous.month) left "
                    + "\(previous.balance)")
        }
        if let payout = closing.payout {
            if payout.amount != closing.total {
                append("the payout \(payout.reference) is \(payout.amount), and the total is \(closing.total)")
            }
        } else if closing.total.milliunits > 0, closing.total.milliunits >= closing.threshold.milliunits {
            append("the closing of \(closing.month) has \(closing.total), which reaches the threshold, and no payout")
        }
        let entries = closing.entries(at: record.closed)
        for (offset, expected) in entries.enumerated() {
            let position = record.firstPosition + Int64(offset)
            known.insert(position)
            guard journal[position] != expected.entry else { continue }
            let subject =
                expected.line.map { "the line \(closing.lines[$0].key.region) of the closing" } ?? "the closing"
            append(
                "\(subject) of \(closing.month) isn't what the entry \(position) of the seller's own journal has posted"
            )
        }
        if record.lastPosition != record.firstPosition + Int64(entries.count) - 1 {
            append("the closing of \(closing.month) has \(entries.count) entries, and other positions")
        }
    }

    /// Checks that the ledger has the balance that was carried, and nothing else that is payable.
    private mutating func comparePayable(_ last: MonthClosing?) {
        let payable: [Currency: Int64] = (balances[.payable] ?? [:]).filter { $0.value != 0 }
        var carried: [Currency: Int64] = [:]
        if let last, last.balance.milliunits != 0 { carried[last.bankCurrency] = last.balance.milliunits }
        guard payable != carried else { return }
        func text(_ amounts: [Currency: Int64]) -> String {
            let list = amounts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
                Money(milliunits: $0.value, $0.key).description
            }
            return list.isEmpty ? "nothing" : list.joined(separator: ", ")
        }
        append("the ledger has \(text(payable)) payable, and the last closing carried \(text(carried))")
    }

    private mutating func addPayments(_ closings: [MonthClosing]) {
        var payments: [Currency: Reconciliation.Payments] = [:]
        func change(_ currency: Currency, _ body: (inout Reconciliation.Payments) -> Void) {
            body(&payments[currency, default: Reconciliation.Payments(currency: currency)])
        }
        for closing in closings {
            change(closing.bankCurrency) { payments in
                payments.proceeds += closing.lines.reduce(0) { $0.clampedAdding($1.proceeds.milliunits) }
                payments.paid += closing.payout?.amount.milliunits ?? 0
            }
            if closing.carried.currency != closing.bankCurrency {
                change(closing.carried.currency) { $0.exchanged -= closing.carried.milliunits }
                change(closing.bankCurrency) { $0.exchanged += closing.carriedProceeds.milliunits }
            }
        }
        if let last = closings.last { change(last.bankCurrency) { $0.balance = last.balance.milliunits } }
        self.payments = payments.values.sorted { $0.currency.rawValue < $1.currency.rawValue }
    }
}
