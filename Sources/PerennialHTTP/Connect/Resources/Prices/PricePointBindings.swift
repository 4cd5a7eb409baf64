import Perennial
import PerennialConnect

/// Bindings of price points. Their IDs name product, storefront and price, so that none is stored.
enum PricePointBindings {
    static let all: [ConnectBinding] = [
        points("inAppPurchasePricePoints", .inAppPurchase), points("subscriptionPricePoints", .subscription),
        points("appPricePoints", .app), offered("inAppPurchases", "pricePoints", .inAppPurchase),
        offered("subscriptions", "pricePoints", .subscription), offered("apps", "appPricePoints", .app),
    ]

    private static func points(_ type: String, _ kind: PricedItem.Kind) -> ConnectBinding {
        var binding = ConnectBinding(type: type) { id, at in
            guard let point = PricePointID(id), let item = try at.pricedItem(point.owner, kind) else { return nil }
            let proceeds = item.terms.proceeds(of: point.price, in: point.storefront)
            var attributes: ConnectAttributes = [
                "customerPrice": .money(milliunits: point.price.milliunits),
                "proceeds": .money(milliunits: proceeds.standard.milliunits),
            ]
            if kind == .subscription {
                attributes["proceedsYear2"] = .money(milliunits: proceeds.afterOneYear.milliunits)
            }
            return attributes
        }
        binding.related["territory"] = { id, _ in .optional(PricePointID(id)?.storefront.rawValue) }
        binding.related["equalizations"] = equalizations
        if kind == .subscription { binding.related["adjustedEqualizations"] = equalizations }
        if kind == .app { binding.related["app"] = { id, _ in .optional(PricePointID(id).map { "\($0.owner)" }) } }
        binding.app = { id, at in try PricePointID(id).flatMap { try at.catalog.app(ofPriced: $0.owner) } }
        binding.followsFromCatalog = true
        return binding
    }

    /// Returns the equal price points of the other storefronts.
    ///
    /// `filter[planType]` MONTHLY leaves out those above the limit for the monthly plan of a price up front, which
    /// `filter[upfrontPricePointId]` names.
    @Sendable private static func equalizations(_ id: String, _ at: ConnectReading) throws -> ConnectRelated {
        guard let point = PricePointID(id) else { return .none }
        let limit = try monthlyLimit(at)
        let names = ["subscription", "inAppPurchaseV2"].compactMap { at.filter($0) }
        let isOwner = names.allSatisfy { $0.contains("\(point.owner)") }
        let others = Storefront.all(at.filter("territory")).filter { isOwner && $0 != point.storefront }
        let points = others.compactMap { storefront -> PricePointID? in
            guard let currency = storefront.currency else { return nil }
            let price = PricePoint.equalization(of: point.price, in: currency)
            guard limit?.allows(price) ?? true else { return nil }
            return PricePointID(owner: point.owner, storefront: storefront, price: price)
        }
        return .many(
            ConnectIDs(count: points.count) { points[$0].text }
                .applied("territory", "subscription", "inAppPurchaseV2", "upfrontPricePointId", "planType"))
    }

    /// All price points of a product or app.
    private static func offered(_ type: String, _ name: String, _ kind: PricedItem.Kind) -> ConnectBinding {
        var addition = ConnectBinding.addition(to: type)
        addition.related[name] = { id, at in
            guard let item = try at.pricedItem(connectID: id, kind) else { return .many([]) }
            let points = OfferedPoints(item, in: Storefront.all(at.filter("territory")), limit: try monthlyLimit(at))
            return .many(
                ConnectIDs(count: points.count) { points[$0].text }
                    .applied("territory", "upfrontPricePointId", "planType"))
        }
        return addition
    }

    private static func monthlyLimit(_ at: ConnectReading) throws -> MonthlyLimit? {
        guard at.filter("planType") == [SubscriptionPlanType.monthly.rawValue] else { return nil }
        guard let id = at.filter("upfrontPricePointId")?.first, let point = PricePointID(id) else {
            throw ConnectFailure.missingParameter(
                "filter[upfrontPricePointId]", "The price points of the monthly plan depend on the price up front.")
        }
        return MonthlyLimit(upfront: point.price)
    }
}

/// The limit on monthly prices: twelve of them are at most one and a half times the price up front.
private struct MonthlyLimit {
    let upfront: Money

    func allows(_ price: Money) -> Bool {
        price.milliunits.clampedMultiplied(by: 24)
            <= PricePoint.equalization(of: upfront, in: price.currency).milliunits.clampedMultiplied(by: 3)
    }
}

/// The price points of an item in some storefronts, lowest first: those of the App Store, and after them the prices of the
/// item that are none of those.
///
/// There are about 900 in each of 175 storefronts, so that each is computed when it is asked for.
private struct OfferedPoints {
    private struct Part {
        var storefront: Storefront
        var currency: Currency
        /// The place of its first point.
        var start: Int
        var gridCount: Int
        var others: [Money]
    }

    let count: Int
    private let owner: Int64
    private var parts: [Part] = []

    init(_ item: PricedItem, in storefronts: [Storefront], limit: MonthlyLimit?) {
        owner = item.id
        let hasFree = item.kind == .app
        var start = 0
        for storefront in storefronts {
            guard let currency = storefront.currency else { continue }
            var gridCount = PricePoint.defaultCount
            var others = hasFree ? [Money.zero(currency)] : []
            if let limit {
                gridCount =
                    (0..<gridCount).first { !limit.allows(PricePoint.point(at: $0, in: currency).price) } ?? gridCount
            } else if let timeline = item.timeline {
                let highest = PricePoint.point(at: gridCount - 1, in: currency).price.milliunits
                for interval in timeline.intervals(in: storefront)
                where interval.price.milliunits > highest || PricePoint.point(of: interval.price) == nil {
                    if !others.contains(interval.price) { others.append(interval.price) }
                }
            }
            parts.append(
                Part(
                    storefront: storefront, currency: currency, start: start, gridCount: gridCount, others: others))
            start += gridCount + others.count
        }
        count = start
    }

    subscript(index: Int) -> PricePointID {
        var (low, high) = (0, parts.count - 1)
        while low < high {
            let middle = (low + high + 1) / 2
            if parts[middle].start <= index { low = middle } else { high = middle - 1 }
        }
        let (part, place) = (parts[low], index - parts[low].start)
        let price =
            place < part.gridCount
            ? PricePoint.point(at: place, in: part.currency).price : part.others[place - part.gridCount]
        return PricePointID(owner: owner, storefront: part.storefront, price: price)
    }
}
