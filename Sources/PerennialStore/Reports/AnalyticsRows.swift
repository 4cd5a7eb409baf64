import Perennial
import PerennialStorage

/// The rows of the analytics reports for a period, from the roll-ups of an app.
struct AnalyticsRows {
    let app: App
    let key: RollUpKey
    let environment: StoreEnvironment.ID
    let period: ClosedRange<PacificDay>
    let connection: any Connection

    /// The way on which a customer found an app: the store has no search and no browsing.
    private static let source = "Unavailable"
    private static let page = "No Page"

    /// Returns the rows in the order of their texts.
    func rows(of report: AnalyticsReport) throws -> [[String]] {
        let rows =
            switch report {
            case .downloads: try downloads()
            case .purchases: try purchases()
            case .subscriptionState: try states()
            case .subscriptionEvent: try events()
            }
        return rows.sorted { $0.lexicographicallyPrecedes($1) }
    }

    private var head: [String] { [period.lowerBound.description, app.name, String(app.appleID)] }

    private func sales() throws -> [SalesTotal] {
        try SalesRollUpTable.rows(.day, period.lowerBound.number...period.upperBound.number, key, on: connection)
            .map(\.total)
    }

    // MARK: Downloads

    private func downloads() throws -> [[String]] {
        var counts: [[String]: Int64] = [:]
        for sale in try sales() where sale.key.product == nil {
            guard let type = Self.downloadType(sale.key.type) else { continue }
            let cells = [
                type, sale.key.version, sale.key.device?.rawValue ?? "", "", Self.source, Self.page, "",
                sale.key.storefront.alpha2,
            ]
            counts[cells, default: 0] += sale.units
        }
        return counts.filter { $0.value != 0 }.map { head + $0.key + [String($0.value)] }
    }

    /// The kind of a download, by the first digit in its product type identifier (`1F`, `F1`, `3`, `7T`).
    private static func downloadType(_ type: ProductTypeIdentifier) -> String? {
        switch type.rawValue.first(where: \.isNumber) {
        case "1": "First-time download"
        case "3": "Redownload"
        // The store doesn't know who started an update; devices do it by themselves unless told not to.
        case "7": "Auto-update"
        default: nil
        }
    }

    // MARK: Purchases

    private struct Amounts {
        var units: Int64 = 0
        /// The proceeds in milliunits of US dollars; `nil` where a currency has no rate.
        var proceeds: Int64? = 0
        var sales: Int64? = 0
    }

    private func purchases() throws -> [[String]] {
        let rates = try rates()
        var totals: [[String]: Amounts] = [:]
        for sale in try sales() where sale.key.customerPrice.milliunits != 0 {
            let product = sale.key.product.flatMap { id in app.reportedProducts.first { $0.id == id } }
            let name = sale.key.product == nil ? app.name : product?.referenceName ?? sale.key.product?.rawValue ?? ""
            let cells = [
                sale.key.product == nil ? "App purchases" : "In-app purchases", name,
                String(product?.appleID ?? (sale.key.product == nil ? app.appleID : 0)), "",
                sale.key.device?.rawValue ?? "", "", Self.source, Self.page, "", "", sale.key.storefront.alpha2,
            ]
            var total = totals[cells] ?? Amounts()
            total.units += sale.units
            total.proceeds = Self.sum(total.proceeds, sale.key.proceeds, sale.units, rates)
            let price = Money(
                milliunits: Int64(clamping: sale.key.customerPrice.milliunits.magnitude),
                sale.key.customerPrice.currency)
            total.sales = Self.sum(total.sales, price, sale.units, rates)
            totals[cells] = total
        }
        return totals.map { cells, total in
            head + cells + [String(total.units), Self.text(total.proceeds), Self.text(total.sales), ""]
        }
    }

    /// Adds units of an amount in US dollars.
    private static func sum(
        _ sum: Int64?, _ amount: Money, _ units: Int64, _ rates: [Currency: DecimalRate]
    ) -> Int64? {
        let total = Money(milliunits: amount.milliunits.clampedMultiplied(by: units), amount.currency)
        let dollars =
            amount.currency == .usd ? total : rates[amount.currency].flatMap { total.multiplied(by: $0, in: .usd) }
        guard let sum, let dollars else { return nil }
        return sum.clampedAdding(dollars.milliunits)
    }

    private static func text(_ milliunits: Int64?) -> String {
        milliunits.map { Money(milliunits: $0, .usd).decimal } ?? ""
    }

    /// The operator's rates to US dollars of the fiscal month in which the period ends.
    private func rates() throws -> [Currency: DecimalRate] {
        try ExchangeRatesTable.rates(
            FiscalMonth(containing: period.upperBound), to: .usd, environment, on: connection)
    }

    // MARK: Subscriptions

    private func states() throws -> [[String]] {
        var counts: [[String]: Int64] = [:]
        let found = try ReportSnapshotsTable.snapshots(endOf: period.upperBound, key, on: connection)
        for (snapshot, count) in found {
            let metric = AnalyticsMetric(snapshot)
            let cells =
                [metric.name, metric.grouping]
                + subscription(snapshot.product, snapshot.period, snapshot.group, snapshot.offer)
                + ["Individual", ""] + origin(snapshot.device, snapshot.storefront)
            counts[cells, default: 0] += count
        }
        let head = [period.upperBound.description, app.name, String(app.appleID)]
        return counts.filter { $0.value != 0 }.map { head + $0.key + [String($0.value)] }
    }

    private func events() throws -> [[String]] {
        var counts: [[String]: Int64] = [:]
        for number in period.lowerBound.number...period.upperBound.number {
            let found = try SubscriptionEventsTable.events(on: PacificDay(number: number), key, on: connection)
            for (event, quantity) in found {
                let introductory = product(event.product)?.subscription?.introductoryOffer
                let metric = AnalyticsMetric(event, introductory: introductory)
                let previous = event.previousProduct.map { id in
                    [product(id)?.referenceName ?? id.rawValue, product(id).map { String($0.appleID) } ?? ""]
                }
                let cells =
                    [metric.name, metric.grouping]
                    + subscription(event.product, event.period, event.group, event.offer)
                    + [event.analyticsPlanChange] + (previous ?? ["", ""])
                    + [
                        "Individual", event.analyticsCancellationReason,
                        event.paidServiceDaysRecovered.map { String($0) } ?? "",
                    ] + origin(event.device, event.storefront)
                counts[cells, default: 0] += quantity
            }
        }
        return counts.filter { $0.value != 0 }.map { head + $0.key + [String($0.value)] }
    }

    private func product(_ id: Product.ID) -> Product? { app.reportedProducts.first { $0.id == id } }

    /// The columns from `Subscription Name` to `Offer Duration`.
    private func subscription(
        _ id: Product.ID, _ duration: Period?, _ group: String?, _ offer: AppliedOffer?
    ) -> [String] {
        let product = product(id)
        let duration = duration?.reportText ?? ""
        return [
            product?.referenceName ?? id.rawValue, product.map { String($0.appleID) } ?? "", duration, duration, "",
            group ?? "", group ?? "", offer?.kind.analyticsText ?? "", offer?.id ?? "", offer?.id ?? "", "",
            offer?.paymentMode.reportText ?? "", offer?.period?.reportText ?? "",
        ]
    }

    /// The columns from `App Download Source Type` to `Territory`.
    private func origin(_ device: DeviceFamily?, _ storefront: Storefront) -> [String] {
        [Self.source, Self.page, "", device?.rawValue ?? "", storefront.alpha2]
    }
}
