import Perennial

/// Agreement of the tables with the journal and with the answers to the customer.
extension CustomerState.Row {
    func compare(with sale: Replay.Sale) throws(Violation) {
        func disagree(_ what: String) -> Violation {
            Violation(.journalAndTables, "\(transaction.id): \(what)")
        }
        guard position == sale.position else { throw disagree("sold at \(sale.position), the table says \(position)") }
        guard transaction.productID == sale.productID, transaction.originalID == sale.originalID else {
            throw disagree("another product or subscription than was sold")
        }
        guard transaction.price.milliunits == sale.price(in: transaction.storefront),
            sale.currency ?? transaction.price.currency == transaction.price.currency
        else { throw disagree("it cost \(transaction.price), and \(sale.paid) milliunits were paid") }
        try checkRefund(of: transaction, sale)
        guard (transaction.revocation != nil) == sale.isRevoked else { throw disagree("refunded, or not") }
        guard transaction.isFinished == sale.isFinished else { throw disagree("finished, or not") }
        if transaction.type == .free, (transaction.expiresDate != nil) != sale.hasEnded {
            throw disagree("the free subscription has ended, or not")
        }
    }

    /// Checks that the transaction's refunded share is the amount refunded, rounded down to a coin.
    private func checkRefund(of transaction: Transaction, _ sale: Replay.Sale) throws(Violation) {
        guard sale.isRevoked, let percentage = transaction.revocation?.percentage else { return }
        let whole = Refund.wholePercentage
        // With the tax on top of the price.
        let paid = Money(milliunits: sale.paid, transaction.price.currency)
        let most = paid.share(of: min(percentage + 1, whole), in: whole).milliunits
        let least = paid.share(of: percentage, in: whole).milliunits - Self.coinMax
        let isRight = percentage == whole ? sale.refunded == sale.paid : (least...most).contains(sale.refunded)
        guard isRight else {
            throw Violation(
                .wrongRefund, "\(percentage) thousandths of a percent of \(transaction.id) are not \(sale.refunded)")
        }
    }

    /// The smallest coin of the coarsest currency, in milliunits.
    private static let coinMax: Int64 = 1000
}

extension CustomerState {
    /// Checks that each renewal begins where a period ended. Exempt are renewals refunded before they began, also where the
    /// refund was reversed and the renewal replaced: the period before them may end elsewhere.
    func checkContinuity(_ replay: Replay) throws(Violation) {
        let ends = Dictionary(grouping: rows.map(\.transaction), by: \.originalID)
            .mapValues { Set($0.compactMap(\.expiresDate)) }
        for row in rows {
            guard let sale = replay.sales[row.transaction.id], sale.kind == .subscription(.renewed) else { continue }
            let (renewal, start) = (row.transaction, row.transaction.purchaseDate)
            let isReplaced = sale.isReinstated && renewal.isUpgraded
            if isReplaced || (renewal.revocation?.date ?? start) < start { continue }
            guard CommonRules.continues(start, ends: ends[renewal.originalID] ?? []) else {
                throw Violation(.gapInService, "\(renewal.id) begins at \(start.rfc3339()), where nothing ended")
            }
        }
    }

    func check(against clients: ClientModel, of person: SimulatedAction.Person) throws(Violation) {
        let transactions = Dictionary(rows.map { ($0.transaction.id, $0.transaction) }) { first, _ in first }
        let requests = clients.requests[person] ?? []
        for case let id? in requests.map(\.sold) where transactions[id] == nil {
            throw Violation(.lostAnswer, "\(id) was sold, and is gone")
        }
        for id in clients.refunded[person] ?? [] where transactions[id]?.revocation == nil {
            throw Violation(.lostAnswer, "\(id) was refunded, and is not")
        }
        for id in clients.finished[person] ?? [] where transactions[id]?.isFinished != true {
            throw Violation(.lostAnswer, "\(id) was finished, and is not")
        }
        try checkCount(requests)
    }

    /// Checks that every sale had a request. Renewals need none.
    private func checkCount(_ requests: [ClientModel.Request]) throws(Violation) {
        let asked = requests.filter {
            !$0.isRefused && SimulatedCatalog.products[$0.request.productID]?.type != .autoRenewable
        }
        let sold = rows.count { $0.transaction.type != .autoRenewable && $0.transaction.ownership == .purchased }
        guard CommonRules.isCovered(sold: sold, requested: asked.count) else {
            throw Violation(.soldTwice, "\(sold) were sold, and \(asked.count) requested")
        }
    }
}

extension Replay.Sale {
    /// The price in milliunits: what was paid, without a tax on top.
    fileprivate func price(in storefront: Storefront) -> Int64 {
        SimulatedCatalog.untaxedPrices.contains(storefront) ? paid - (salePostings[.tax] ?? 0) : paid
    }
}
