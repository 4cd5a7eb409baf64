/// The properties that the sales of one row of Sales and Trends have in common: its columns without the units.
///
/// Amounts are for one unit, as in Apple's file. Units times an amount is the exact sum of the postings behind a row.
package struct SalesKey: Hashable, Sendable {
    /// The product sold; `nil` for the app itself.
    package var product: Product.ID?
    /// The app's version; empty for an in-app purchase.
    package var version: String
    package var type: ProductTypeIdentifier
    /// The seller's proceeds for one unit; never negative, because a refund has negative units.
    package var proceeds: Money
    /// The price of one unit; negative for a refund.
    package var customerPrice: Money
    /// The tax of one unit; never negative.
    package var tax: Money
    /// The commission on one unit; never negative.
    package var commission: Money
    package var storefront: Storefront
    /// `CR-RW`, `GP`, `GR`, `EDU`, or empty.
    package var promoCode: String
    /// The reports' `Subscription` column; `nil` if the product isn't a subscription.
    package var subscription: SubscriptionSale?
    /// The duration of the subscription.
    package var period: Period?
    package var device: DeviceFamily?
    package var proceedsReason: ProceedsReason?
    package var isPricePreserved: Bool

    /// The kind of a subscription's sale, with the texts of Apple's reports.
    package enum SubscriptionSale: String, Sendable, Codable, CaseIterable {
        case new = "New"
        case renewal = "Renewal"
    }

    /// True if the row takes money back.
    package var isRefund: Bool { customerPrice.milliunits < 0 }

    package init(
        product: Product.ID?, version: String = "", type: ProductTypeIdentifier, proceeds: Money, customerPrice: Money,
        tax: Money, commission: Money, storefront: Storefront, promoCode: String = "",
        subscription: SubscriptionSale? = nil, period: Period? = nil, device: DeviceFamily? = nil,
        proceedsReason: ProceedsReason? = nil, isPricePreserved: Bool = false
    ) {
        self.product = product
        self.version = version
        self.type = type
        self.proceeds = proceeds
        self.customerPrice = customerPrice
        self.tax = tax
        self.commission = commission
        self.storefront = storefront
        self.promoCode = promoCode
        self.subscription = subscription
        self.period = period
        self.device = device
        self.proceedsReason = proceedsReason
        self.isPricePreserved = isPricePreserved
    }
}

/// Units with their properties: a row of Sales and Trends, or what one journal entry adds to it.
package struct SalesTotal: Hashable, Sendable {
    package var key: SalesKey
    /// Negative for refunds. App downloads of price zero count here, too.
    package var units: Int64

    package init(_ key: SalesKey, units: Int64) {
        self.key = key
        self.units = units
    }
}

/// A code of Apple's `Product Type Identifier` column, such as `IA1` or `1F`.
package struct ProductTypeIdentifier: RawRepresentable, Hashable, Sendable, Codable {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }
}
