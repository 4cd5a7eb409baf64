import Perennial

/// A row of the finance detail report: a row of the monthly report, of one day.
package struct FinanceDetailRow: Hashable, Sendable {
    package var transactionDate: PacificDay
    /// The region's code.
    package var region: FinancialRegion
    package var row: FinancialReportRow

    package init(transactionDate: PacificDay, region: FinancialRegion, row: FinancialReportRow) {
        self.transactionDate = transactionDate
        self.region = region
        self.row = row
    }
}

/// The finance detail report (region `Z1`): all regions of a fiscal month, by the day of each transaction.
///
/// It has the late entries, too, which the monthly report leaves to the adjustments: they have days before the month.
package struct FinanceDetailReport: Hashable, Sendable {
    package var month: FiscalMonth
    package var rows: [FinanceDetailRow]

    /// - Parameter rows: In any order; equal rows are added up.
    package init(_ month: FiscalMonth, rows: [FinanceDetailRow]) {
        self.month = month
        let groups = Dictionary(grouping: rows) { [$0.transactionDate.description, $0.region.rawValue] }
        self.rows = groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.flatMap {
            _, rows -> [FinanceDetailRow] in
            guard let first = rows.first else { return [] }
            return FinancialReport(month, rows: rows.map(\.row), isConsolidated: false).rows.map { row in
                FinanceDetailRow(transactionDate: first.transactionDate, region: first.region, row: row)
            }
        }
    }

    package static let columns = [
        "Transaction Date", "Settlement Date", "Apple Identifier", "SKU", "Title", "Developer Name",
        "Product Type Identifier", "Country of Sale", "Quantity", "Partner Share", "Extended Partner Share",
        "Partner Share Currency", "Customer Price", "Customer Currency", "Sale or Return", "Promo Code", "Order Type",
        "Region",
    ]

    /// The file.
    package var text: String {
        let settlement = month.lastDay.monthDayYear
        let lines =
            [Self.columns]
            + rows.map { detail -> [String] in
                let row = detail.row
                return [
                    detail.transactionDate.monthDayYear, settlement, "\(row.appleIdentifier)",
                    row.vendorIdentifier.field,
                    row.title.field, row.developer.field, row.productType.rawValue, row.countryOfSale,
                    "\(row.quantity)",
                    row.partnerShare.decimal, row.extendedPartnerShare.decimal, row.partnerShare.currency.rawValue,
                    row.customerPrice.decimal, row.customerPrice.currency.rawValue, row.isReturn ? "R" : "S",
                    row.promoCode.field, "", detail.region.rawValue,
                ]
            }
        return lines.map { $0.joined(separator: "\t") }.joined(separator: "\n") + "\n"
    }
}
