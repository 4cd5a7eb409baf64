import Perennial

/// A row of a monthly financial report: the units of a fiscal month with the same product, share, price and country.
package struct FinancialReportRow: Hashable, Sendable {
    /// The seller's SKU: an in-app purchase's product ID, or an app's bundle ID.
    package var vendorIdentifier: String
    /// Negative for returns.
    package var quantity: Int64
    /// The proceeds of one unit; never negative.
    package var partnerShare: Money
    package var isReturn: Bool
    package var appleIdentifier: Int64
    package var developer: String
    package var title: String
    package var productType: ProductTypeIdentifier
    /// A code of two letters.
    package var countryOfSale: String
    package var promoCode: String
    /// The price of one unit; never negative.
    package var customerPrice: Money

    package init(
        vendorIdentifier: String, quantity: Int64, partnerShare: Money, isReturn: Bool, appleIdentifier: Int64,
        developer: String, title: String, productType: ProductTypeIdentifier, countryOfSale: String, promoCode: String,
        customerPrice: Money
    ) {
        self.vendorIdentifier = vendorIdentifier
        self.quantity = quantity
        self.partnerShare = partnerShare
        self.isReturn = isReturn
        self.appleIdentifier = appleIdentifier
        self.developer = developer
        self.title = title
        self.productType = productType
        self.countryOfSale = countryOfSale
        self.promoCode = promoCode
        self.customerPrice = customerPrice
    }

    /// Quantity times partner share.
    package var extendedPartnerShare: Money {
        Money(milliunits: partnerShare.milliunits.clampedMultiplied(by: quantity), partnerShare.currency)
    }

    /// The columns that identify a row; rows that share them are one.
    fileprivate var identity: FinancialReportRow {
        var row = self
        row.quantity = 0
        return row
    }
}

/// A monthly financial report: of one region, or of all regions, then with a section by country.
///
/// Tab-separated text with one header row, without quotes, and lines with totals after the rows.
package struct FinancialReport: Hashable, Sendable {
    package var month: FiscalMonth
    package private(set) var rows: [FinancialReportRow]
    /// True for the report of all regions.
    package var isConsolidated: Bool

    /// - Parameter rows: In any order; equal rows are added up.
    package init(_ month: FiscalMonth, rows: [FinancialReportRow], isConsolidated: Bool) {
        var quantities: [FinancialReportRow: Int64] = [:]
        for row in rows {
            quantities[row.identity] = (quantities[row.identity] ?? 0).clampedAdding(row.quantity)
        }
        self.month = month
        self.isConsolidated = isConsolidated
        self.rows = quantities.filter { $0.value != 0 }.map { identity, quantity -> FinancialReportRow in
            var row = identity
            row.quantity = quantity
            return row
        }.sorted { $0.order.lexicographicallyPrecedes($1.order) }
    }

    package static let columns = [
        "Start Date", "End Date", "UPC", "ISRC/ISBN", "Vendor Identifier", "Quantity", "Partner Share",
        "Extended Partner Share", "Partner Share Currency", "Sales or Return", "Apple Identifier",
        "Artist/Show/Developer/Author", "Title", "Label/Studio/Network/Developer/Publisher", "Grid",
        "Product Type Identifier", "ISAN/Other Identifier", "Country Of Sale", "Pre-order Flag", "Promo Code",
        "Customer Price", "Customer Currency",
    ]
    package static let countryColumns = [
        "Country Of Sale", "Partner Share Currency", "Quantity", "Extended Partner Share",
    ]

    /// Units and amounts, by country and currency.
    package struct CountryTotal: Hashable, Sendable {
        package var country: String
        package var quantity: Int64
        package var amount: Money
    }

    /// The totals of each country and currency, in their order.
    package var countries: [CountryTotal] {
        let groups = Dictionary(grouping: rows) { [$0.countryOfSale, $0.partnerShare.currency.rawValue] }
        return groups.sorted { $0.key.lexicographicallyPrecedes($1.key) }.map { key, rows in
            CountryTotal(
                country: key[0], quantity: rows.reduce(0) { $0 + $1.quantity },
                amount: Money(
                    milliunits: rows.reduce(0) { $0.clampedAdding($1.extendedPartnerShare.milliunits) },
                    Currency(rawValue: key[1])))
        }
    }

    /// The sums of the extended partner shares, by currency.
    package var totals: [Money] {
        let groups = Dictionary(grouping: rows, by: \.partnerShare.currency)
        return groups.sorted { $0.key.rawValue < $1.key.rawValue }.map { currency, rows in
            Money(
                milliunits: rows.reduce(0) { $0.clampedAdding($1.extendedPartnerShare.milliunits) }, currency)
        }
    }

    package var units: Int64 { rows.reduce(0) { $0 + $1.quantity } }

    /// The file. Several currencies have a total each, with its currency as a third field.
    package var text: String {
        var lines = [Self.columns.joined(separator: "\t")]
        let dates = [month.firstDay.monthDayYear, month.lastDay.monthDayYear]
        lines += rows.map { (dates + $0.fields).joined(separator: "\t") }
        lines.append("Total_Rows\t\(rows.count)")
        let totals = totals
        lines += totals.map { total in
            "Total_Amount\t\(total.decimal)" + (totals.count > 1 ? "\t\(total.currency)" : "")
        }
        lines.append("Total_Units\t\(units)")
        if isConsolidated {
            lines.append(Self.countryColumns.joined(separator: "\t"))
            lines += countries.map { "\($0.country)\t\($0.amount.currency)\t\($0.quantity)\t\($0.amount.decimal)" }
        }
        return lines.joined(separator: "\n") + "\n"
    }
}

extension FinancialReportRow {
    fileprivate var order: [String] {
        [
            countryOfSale, partnerShare.currency.rawValue, vendorIdentifier, productType.rawValue, isReturn ? "R" : "S",
            Self.sortable(partnerShare), Self.sortable(customerPrice), customerPrice.currency.rawValue, promoCode,
            title,
        ]
    }

    /// Amounts aren't negative, so their digits sort like numbers once they are padded.
    private static func sortable(_ money: Money) -> String {
        let digits = String(money.milliunits)
        return String(repeating: "0", count: max(0, 20 - digits.count)) + digits
    }

    /// The fields after the dates.
    fileprivate var fields: [String] {
        [
            "", "", vendorIdentifier.field, "\(quantity)", partnerShare.decimal, extendedPartnerShare.decimal,
            partnerShare.currency.rawValue, isReturn ? "R" : "S", "\(appleIdentifier)", developer.field, title.field,
            "",
            "", productType.rawValue, "", countryOfSale, "", promoCode.field, customerPrice.decimal,
            customerPrice.currency.rawValue,
        ]
    }
}

extension PacificDay {
    /// The form of dates in financial reports: `10/03/2026`.
    var monthDayYear: String {
        func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(padded(date.month))/\(padded(date.day))/\(date.year)"
    }
}

extension String {
    /// The text without tabs and line breaks, which would end a field.
    var field: String {
        String(
            String.UnicodeScalarView(
                unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    }
}
