import AppStoreFormats
import Perennial
import PerennialStorage

/// The rows of Summary Sales.
enum SalesReportRows {
    /// Returns a row for each combination of the columns that aren't units, of all apps.
    static func rows(
        of period: ReportPeriod, _ layout: ReportLayout, _ apps: [ReportedApp], on connection: any Connection
    ) throws -> [[ReportValue]] {
        try apps.flatMap { app in
            let found =
                if let months = period.monthNumbers {
                    try SalesRollUpTable.rows(.month, months, app.key, on: connection)
                } else {
                    try SalesRollUpTable.rows(.day, period.dayNumbers, app.key, on: connection)
                }
            return rows(of: found.map(\.total), app, period, layout)
        }
    }

    /// Adds up totals that differ in nothing but in what the file doesn't have, such as the day, the tax and the
    /// commission.
    static func rows(
        of totals: [SalesTotal], _ app: ReportedApp, _ period: ReportPeriod, _ layout: ReportLayout
    ) -> [[ReportValue]] {
        var units: [SalesKey: Int64] = [:]
        for total in totals {
            var key = total.key
            key.tax = .zero(key.customerPrice.currency)
            key.commission = .zero(key.customerPrice.currency)
            units[key, default: 0] += total.units
        }
        let columns = layout.columns.count
        return units.filter { $0.value != 0 }.map { key, units in
            var cells = Self.row(key, units: units, app, period)
            // `Order Type` of version 1_1 marks pre-orders, which this store doesn't have.
            if cells.count < columns { cells.append(.blank) }
            return cells
        }
    }

    private static func row(
        _ key: SalesKey, units: Int64, _ app: ReportedApp, _ period: ReportPeriod
    ) -> [ReportValue] {
        let cells = if let product = key.product { soldCells(product, app) } else { appCells(key, app) }
        var row: [ReportValue] = [.text("APPLE"), .text("US"), .text(cells.sku), .text(app.app.developer)]
        row += [.text(cells.title), cells.version, .text(key.type.rawValue), .integer(units), .amount(key.proceeds)]
        row += dateAndPlaceCells(key, period)
        row += [ReportValue(cells.appleID), .amount(key.customerPrice), .text(key.promoCode), cells.parent]
        row += circumstanceCells(key, app.app)
        return row
    }

    /// The cells that differ between an app and its products.
    private struct Cells {
        var sku: String
        var title: String
        var version: ReportValue
        var appleID: Int64?
        var parent: ReportValue
    }

    private static func appCells(_ key: SalesKey, _ app: ReportedApp) -> Cells {
        Cells(
            sku: app.app.sku, title: app.app.name, version: .text(key.version), appleID: app.app.appleID,
            parent: .blank)
    }

    private static func soldCells(_ product: Product.ID, _ app: ReportedApp) -> Cells {
        Cells(
            sku: product.rawValue, title: app.name(of: product), version: .blank, appleID: app.appleID(of: product),
            parent: .text(app.app.sku))
    }

    /// Returns the cells from `Begin Date` to `Currency of Proceeds`.
    private static func dateAndPlaceCells(_ key: SalesKey, _ period: ReportPeriod) -> [ReportValue] {
        [
            .date(period.firstDay),
            .date(period.lastDay),
            .text(key.customerPrice.currency.rawValue),
            .text(key.storefront.alpha2),
            .text(key.proceeds.currency.rawValue),
        ]
    }

    /// Returns the cells from `Subscription` to `Client`.
    private static func circumstanceCells(_ key: SalesKey, _ app: App) -> [ReportValue] {
        [
            ReportValue(key.subscription?.rawValue),
            ReportValue(key.period?.reportText),
            ReportValue(app.category),
            // `CMB` marks the completion of bundles, which this store doesn't sell.
            .blank,
            ReportValue(key.device?.rawValue),
            .text(app.platforms),
            ReportValue(key.proceedsReason?.rawValue),
            ReportValue(key.isPricePreserved),
            // No sale comes from Apple News.
            .blank,
        ]
    }
}
