import Perennial
import PerennialStorage

/// A figure of Sales and Trends.
package struct SalesFigure: Sendable {
    /// The columns with figures.
    package enum Column: String, Sendable, CaseIterable {
        case units
        /// The customers' payments, less refunds.
        case sales
        case proceeds
        case tax
        case commission
    }

    package var bundleID: App.BundleID
    package var frequency: ReportPeriod.Frequency
    /// The form of requests: `2026-10-03`, `2026-10`, `2026`; `nil` for the period of the newest day with sales.
    package var date: String?
    /// A product's ID; the app's bundle ID for the app itself; `nil` for all.
    package var product: String?
    /// A country's code with two or three letters; `nil` for all.
    package var country: String?
    package var device: DeviceFamily?
    /// A product type identifier, such as `IA1`; `nil` for all.
    package var type: String?
    /// `nil` for all.
    package var currency: Currency?
    package var column: Column
    /// Any days, instead of the period of a report.
    package var days: ClosedRange<PacificDay>?
    /// Leaves out repeated downloads and updates, as statistics do.
    package var countsSalesOnly = false

    package init(
        bundleID: App.BundleID, frequency: ReportPeriod.Frequency = .daily, date: String? = nil,
        days: ClosedRange<PacificDay>? = nil, product: String? = nil, country: String? = nil,
        device: DeviceFamily? = nil, type: String? = nil, currency: Currency? = nil, column: Column = .proceeds
    ) {
        self.bundleID = bundleID
        self.frequency = frequency
        self.date = date
        self.days = days
        self.currency = currency
        self.product = product
        self.country = country
        self.device = device
        self.type = type
        self.column = column
    }
}

extension SalesTotal {
    /// The part of a column, with the sign of the units; `nil` for the units themselves.
    package func amount(_ column: SalesFigure.Column) -> Money? {
        let each: Money
        switch column {
        case .units: return nil
        case .sales:
            let price = key.customerPrice
            each = price.milliunits < 0 ? Money(milliunits: -price.milliunits, price.currency) : price
        case .proceeds: each = key.proceeds
        case .tax: each = key.tax
        case .commission: each = key.commission
        }
        return Money(milliunits: each.milliunits.clampedMultiplied(by: units), each.currency)
    }
}

extension Explain {
    /// Explains a sum of rows of Sales and Trends.
    ///
    /// - Parameter hasRead: Called with the number of entries of each batch that was read.
    /// - Throws: ``ExplainError``, ``StoreError`` `.appNotFound`.
    package func sales(
        _ figure: SalesFigure, _ page: Explanation.Page = .init(), hasRead: @Sendable (Int) -> Void = { _ in }
    ) async throws -> Explanation {
        let filter = try SalesFilter(figure)
        let (app, key) = try await upToDate(figure.bundleID)
        let days = try await days(of: figure, key)
        let (rows, moment) = try await database.read { [self] connection in
            (
                try SalesRollUpTable.rows(
                    .day, days.lowerBound.number...days.upperBound.number, key, on: connection
                ).map(\.total),
                try currentMoment(key, on: connection)
            )
        }
        let matching = rows.filter { filter.matches($0.key) }
        guard !matching.isEmpty else { throw try await notFound(figure, days, rows, app, key) }
        var reported = ExplanationBuilder(page, counts: figure.column == .units)
        for row in matching { reported.add(units: row.units, row.amount(figure.column)) }
        var builder = ExplanationBuilder(page, counts: figure.column == .units)
        let classifier = SalesClassifier(app)
        try await stream(days, of: app, at: moment) { batch in
            hasRead(batch.entries.count)
            for entry in batch.entries {
                let totals = classifier.totals(of: entry.entry, entry.transaction, refunding: entry.sale?.facts)
                    .filter { filter.matches($0.key) }
                guard !totals.isEmpty else { continue }
                builder.add(Explanation.Contribution(entry, totals, figure.column, in: app))
            }
        }
        return builder.explanation(filter.title(figure, days), reported: reported.figure)
    }

