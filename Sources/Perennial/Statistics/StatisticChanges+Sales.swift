extension StatisticChanges {
    /// Adds the sales of an entry, as the reports of sales classify them.
    ///
    /// - Parameter sale: The sale that a refund takes back or a reversal restores: its day, device and version.
    package mutating func add(
        _ totals: [SalesTotal], of entry: JournalEntry, version: String?, sale: (day: PacificDay, facts: SaleFacts?)?
    ) {
        guard !totals.isEmpty else { return }
        let day = PacificDay(entry.at)
        for total in totals {
            let key = total.key
            let place = StatisticPlace(
                day: day, product: key.product, storefront: key.storefront, device: key.device,
                version: key.version.isEmpty ? version : key.version)
            let use = ProductUse(key.type)
            switch use {
            case .redownload: add(total.units, .redownloads, place)
            case .update: add(total.units, .updates, place)
            case .restore: break
            case .download, .purchase:
                if use == .download { add(total.units, .downloads, place) }
                add(total.units, .units, place)
                let price = Money(
                    milliunits: Int64(clamping: key.customerPrice.milliunits.magnitude), key.customerPrice.currency)
                add(price.times(total.units), .revenue, place)
                add(key.proceeds.times(total.units), .proceeds, place)
                if total.units < 0 {
                    add(-total.units, .refunds, place)
                    add(price.times(-total.units), .refundedRevenue, place)
                }
            }
        }
        addTransaction(totals[0].key, of: entry, version: version, sale: sale)
    }

    /// Counts the transaction, and its refund, on the day of the sale. An upgrade's refund of unused time isn't a refund that a
    /// customer asked for.
    private mutating func addTransaction(
        _ key: SalesKey, of entry: JournalEntry, version: String?, sale: (day: PacificDay, facts: SaleFacts?)?
    ) {
        let place = StatisticPlace(
            day: sale?.day ?? PacificDay(entry.at), product: key.product, storefront: key.storefront,
            device: sale?.facts?.device ?? key.device, version: sale?.facts?.appVersion ?? version)
        switch entry.kind {
        case .refunded, .subscription(.subscriptionRefunded): add(1, .refundedTransactions, place)
        case .purchaseRefundReversed, .subscription(.subscriptionRefundReversed):
            add(-1, .refundedTransactions, place)
        case .subscription(.upgradeRefunded): break
        default: if key.customerPrice.milliunits > 0 { add(1, .paidTransactions, place) }
        }
    }
}

extension Money {
    fileprivate func times(_ count: Int64) -> Money {
        Money(milliunits: milliunits.clampedMultiplied(by: count), currency)
    }
}

/// The use of a product that a type identifier of Sales and Trends says.
package enum ProductUse: Sendable {
    case purchase
    /// The first download of an app.
    case download
    case redownload
    case update
    /// An owned product was bought again without a charge.
    case restore

    package init(_ type: ProductTypeIdentifier) {
        let text = type.rawValue
        if text == "IA3" {
            self = .restore
        } else if text.hasPrefix("1") || text.hasPrefix("F1") {
            self = .download
        } else if text.hasPrefix("3") || text.hasPrefix("F3") {
            self = .redownload
        } else if text.hasPrefix("7") || text.hasPrefix("F7") {
            self = .update
        } else {
            self = .purchase
        }
    }
}
