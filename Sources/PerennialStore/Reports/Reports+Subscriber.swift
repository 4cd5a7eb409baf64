import AppStoreFormats
import Perennial
import PerennialStorage

/// The Subscriber report: a row for each transaction of a subscription, read from the day's journal while it is sent.
extension Reports {
    /// Returns the file of a day. Its rows are made while it is written, batch by batch, so a million rows need no more
    /// memory than a thousand.
    ///
    /// - Throws: ``ReportError`` `.notFound` if no subscription was sold, renewed or refunded on the day.
    func subscriberFile(
        _ layout: ReportLayout, _ vendor: String, _ day: PacificDay, _ apps: [ReportedApp]
    ) async throws -> ReportFile {
        let count = try await database.read { connection in
            try apps.reduce(0) { count, app in
                let rows = try SalesRollUpTable.rows(.day, day.number...day.number, app.key, on: connection)
                let sold = rows.filter { Self.isListed($0.total.key) }
                return count + sold.reduce(0) { $0 + Int(clamping: $1.total.units.magnitude) }
            }
        }
        guard count > 0 else { throw ReportQuery.noSales }
        let name = layout.fileName(vendor: vendor, ReportPeriod(.daily, containing: day))
        return ReportFile(name: name, rows: count, text: nil) { [self] write in
            var stream = try ReportStream(layout)
            for app in apps {
                let classifier = SalesClassifier(app.app)
                try await rollUps.entries(of: day...day, app.app) { batch in
                    for entry in batch.entries {
                        for row in rows(of: entry, on: day, app, classifier, vendor) {
                            try await stream.append(row, write)
                        }
                    }
                }
            }
            try await stream.finish(write)
        }
    }

    /// Returns true for a sale of a subscription that renews, or its refund.
    private static func isListed(_ key: SalesKey) -> Bool { key.product != nil && key.subscription != nil }

    /// Returns the rows of a journal entry: usually one or none.
    func rows(
        of entry: RollUpBatch.Entry, on day: PacificDay, _ app: ReportedApp, _ classifier: SalesClassifier,
        _ vendor: String
    ) -> [[ReportValue]] {
        guard let transaction = entry.transaction, transaction.type == .autoRenewable else { return [] }
        let totals = classifier.totals(of: entry.entry, transaction, refunding: entry.sale?.facts)
        return totals.filter { Self.isListed($0.key) }.map { total in
            let (key, id) = (total.key, transaction.productID)
            var cells: [ReportValue] = [.date(day)]
            cells += app.subscriptionCells(id, group: transaction.subscriptionGroupID, period: key.period)
            cells += app.offerCells(transaction.offer, of: id)
            cells += app.offerTermsCells(transaction.offer)
            // Nothing asks customers for marketing.
            cells.append(.blank)
            cells += app.moneyCells(
                key.customerPrice, key.proceeds, isPreserved: key.isPricePreserved, key.proceedsReason, key.device)
            cells.append(.text(key.storefront.alpha2))
            cells.append(.integer(subscriberIDs.id(of: entry.entry.accountID, vendor: vendor)))
            // Nothing resets the number.
            cells.append(.blank)
            cells.append(ReportValue(key.isRefund))
            cells.append(.date(PacificDay(transaction.purchaseDate)))
            cells.append(.integer(total.units))
            return cells
        }
    }
}
