import Perennial

/// A change of prices in requests of control/v1.
struct PriceOrderBody: RequestModel {
    var price: Int64
    var storefront: String?
    var equalize: Bool?
    var at: String?
    var consent: Bool?
    var preserve: Bool?
    var revision: Int64?

    static let constraints: [String: Constraint] = [
        "price": .range(0...PriceList.maximumPrice).and(.milliunits),
        "storefront": .storefront,
        "equalize": .described("Set the equal price in all other storefronts too"),
        "at": .moment, "consent": .described("Whether subscribers must agree; Apple's rules decide if missing"),
        "preserve": .described("Subscribers keep the price they have"),
        "revision": CatalogFields.revision,
    ]

    /// - Parameter base: The currency of the base price.
    /// - Throws: ``APIError`` `malformedRequest`.
    func order(in base: Currency) throws -> PriceOrder {
        let storefront = storefront.map(Storefront.init(rawValue:))
        return PriceOrder(
            Money(milliunits: price, storefront?.currency ?? base), storefront: storefront,
            isEqualized: equalize ?? false, at: try at.map { try ControlFields.time($0, field: "at") },
            needsConsent: consent, preservesSubscribers: preserve ?? false)
    }
}

/// A price of a storefront with its time and the seller's proceeds, in answers of control/v1.
struct CatalogPriceModel: Model, Encodable {
    var storefront: String
    var price: Int64
    var currency: String
    var proceeds: Int64
    var proceedsAfterOneYear: Int64
    /// Missing for a price from the beginning.
    var from: String?
    /// Missing for a price without an end.
    var until: String?
    var manual: Bool
    var preserve: Bool
    var consent: Bool?

    static let constraints: [String: Constraint] = [
        "price": .milliunits, "proceeds": .milliunits, "proceedsAfterOneYear": .milliunits,
        "from": .time.and(.described("Missing for a price from the beginning")),
        "until": .time.and(.described("Missing for a price without an end")),
        "manual": .described("False for a price that follows from the base storefront's"),
    ]

    init(_ interval: PriceInterval, in storefront: Storefront, _ terms: SaleTerms) {
        self.storefront = storefront.rawValue
        (price, currency) = (interval.price.milliunits, interval.price.currency.rawValue)
        let proceeds = terms.proceeds(of: interval.price, in: storefront)
        self.proceeds = proceeds.standard.milliunits
        proceedsAfterOneYear = proceeds.afterOneYear.milliunits
        (from, until) = (interval.start?.rfc3339(), interval.end?.rfc3339())
        (manual, preserve, consent) = (interval.isManual, interval.preservesSubscribers, interval.needsConsent)
    }
}

/// A product's prices in the catalog, in answers of control/v1.
struct CatalogPricesAnswer: AnswerModel {
    var productId: String
    var revision: Int64
    var baseStorefront: String
    /// True if storefronts without their own price pay the equal price.
    var equalized: Bool
    var prices: [CatalogPriceModel]

    static let constraints: [String: Constraint] = [
        "equalized": .described("Storefronts without their own price pay the equal price"),
        "prices": .described("Those in force by the environment's clock, and those to come"),
    ]

    /// - Parameter storefront: Only the prices of this one; `nil` for all.
    init(_ product: CatalogProduct, of app: App, in storefront: Storefront?, at now: Instant) {
        productId = product.id.rawValue
        revision = product.revision
        let timeline = PriceTimeline(product.product.priceList, default: app.defaultStorefront)
        baseStorefront = timeline.base.rawValue
        equalized = product.product.equalizesPrices
        prices = (storefront.map { [$0] } ?? Storefront.all.map(\.storefront)).flatMap { storefront in
            timeline.intervals(in: storefront).filter { $0.end.map { $0 > now } ?? true }.map {
                CatalogPriceModel($0, in: storefront, app.saleTerms)
            }
        }
    }
}

/// The effect that a change of prices would have, in answers of control/v1.
struct PricePreviewAnswer: AnswerModel {
    struct Subscribers: Model, Encodable {
        var lowered: Int
        var announced: Int
        var asked: Int
        var preserved: Int
        var unchanged: Int

        static let constraints: [String: Constraint] = [
            "announced": .described("They are told of the increase and needn't agree"),
            "asked": .described("They must agree, or their subscription ends"),
            "preserved": .described("They keep the price they have"),
        ]

        init(_ subscribers: PricePreview.Subscribers) {
            (lowered, announced, asked) = (subscribers.lowered, subscribers.announced, subscribers.asked)
            (preserved, unchanged) = (subscribers.preserved, subscribers.unchanged)
        }
    }

    struct Territory: Model, Encodable {
        var storefront: String
        var currency: String
        /// Missing where the product wasn't sold.
        var previousPrice: Int64?
        var price: Int64
        var proceeds: Int64
        var proceedsAfterOneYear: Int64
        var subscribers: Subscribers

        static let constraints: [String: Constraint] = [
            "previousPrice": .milliunits.and(.described("Missing where the product wasn't sold")),
            "price": .milliunits, "proceeds": .milliunits, "proceedsAfterOneYear": .milliunits,
        ]
    }

    var productId: String
    var at: String
    /// The subscribers in this environment, of all storefronts.
    var subscribers: Subscribers
    var storefronts: [Territory]

    static let constraints: [String: Constraint] = ["at": .time]

    init(_ preview: PricePreview, of product: Product.ID, _ terms: SaleTerms) {
        productId = product.rawValue
        at = preview.at.rfc3339()
        storefronts = preview.territories.map { territory in
            let proceeds = terms.proceeds(of: territory.price, in: territory.storefront)
            return Territory(
                storefront: territory.storefront.rawValue, currency: territory.price.currency.rawValue,
                previousPrice: territory.previous?.milliunits, price: territory.price.milliunits,
                proceeds: proceeds.standard.milliunits, proceedsAfterOneYear: proceeds.afterOneYear.milliunits,
                subscribers: Subscribers(territory.subscribers))
        }
        subscribers = Subscribers(preview.subscribers)
    }
}
