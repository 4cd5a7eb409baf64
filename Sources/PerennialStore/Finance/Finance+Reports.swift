import AppStoreFormats
import Perennial
import PerennialStorage

extension Finance {
    /// The words of `filter[reportType]`.
    private enum ReportType: String, CaseIterable {
        case financial = "FINANCIAL"
        case financeDetail = "FINANCE_DETAIL"
    }

    /// A request for a financial report whose words are valid.
    private struct Query {
        var type: ReportType
        var region: FinancialRegion
        var month: FiscalMonth
    }

    /// Returns the financial report of a closed fiscal month: of a region, of all (`ZZ`), or the details (`Z1`).
    ///
    /// - Parameters: The words of a request as they came from outside; the date is a fiscal month such as `2027-01`.
    /// - Throws: ``ReportError``: `.notFound` for a month that isn't closed and for a region without sales.
    package func financeReport(
        vendorNumber: String?, reportType: String?, regionCode: String?, reportDate: String?
    ) async throws -> ReportFile {
        guard let vendorNumber, !vendorNumber.isEmpty else { throw Self.missing("filter[vendorNumber]") }
        let query = try Self.query(reportType, regionCode, reportDate)
        guard vendorNumber == (try await database.read { try Vendor.vendorNumber(on: $0) }) else {
            throw ReportError(.unknownVendor, parameter: "filter[vendorNumber]", "The vendor number is unknown.")
        }
        return try await file(query)
    }

    /// Returns the financial report of a closed month by its region's code, `ZZ` or `Z1`.
    ///
    /// - Throws: ``ReportError``.
    package func financeReport(_ month: FiscalMonth, region: String) async throws -> ReportFile {
        let isDetail = FinancialRegion(rawValue: region) == .detail
        let type = isDetail ? ReportType.financeDetail : .financial
        return try await file(try Self.query(type.rawValue, region, month.description))
    }

    private func file(_ query: Query) async throws -> ReportFile {
        let vendor = try await database.read { try Vendor.vendorNumber(on: $0) }
        let isClosed = try await database.read { [environment] in
            try ClosedMonthsTable.record(query.month, environment.id, on: $0) != nil
        }
        guard isClosed else { throw Self.noSales }
        let name = Self.fileName(vendor, query.month, query.region)
        switch query.type {
        case .financial:
            let rows = try await reportRows(of: query.month, isAdjustment: false)
                .filter { query.region == .consolidated || $0.region == query.region }
            guard !rows.isEmpty else { throw Self.noSales }
            let report = FinancialReport(
                query.month, rows: rows.map(\.row), isConsolidated: query.region == .consolidated)
            return ReportFile(name: name, rows: report.rows.count, text: report.text)
        case .financeDetail:
            let report = FinanceDetailReport(query.month, rows: try await detailRows(of: query.month))
            guard !report.rows.isEmpty else { throw Self.noSales }
            return ReportFile(name: name, rows: report.rows.count, text: report.text)
        }
    }

    /// Returns the payments summary of a closed month.
    ///
    /// - Throws: ``FinanceError`` `.monthNotClosed`.
    package func paymentsSummary(_ month: FiscalMonth) async throws -> PaymentsSummary {
        let record = try await closedMonth(month)
        return PaymentsSummary(record.closing, bankName: record.bankName, accountEnding: record.accountEnding)
    }

    /// Returns the file name of a report without its extension: `80012345_0914_CH`, with the month's usual name.
    static func fileName(_ vendor: String, _ month: FiscalMonth, _ region: FinancialRegion) -> String {
        let (year, number) = month.calendarMonth
        func padded(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }
        return "\(vendor)_\(padded(number))\(padded(year % 100))_\(region)"
    }

    // MARK: - Rows

    /// Returns the month's rows of all regions.
    ///
    /// - Parameter isAdjustment: True for the late entries of the month, false for its own.
    func reportRows(
        of month: FiscalMonth, isAdjustment: Bool
    ) async throws -> [(region: FinancialRegion, row: FinancialReportRow)] {
        var found: [(region: FinancialRegion, row: FinancialReportRow)] = []
        for (app, key) in try await bringUpToDate() {
            let rows = try await database.read {
                try SalesRollUpTable.rows(.fiscalMonth, month.number...month.number, key, on: $0)
            }
            let catalog = ReportedProducts(app)
            for row in rows where row.isAdjustment == isAdjustment && row.total.key.isPaid {
                found.append((FinancialRegion(row.total.key.storefront), catalog.row(row.total)))
            }
        }
        return found
    }

