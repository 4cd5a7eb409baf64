import Perennial

/// Where the tables must agree with what was said elsewhere: in the journal, and to the customer.
extension Books.Row {
    func compare(with told: Replay.Told) throws(Violation) {
        func disagree(_ what: String) -> Violation {
            Violation(.journalAndTables, "\(transaction.id): \(what)")
        }
        guard position == told.position else { throw disagree("sold at \(told.position), the table says \(position)") }
        guard transaction.productID == told.productID, transaction.originalID == told.originalID else {
            throw disagree("another product or subscription than was sold")
        }
        guard transaction.price.milliunits == told.paid,
            told.currency ?? transaction.price.currency == transaction.price.currency
        else { throw disagree("it cost \(transaction.price), and \(told.paid) milliunits were paid") }
        try checkRefund(of: transaction, told)
        guard (transaction.revocation != nil) == told.isRevoked else { throw disagree("refunded, or not") }
        guard transaction.isFinished == told.isFinished else { throw disagree("finished, or not") }
        if transaction.type == .free, (transaction.expiresDate != nil) != told.hasEnded {
            throw disagree("the free subscription has ended, or not")
        }
    }

    /// What the transaction says was given back is what moved, rounded down to a coin.
    private func checkRefund(of transaction: Transaction, _ told: Replay.Told) throws(Violation) {
        guard told.isRevoked, let percentage = transaction.revocation?.percentage else { return }
        let whole = Refund.wholePercentage
        let most = transaction.price.share(of: min(percentage + 1, whole), in: whole).milliunits
        let least = transaction.price.share(of: percentage, in: whole).milliunits - Self.coinMax
        let isRight = percentage == whole ? told.givenBack == told.paid : (least...most).contains(told.givenBack)
        guard isRight else {
            throw Violation(
                .wrongRefund, "\(percentage) thousandths of a percent of \(transaction.id) are not \(told.givenBack)")
        }
    }

    /// The smallest coin of the coarsest currency, in milliunits.
    private static let coinMax: Int64 = 1000
}

extension Books {
    /// A renewal begins where a period ended. One that an operator cut before it began ends there itself; and one that was
    /// taken back before it began stands where it would have, whatever became of the period before it: also where it came
    /// back and gave way.
    func checkContinuity(_ replay: Replay) throws(Violation) {
        let ends = Set(rows.map { Ending(originalID: $0.transaction.originalID, date: $0.transaction.expiresDate) })
        for row in rows {
            guard let told = replay.told[row.transaction.id], told.kind == .subscription(.renewed) else { continue }
            let (renewal, start) = (row.transaction, row.transaction.purchaseDate)
            let hasGivenWay = told.isReinstated && renewal.isUpgraded
            if hasGivenWay || (renewal.revocation?.date ?? start) < start { continue }
            guard ends.contains(Ending(originalID: renewal.originalID, date: start)) else {
                throw Violation(.gapInService, "\(renewal.id) begins at \(start.rfc3339()), where nothing ended")
            }
        }
    }

    private struct Ending: Hashable {
        var originalID: TransactionID
        var date: Instant?
    }

    func check(against memory: Memory, of person: Action.Person) throws(Violation) {
        let transactions = Dictionary(rows.map { ($0.transaction.id, $0.transaction) }) { first, _ in first }
        let requests = memory.requests[person] ?? []
        for case let id? in requests.map(\.sold) where transactions[id] == nil {
            throw Violation(.lostAnswer, "\(id) was sold, and is gone")
        }
        for id in memory.refunded[person] ?? [] where transactions[id]?.revocation == nil {
            throw Violation(.lostAnswer, "\(id) was refunded, and is not")
        }
        for id in memory.finished[person] ?? [] where transactions[id]?.isFinished != true {
            throw Violation(.lostAnswer, "\(id) was finished, and is not")
        }
        try checkCount(requests)
    }

    /// Nothing is sold that nobody asked for. A subscription renews by itself; everything else is one request each.
    private func checkCount(_ requests: [Memory.Request]) throws(Violation) {
        let asked = requests.filter {
            !$0.isRefused && SimulatedCatalog.products[$0.request.productID]?.type != .autoRenewable
        }
        let sold = rows.count { $0.transaction.type != .autoRenewable && $0.transaction.ownership == .purchased }
        guard sold <= asked.count else {
            throw Violation(.soldTwice, "\(sold) were sold, and \(asked.count) asked for")
        }
    }
}