    /// - Throws: ``ExplainError`` `.malformed`, `.figureNotFound` for an app without sales in the last year.
    func days(of figure: SalesFigure, _ key: RollUpKey) async throws -> ClosedRange<PacificDay> {
        if let days = figure.days { return days }
        if let date = figure.date {
            guard let period = ReportPeriod(figure.frequency, reportDate: date) else {
                throw ExplainError(.malformed, "date", Self.dateForm(figure.frequency))
            }
            return period.firstDay...period.lastDay
        }
        let newest = try await database.read { [clock] connection -> PacificDay? in
            let today = PacificDay(try clock.now(on: connection))
            return try (0...Self.searchedDays).lazy.map { today.adding(-$0) }.first { day in
                try !SalesRollUpTable.rows(.day, day.number...day.number, key, on: connection).isEmpty
            }
        }
        guard let newest else {
            throw ExplainError.notFound("sales of \(figure.bundleID)", there: [])
        }
        let period = ReportPeriod(figure.frequency, containing: newest)
        return period.firstDay...period.lastDay
    }

    /// The days before today that are searched for sales: as long as Apple keeps daily reports.
    private static let searchedDays: Int64 = 366

    private static func dateForm(_ frequency: ReportPeriod.Frequency) -> String {
        switch frequency {
        case .daily: "a day such as 2026-10-03"
        case .weekly: "the Sunday that ends a week, such as 2026-10-04"
        case .monthly: "a month such as 2026-10"
        case .yearly: "a year such as 2026"
        }
    }

    private func notFound(
        _ figure: SalesFigure, _ days: ClosedRange<PacificDay>, _ rows: [SalesTotal], _ app: App, _ key: RollUpKey
    ) async throws -> ExplainError {
        let name =
            "\(figure.column.rawValue) of \(figure.product ?? figure.bundleID.rawValue) \(SalesFilter.words(for: days))"
        if rows.isEmpty {
            let days = try await database.read { connection in
                try SalesRollUpTable.rows(.month, 0...Int64(Int32.max), key, on: connection).map(\.period)
            }
            let months = Set(days.map { "\($0 / 12)-\($0 % 12 < 9 ? "0" : "")\($0 % 12 + 1)" })
            return .notFound(name, there: [("sales in the months", months)])
        }
        return .notFound(
            name,
            there: [
                ("products", Set(rows.map { $0.key.product?.rawValue ?? app.bundleID.rawValue })),
                ("countries", Set(rows.map(\.key.storefront.alpha2))),
                ("devices", Set(rows.compactMap { $0.key.device?.rawValue })),
                ("types", Set(rows.map(\.key.type.rawValue))),
            ])
    }
}

extension Explanation.Contribution {
    /// Creates the contribution of an entry's rows to a column of sales.
    init(_ entry: RollUpBatch.Entry, _ totals: [SalesTotal], _ column: SalesFigure.Column, in app: App) {
        let amounts = totals.compactMap { $0.amount(column) }
        self.init(
            of: entry, in: app,
            units: totals.reduce(0) { $0.clampedAdding($1.units) },
            amount: amounts.first.map { first in
                Money(milliunits: amounts.reduce(0) { $0.clampedAdding($1.milliunits) }, first.currency)
            })
    }
}

/// The rows of Sales and Trends that a figure adds up.
struct SalesFilter: Sendable {
    private let product: String?
    private let app: String
    private let storefront: Storefront?
    private let device: DeviceFamily?
    private let type: String?
    private let currency: Currency?
    private let countsSalesOnly: Bool

    /// - Throws: ``ExplainError`` `.malformed`.
    init(_ figure: SalesFigure) throws {
        currency = figure.currency
        countsSalesOnly = figure.countsSalesOnly
        product = figure.product
        app = figure.bundleID.rawValue
        storefront = try figure.country.map(Explain.storefront)
        device = figure.device
        type = figure.type
    }

    func matches(_ key: SalesKey) -> Bool {
        if let product, (key.product?.rawValue ?? app) != product { return false }
        if let storefront, key.storefront != storefront { return false }
        if let device, key.device != device { return false }
        if let type, key.type.rawValue != type { return false }
        if let currency, key.customerPrice.currency != currency { return false }
        return !countsSalesOnly || ProductUse(key.type).isSale
    }

    static func words(for days: ClosedRange<PacificDay>) -> String {
        days.lowerBound == days.upperBound
            ? "on \(days.lowerBound)" : "from \(days.lowerBound) to \(days.upperBound)"
    }

    func title(_ figure: SalesFigure, _ days: ClosedRange<PacificDay>) -> String {
        let parts = [
            figure.column.rawValue, "of \(figure.product ?? "all products of \(app)")",
            storefront.map { "in \($0)" }, figure.device.map { "on \($0.rawValue)" },
            figure.type.map { "of type \($0)" }, currency.map { "in the currency \($0)" }, Self.words(for: days),
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }
}