    /// Returns the rows of the month by day: its own entries, and the late ones that are its adjustments.
    private func detailRows(of month: FiscalMonth) async throws -> [FinanceDetailRow] {
        let collected = DetailRows(month)
        for app in try await database.read({ [catalog] in try catalog.all(on: $0).map(\.app) }) {
            let assignment = try await database.read { [environment] in
                try ClosedMonthsTable.assignment(app: app.appleID, environment.id, on: $0)
            }
            let catalog = ReportedProducts(app)
            try await rollUps.entries(of: month...month, assignment, app) { batch in
                await collected.add(batch, assignment, catalog)
            }
        }
        return await collected.rows
    }

    // MARK: - Words of a request

    private static func query(
        _ reportType: String?, _ regionCode: String?, _ reportDate: String?
    ) throws(ReportError) -> Query {
        guard let reportType, !reportType.isEmpty else { throw missing("filter[reportType]") }
        guard let regionCode, !regionCode.isEmpty else { throw missing("filter[regionCode]") }
        guard let reportDate, !reportDate.isEmpty else { throw missing("filter[reportDate]") }
        guard let type = ReportType(rawValue: reportType) else {
            throw invalid(reportType, "filter[reportType]", "the values are 'FINANCIAL', 'FINANCE_DETAIL'")
        }
        let region = FinancialRegion(rawValue: regionCode)
        let isAllowed =
            switch type {
            case .financial: region.info != nil || region == .consolidated
            case .financeDetail: region == .detail
            }
        guard isAllowed else {
            throw invalid(
                regionCode, "filter[regionCode]",
                type == .financial ? "the values are the codes of regions, and 'ZZ'" : "the value is 'Z1'")
        }
        guard let month = FiscalMonth(reportDate) else {
            throw invalid(reportDate, "filter[reportDate]", "a fiscal month such as '2027-01'")
        }
        return Query(type: type, region: region, month: month)
    }

    private static let noSales = ReportError(
        .notFound, parameter: "filter[reportDate]", "There were no sales for the date specified.")

    private static func missing(_ parameter: String) -> ReportError {
        ReportError(
            .missingParameter, parameter: parameter, "The parameter '\(parameter)' is required but was not provided.")
    }

    private static func invalid(_ value: String, _ parameter: String, _ expected: String) -> ReportError {
        ReportError(
            .invalidParameter, parameter: parameter,
            "'\(value.prefix(100))' is not a valid value for '\(parameter)': \(expected).")
    }
}

/// Adds up the rows of a finance detail report while entries stream by.
private actor DetailRows {
    private struct Key: Hashable {
        var day: PacificDay
        var region: FinancialRegion
        /// The row with a quantity of 0.
        var row: FinancialReportRow
    }

    private let month: FiscalMonth
    private var quantities: [Key: Int64] = [:]

    init(_ month: FiscalMonth) { self.month = month }

    func add(_ batch: RollUpBatch, _ assignment: FiscalAssignment, _ catalog: ReportedProducts) {
        for entry in batch.entries {
            let day = PacificDay(entry.entry.at)
            guard assignment.month(of: day, at: entry.position).month == month else { continue }
            let totals = SalesTotal.totals(
                of: entry.entry, entry.transaction, refunding: entry.sale?.facts, in: batch.app)
            for total in totals where total.key.isPaid {
                var row = catalog.row(total)
                row.quantity = 0
                let key = Key(day: day, region: FinancialRegion(total.key.storefront), row: row)
                quantities[key] = (quantities[key] ?? 0).clampedAdding(total.units)
            }
        }
    }

    var rows: [FinanceDetailRow] {
        quantities.map { key, quantity in
            var row = key.row
            row.quantity = quantity
            return FinanceDetailRow(transactionDate: key.day, region: key.region, row: row)
        }
    }
}

/// The names of an app and its products in financial reports.
struct ReportedProducts: Sendable {
    private let app: App
    private let products: [Product.ID: Product]

    init(_ app: App) {
        self.app = app
        products = Dictionary(app.products.map { ($0.id, $0) }) { first, _ in first }
    }

    /// Returns the report's row of a row of the roll-ups.
    func row(_ total: SalesTotal) -> FinancialReportRow {
        let key = total.key
        let product = key.product.flatMap { products[$0] }
        let price = Money(
            milliunits: Int64(clamping: key.customerPrice.milliunits.magnitude), key.customerPrice.currency)
        return FinancialReportRow(
            vendorIdentifier: key.product?.rawValue ?? app.bundleID.rawValue, quantity: total.units,
            partnerShare: key.proceeds, isReturn: key.isRefund, appleIdentifier: product?.appleID ?? app.appleID,
            developer: app.name, title: product?.referenceName ?? key.product?.rawValue ?? app.name,
            productType: key.type, countryOfSale: key.storefront.alphaTwo, promoCode: key.promoCode,
            customerPrice: price)
    }
}
