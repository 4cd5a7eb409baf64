/// The effect that a change of prices would have: on the prices of storefronts, and on the subscribers there.
package struct PricePreview: Hashable, Sendable {
    /// The subscribers of a storefront by what the change means for them.
    package struct Subscribers: Hashable, Sendable {
        /// Subscribers who pay less from their next renewal on.
        package var lowered = 0
        /// Subscribers who are told of the increase, and pay it from their next renewal on.
        package var announced = 0
        /// Subscribers who are asked, and whose subscription ends if they don't agree.
        package var asked = 0
        /// Subscribers who keep the price that they have.
        package var preserved = 0
        /// Subscribers who pay the price already.
        package var unchanged = 0

        package var count: Int { lowered + announced + asked + preserved + unchanged }

        package static func += (sum: inout Subscribers, other: Subscribers) {
            sum.lowered += other.lowered
            sum.announced += other.announced
            sum.asked += other.asked
            sum.preserved += other.preserved
            sum.unchanged += other.unchanged
        }
    }

    package struct Territory: Hashable, Sendable {
        package var storefront: Storefront
        /// `nil` where the product wasn't sold.
        package var previous: Money?
        package var price: Money
        package var subscribers = Subscribers()
    }

    /// The instant at which the prices change.
    package let at: Instant
    /// The storefronts whose price the change sets, in alphabetical order.
    package private(set) var territories: [Territory]
    private let product: Product
    private let groups: [PriceMigrationGroup]

    /// - Parameters:
    ///   - product: The product as it is sold before the change.
    ///   - default: The app's default storefront.
    /// - Throws: ``CatalogEditError`` as ``PriceList/apply(_:default:at:)``.
    package init(
        _ product: Product, _ order: PriceOrder, default storefront: Storefront, now: Instant
    ) throws(CatalogEditError) {
        var list = product.priceList
        let before = list
        try list.apply(order, default: storefront, at: now)
        at = before.isPriced ? max(order.at ?? now, now).wholeSeconds : now
        let after = list.inForce(at: at)
        let prices = before.isPriced ? before.scheduled(order, at: at, default: storefront) : []
        groups = PriceMigrationGroup.groups(of: prices, in: before.inForce(at: at))
        let touched = prices.map { before.storefronts(touchedBy: $0) }
        self.product = product
        let previous = before.isPriced ? before.inForce(at: at) : nil
        territories = Storefront.all.compactMap { info in
            let storefront = info.storefront
            let isTouched = touched.isEmpty || touched.contains { $0?.contains(storefront) ?? true }
            guard isTouched, let price = after.price(in: storefront) else { return nil }
            return Territory(storefront: storefront, previous: previous?.price(in: storefront), price: price)
        }
    }

    /// The subscribers of all storefronts.
    package var subscribers: Subscribers { territories.reduce(into: Subscribers()) { $0 += $1.subscribers } }

    /// Counts a subscription, if it renews with the product.
    package mutating func count(_ subscription: Subscription) {
        guard subscription.renewsOwn(product.id),
            let index = territories.firstIndex(where: { $0.storefront == subscription.storefront })
        else { return }
        let price = territories[index].price
        let group = groups.first { $0.storefronts?.contains(subscription.storefront) ?? true }
        var effect = \Subscribers.unchanged
        if subscription.renewal.price != price {
            if let group {
                let needsConsent = subscription.needsConsent(
                    to: price, period: product.subscription?.period, asked: group.needsConsent, at: at)
                let isIncrease = price.milliunits > subscription.paidPrice.milliunits
                effect = isIncrease ? needsConsent ? \.asked : \.announced : \.lowered
            } else {
                effect = \.preserved
            }
        }
        territories[index].subscribers[keyPath: effect] += 1
    }
}

extension Subscription {
    /// Returns true for an active subscription of its owner that renews with a product.
    package func renewsOwn(_ productID: Product.ID) -> Bool {
        guard case .active = state else { return false }
        return ownership == .purchased && renewal.productID == productID
    }

    /// The price that a new one is compared with: the one being paid, or that of a pending change of product.
    package var paidPrice: Money { renewal.productID == product.id ? product.price : renewal.price }

    /// Returns true if the customer must agree to a new price.
    ///
    /// - Parameters:
    ///   - period: The product's period; `nil` for that of the subscription.
    ///   - asked: The seller's decision; `nil` to decide by ``PriceIncreaseRule``.
    package func needsConsent(to price: Money, period: Period?, asked: Bool?, at now: Instant) -> Bool {
        asked
            ?? PriceIncreaseRule().needsConsent(
                from: paidPrice, to: price, period: period ?? product.period, storefront: storefront,
                last: lastPriceIncrease, at: now)
    }
}
