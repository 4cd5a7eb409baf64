import Perennial
import PerennialStore

/// The properties by which Sales and Trends groups.
enum SalesGrouping: String, CaseIterable, Sendable {
    case product, storefront, type, device

    var phrase: Phrase {
        switch self {
        case .product: Words.product
        case .storefront: Words.storefront
        case .type: Words.type
        case .device: SalesPhrases.device
        }
    }

    /// The dimension whose sums are read. Types follow from products.
    var dimension: StatisticDimension {
        switch self {
        case .product, .type: .product
        case .storefront: .storefront
        case .device: .device
        }
    }

    /// The sales of a value.
    struct Row: Sendable {
        var name: Text
        var units: Int64
        var refunds: Int64
        /// The amounts in the order of the currencies.
        var money: [Money]
        var product: String?
        var country: String?
        var device: String?
        /// The kind of products that are counted together.
        var kind: ProductType?
        /// True if the entries behind it can be found by product, storefront or device.
        var isExplained = true

        /// Identifies the value in another span.
        var key: Key { Key(name: name, product: product, country: country, device: device) }

        struct Key: Hashable {
            var name: Text
            var product: String?
            var country: String?
            var device: String?
        }

        func amount(_ currency: Currency) -> Int64 { money.first { $0.currency == currency }?.milliunits ?? 0 }
    }

    /// Returns a row for each value, the one with the most units first.
    ///
    /// - Parameters:
    ///   - totals: The sums of everything: what no product has is the app's own.
    ///   - measures: Units, refunds, and the amounts.
    func rows(
        _ values: StatisticSums, _ totals: StatisticSums, measures: [StatisticMeasure], in app: App,
        _ language: Language
    ) -> [Row] {
        let measure = measures[2]
        var rows = values.values.map { value in
            var row = Row(
                name: .data(value), units: values[.units, value, nil], refunds: values[.refunds, value, nil],
                money: values.money(measure, value))
            name(&row, value)
            return row
        }
        if dimension == .product, let own = Self.own(totals, rows, measure, app) { rows.append(own) }
        let products = Dictionary(app.reportedProducts.map { ($0.id.rawValue, $0) }) { first, _ in first }
        switch self {
        case .product:
            for index in rows.indices {
                guard let name = rows[index].product.flatMap({ products[$0]?.referenceName }) else { continue }
                rows[index].name = .data(name)
            }
        case .type: rows = Self.byType(rows, products, app)
        case .storefront:
            for index in rows.indices {
                if let code = rows[index].country { rows[index].name = .storefront(named: code, language) }
            }
        case .device: break
        }
        return rows.filter { $0.units != 0 || $0.refunds != 0 || !$0.money.isEmpty }.sorted {
            ($0.units, $1.product ?? "", $1.country ?? "", $1.device ?? "")
                > ($1.units, $0.product ?? "", $0.country ?? "", $0.device ?? "")
        }
    }

    private func name(_ row: inout Row, _ value: String) {
        guard !value.isEmpty else {
            (row.name, row.isExplained) = (.phrase(SalesPhrases.unknown), self == .device)
            if self == .device { row.device = FigureDevice.unknown.rawValue }
            return
        }
        switch self {
        case .product, .type: row.product = value
        case .storefront: row.country = value
        case .device: row.device = value
        }
    }

    /// Returns what the products don't have of all sales; `nil` if that is nothing.
    private static func own(_ totals: StatisticSums, _ rows: [Row], _ measure: StatisticMeasure, _ app: App) -> Row? {
        var amounts: [Currency: Int64] = [:]
        for money in totals.money(measure) { amounts[money.currency] = money.milliunits }
        for money in rows.flatMap(\.money) {
            amounts[money.currency] = (amounts[money.currency] ?? 0).clampedAdding(-money.milliunits)
        }
        let row = Row(
            name: .phrase(SalesPhrases.theApp), units: totals[.units, "", nil] - rows.reduce(0) { $0 + $1.units },
            refunds: totals[.refunds, "", nil] - rows.reduce(0) { $0 + $1.refunds }, money: list(amounts),
            product: app.bundleID.rawValue)
        return row.units != 0 || row.refunds != 0 || !row.money.isEmpty ? row : nil
    }

    private static func byType(_ rows: [Row], _ products: [String: Product], _ app: App) -> [Row] {
        Dictionary(grouping: rows) { $0.product.flatMap { products[$0]?.type } }.map { type, rows in
            var amounts: [Currency: Int64] = [:]
            for money in rows.flatMap(\.money) {
                amounts[money.currency] = (amounts[money.currency] ?? 0).clampedAdding(money.milliunits)
            }
            // Products that the catalog doesn't know any more are with the app itself.
            let isApp = rows.allSatisfy { $0.product == app.bundleID.rawValue }
            return Row(
                name: .phrase(type.map(phrase) ?? SalesPhrases.theApp),
                units: rows.reduce(0) { $0.clampedAdding($1.units) },
                refunds: rows.reduce(0) { $0.clampedAdding($1.refunds) }, money: list(amounts),
                product: isApp ? app.bundleID.rawValue : nil, kind: type, isExplained: type != nil || isApp)
        }
    }

    static func list(_ amounts: [Currency: Int64]) -> [Money] {
        amounts.filter { $0.value != 0 }.sorted { $0.key.rawValue < $1.key.rawValue }
            .map { Money(milliunits: $0.value, $0.key) }
    }

    static func phrase(_ type: ProductType) -> Phrase {
        switch type {
        case .consumable: SalesPhrases.consumable
        case .nonConsumable: SalesPhrases.nonConsumable
        case .autoRenewable: SalesPhrases.autoRenewable
        case .nonRenewing: SalesPhrases.nonRenewing
        case .free: SalesPhrases.free
        }
    }
}
