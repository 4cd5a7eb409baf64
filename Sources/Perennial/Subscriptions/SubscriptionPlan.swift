/// A subscription product as one customer buys it: its place in the group, and its price in the customer's
/// storefront.
package struct SubscriptionPlan: Hashable, Sendable {
    package var productID: Product.ID
    package var groupID: String
    /// 1 is the highest level of service.
    package var level: Int
    package var period: Period
    /// The regular price of one period.
    package var price: Money
    package var storefront: Storefront
    package var isFamilyShareable: Bool

    package init(
        productID: Product.ID, groupID: String, level: Int, period: Period, price: Money, storefront: Storefront,
        isFamilyShareable: Bool = false
    ) {
        self.productID = productID
        self.groupID = groupID
        self.level = level
        self.period = period
        self.price = price
        self.storefront = storefront
        self.isFamilyShareable = isFamilyShareable
    }

    /// Creates the plan of a product; `nil` if it isn't an auto-renewable subscription or isn't sold in the
    /// storefront.
    package init?(_ product: Product, in storefront: Storefront) {
        guard let subscription = product.subscription, let price = product.price(in: storefront) else { return nil }
        self.init(
            productID: product.id, groupID: subscription.groupID, level: subscription.level,
            period: subscription.period,
            price: price, storefront: storefront, isFamilyShareable: product.isFamilyShareable)
    }

    /// Returns when a change from `current` to this plan takes effect.
    ///
    /// A higher level takes effect at once, a lower one at the next renewal. The same level takes effect at once if
    /// both periods have the same length, otherwise at the next renewal (App Store Connect help: upgrades,
    /// downgrades, crossgrades).
    package func change(from current: SubscribedProduct) -> PlanChange {
        if productID == current.id { return .same }
        if level != current.level { return level < current.level ? .immediate : .atRenewal }
        return period.lasts(asLongAs: current.period) ? .immediate : .atRenewal
    }
}

/// The effect of a change of product within a group.
package enum PlanChange: String, Sendable, CaseIterable {
    case same
    /// An upgrade, or a crossgrade of the same duration.
    case immediate
    /// A downgrade, or a crossgrade of another duration.
    case atRenewal
}

/// A customer's subscription product, as it was when the period was sold.
package struct SubscribedProduct: Hashable, Sendable {
    package let id: Product.ID
    package let level: Int
    package let period: Period
    /// The regular price of one period.
    package let price: Money
    package let isFamilyShareable: Bool

    package init(_ plan: SubscriptionPlan, price: Money? = nil) {
        self.id = plan.productID
        self.level = plan.level
        self.period = plan.period
        self.price = price ?? plan.price
        self.isFamilyShareable = plan.isFamilyShareable
    }
}
