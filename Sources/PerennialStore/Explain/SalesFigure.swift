import Perennial

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
        /// Refunded units.
        case refunds

        /// True for a number of units.
        package var counts: Bool { self == .units || self == .refunds }

        /// Returns units of sales as the column counts them.
        package func units(_ units: Int64) -> Int64 { self == .refunds ? -units : units }
    }

    package var bundleID: App.BundleID
    package var frequency: ReportPeriod.Frequency
    /// The form of requests: `2026-10-03`, `2026-10`, `2026`; `nil` for the period of the newest day with sales.
    package var date: String?
    /// A product's ID; the app's bundle ID for the app itself; `nil` for all.
    package var product: String?
    /// A country's code with two or three letters; `nil` for all.
    package var country: String?
    package var device: FigureDevice?
    /// The kind of products, as the catalog has them; `nil` for all.
    package var kind: ProductType?
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
        device: FigureDevice? = nil, kind: ProductType? = nil, type: String? = nil, currency: Currency? = nil,
        column: Column = .proceeds
    ) {
        self.bundleID = bundleID
        self.frequency = frequency
        self.date = date
        self.days = days
        self.currency = currency
        self.product = product
        self.country = country
        self.device = device
        self.kind = kind
        self.type = type
        self.column = column
    }
}

/// The device of sales: a family, or none that is known.
package enum FigureDevice: RawRepresentable, Hashable, Sendable, CaseIterable {
    case family(DeviceFamily)
    case unknown

    package static let allCases = DeviceFamily.allCases.map(Self.family) + [.unknown]

    package init(_ device: DeviceFamily?) { self = device.map(Self.family) ?? .unknown }

    package init?(rawValue: String) {
        if rawValue == Self.unknown.rawValue {
            self = .unknown
        } else if let family = DeviceFamily(rawValue: rawValue) {
            self = .family(family)
        } else {
            return nil
        }
    }

    package var rawValue: String {
        switch self {
        case .family(let family): family.rawValue
        case .unknown: "unknown"
        }
    }
}

/// The rows of Sales and Trends that a figure adds up.
struct SalesFilter: Sendable {
    private let product: String?
    private let app: String
    private let storefront: Storefront?
    private let device: FigureDevice?
    /// The products of a kind; `nil` for all products.
    private let products: Set<Product.ID>?
    private let kind: ProductType?
    private let type: String?
    private let currency: Currency?
    private let countsSalesOnly: Bool
    private let countsRefundsOnly: Bool

    /// - Throws: ``ExplainError`` `.malformed`.
    init(_ figure: SalesFigure, in app: App) throws {
        currency = figure.currency
        countsSalesOnly = figure.countsSalesOnly
        countsRefundsOnly = figure.column == .refunds
        product = figure.product
        self.app = figure.bundleID.rawValue
        storefront = try figure.country.map(Explain.storefront)
        device = figure.device
        kind = figure.kind
        products = figure.kind.map { kind in Set(app.reportedProducts.filter { $0.type == kind }.map(\.id)) }
        type = figure.type
    }

    /// True if a row belongs to the figure.
    func matches(_ total: SalesTotal) -> Bool {
        let key = total.key
        if let product, (key.product?.rawValue ?? app) != product { return false }
        if let storefront, key.storefront != storefront { return false }
        if let device, device != FigureDevice(key.device) { return false }
        if let products, !(key.product.map(products.contains) ?? false) { return false }
        if countsRefundsOnly, total.units >= 0 { return false }
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
            kind.map { "of the kind \($0.rawValue)" }, figure.type.map { "of type \($0)" },
            currency.map { "in the currency \($0)" }, Self.words(for: days),
        ]
        return parts.compactMap { $0 }.joined(separator: " ")
    }
}
