import Perennial
import PerennialConnect

/// A product or an app with its prices by storefront and time.
struct PricedItem: Sendable {
    enum Kind: Sendable {
        case inAppPurchase, subscription, app
    }

    let id: Int64
    let kind: Kind
    /// `nil` without a price.
    let timeline: PriceTimeline?
    /// The prices of the monthly plan.
    let monthly: PriceTimeline?
    let terms: SaleTerms

    /// A price of a storefront, as a row of a schedule.
    struct Row: Sendable {
        var storefront: Storefront
        var interval: PriceInterval
        var plan = SubscriptionPlanType.upfront
        /// True for a price that only earlier subscribers keep.
        var isPreserved = false

        /// The first day; `nil` for a price from the beginning, and for one that was set at once during a day.
        var startDay: PacificDay? { interval.start.flatMap { PacificDay($0).start == $0 ? PacificDay($0) : nil } }
        var endDay: PacificDay? { interval.end.map { PacificDay($0) } }
    }

    func timeline(of plan: SubscriptionPlanType) -> PriceTimeline? { plan == .monthly ? monthly : timeline }

    /// Returns the rows of a storefront that matter at an instant: the price in force, those to come, and those that
    /// subscribers kept.
    func rows(in storefront: Storefront, plan: SubscriptionPlanType = .upfront, at now: Instant) -> [Row] {
        let intervals = timeline(of: plan)?.intervals(in: storefront) ?? []
        return intervals.indices.compactMap { index in
            let interval = intervals[index]
            let isOver = interval.end.map { $0 <= now } ?? false
            // Only subscriptions have subscribers who keep a price.
            let isKept = isOver && kind == .subscription && intervals[index + 1].preservesSubscribers
            guard !isOver || isKept else { return nil }
            return Row(storefront: storefront, interval: interval, plan: plan, isPreserved: isKept)
        }
    }

    /// Returns the rows of storefronts, in alphabetical order of them and then by time.
    ///
    /// - Parameter wanted: Codes of storefronts; `nil` for all.
    func rows(
        in wanted: Set<String>? = nil, plan: SubscriptionPlanType = .upfront, at now: Instant,
        where isIncluded: (Row) -> Bool = { _ in true }
    ) -> [Row] {
        Storefront.all(wanted).flatMap { rows(in: $0, plan: plan, at: now).filter(isIncluded) }
    }

    func id(of row: Row) -> String {
        PriceRowID(
            PricePointID(owner: id, storefront: row.storefront, price: row.interval.price), start: row.interval.start,
            end: row.interval.end, plan: row.plan
        ).text
    }

    /// Returns the row with an ID; `nil` if the item has none.
    func row(_ id: PriceRowID, at now: Instant) -> Row? {
        rows(in: id.point.storefront, plan: id.plan, at: now).first {
            $0.interval.start == id.start && $0.interval.end == id.end && $0.interval.price == id.point.price
        }
    }

    /// Returns true if the item may get the price of a point: the App Store offers it, or the item has such a price
    /// already.
    func mayCost(_ point: PricePointID) -> Bool {
        guard point.owner == id else { return false }
        if point.isOnGrid || kind == .app && point.price.milliunits == 0 { return true }
        guard let currency = point.storefront.currency else { return false }
        return [timeline, monthly].compactMap { $0 }.contains { timeline in
            Storefront.all.contains { info in
                timeline.intervals(in: info.storefront).contains {
                    PricePoint.equalization(of: $0.price, in: currency) == point.price
                }
            }
        }
    }
}

extension Storefront {
    /// Returns the storefronts with some codes, or all, in alphabetical order.
    static func all(_ wanted: Set<String>?) -> [Storefront] {
        guard let wanted else { return all.map(\.storefront) }
        return wanted.sorted().compactMap { Storefront(connectID: $0) }
    }
}

extension CatalogReader {
    /// Returns a product or app with its prices; `nil` if there is none. Free subscriptions have no prices.
    func pricedItem(_ id: Int64) throws -> PricedItem? {
        if let found = try product(id) {
            guard found.product.type != .free, let owner = try owner(of: id), let app = try app(owner) else {
                return nil
            }
            let storefront = app.defaultStorefront
            func timeline(_ list: PriceList?) -> PriceTimeline? {
                list.flatMap { $0.isPriced ? PriceTimeline($0, default: storefront) : nil }
            }
            return PricedItem(
                id: id, kind: found.product.type == .autoRenewable ? .subscription : .inAppPurchase,
                timeline: timeline(found.product.priceList), monthly: timeline(found.listing.prices?.monthly),
                terms: app.saleTerms)
        }
        guard let app = try app(id) else { return nil }
        return PricedItem(
            id: id, kind: .app, timeline: PriceTimeline(app.priceList, default: app.defaultStorefront), monthly: nil,
            terms: app.saleTerms)
    }

    /// Returns the Apple ID of the app that a price or price point belongs to.
    func app(ofPriced id: Int64) throws -> Int64? { try owner(of: id) ?? app(id)?.appleID }
}

extension ConnectReading {
    /// Returns a product or app of a kind with its prices, decoded once in the transaction.
    func pricedItem(_ id: Int64, _ kind: PricedItem.Kind) throws -> PricedItem? {
        let item = try once("prices \(id)") { try catalog.pricedItem(id) }
        return item.flatMap { $0.kind == kind ? $0 : nil }
    }

    func pricedItem(connectID id: String, _ kind: PricedItem.Kind) throws -> PricedItem? {
        try Int64(connectID: id).flatMap { try pricedItem($0, kind) }
    }
}
