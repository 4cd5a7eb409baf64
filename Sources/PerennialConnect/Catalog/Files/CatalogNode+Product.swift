import AppStoreFormats
import Perennial

extension CatalogNode {
    /// Creates a product of a catalog. Values that a reader assumes are left out.
    /// - Parameters:
    ///   - hasAppleID: False for a product whose file names no Apple ID.
    ///   - currency: The currency of the app's default storefront.
    init(_ product: CatalogProduct, hasAppleID: Bool = true, in currency: Currency) throws {
        let (sold, listing) = (product.product, product.listing)
        let members: [(String, CatalogNode?)] = [
            ("id", .text(sold.id.rawValue)), ("appleId", hasAppleID ? .integer(sold.appleID) : nil),
            ("type", .text(sold.type.catalogWord)), ("referenceName", .text(sold.referenceName)),
            ("state", sold.state == .approved ? nil : .text(sold.state.catalogWord)),
            ("clearedForSale", .flag(sold.isClearedForSale, default: true)),
            ("familyShareable", .flag(sold.isFamilyShareable)),
        ]
        let more: [(String, CatalogNode?)] = [
            ("availability", sold.availability.map { CatalogNode($0) }),
            ("localizations", Self.localizations(sold.localizations)),
            ("subscription", sold.subscription.map { CatalogNode($0, in: sold.basePrice.currency) }),
            ("codeOffers", .nonEmpty(sold.codeOffers.map { CatalogNode($0) })),
            ("reviewNote", .text(listing.reviewNote)), ("taxCategory", .text(listing.taxCategory)),
            ("rejectionReason", .text(listing.rejectionReason)),
            ("listing", try .encoded(listing.withoutCatalogKeys)),
        ]
        self = .fields(members + Self.prices(of: sold, in: currency) + more)
    }

    private static func prices(of sold: Product, in currency: Currency) -> [(String, CatalogNode?)] {
        let isUsual = sold.basePrice == .zero(currency) && (sold.type == .free || !sold.isPriced)
        // Without the key, a reader takes a product with any price for a priced one.
        let isUnpriced = !sold.isPriced && (!isUsual || !sold.prices.isEmpty || sold.type == .free)
        return [
            ("price", isUsual ? nil : .price(sold.basePrice)), ("priced", isUnpriced ? .bool(false) : nil),
            ("prices", .prices(sold.prices)), ("baseStorefront", .text(sold.baseStorefront?.rawValue)),
            ("equalizesPrices", .flag(sold.equalizesPrices)), ("ownPricesOnly", .flag(sold.requiresOwnPrices)),
            ("schedule", .nonEmpty(sold.priceSchedule.map { CatalogNode($0) })),
        ]
    }

    private init(_ scheduled: ScheduledPrice) {
        self = .fields([
            ("at", .time(scheduled.at)), ("price", .price(scheduled.price)),
            ("storefront", .text(scheduled.storefront?.rawValue)), ("preserved", .flag(scheduled.preservesSubscribers)),
            ("consent", scheduled.needsConsent.map { .bool($0) }),
        ])
    }

    init(_ availability: Availability) {
        self = .fields([
            ("storefronts", .storefronts(availability.storefronts)),
            ("includesNew", .flag(availability.includesNew)),
        ])
    }

    /// Names by locale. No names at all are written as such, because a reader gives a product without the key a name.
    private static func localizations(_ localizations: [Product.Localization]) -> CatalogNode {
        .keys(
            localizations.map {
                Member(
                    $0.locale,
                    .fields([
                        ("name", .text($0.displayName)),
                        ("description", $0.description.isEmpty ? nil : .text($0.description)),
                    ]))
            })
    }

    /// - Parameter currency: That of the base price, in which a reader takes the price of a free trial to be.
    private init(_ subscription: Product.Subscription, in currency: Currency) {
        func nodes(_ offers: [Offer]) -> CatalogNode? { .nonEmpty(offers.map { CatalogNode($0, in: currency) }) }
        self = .fields([
            ("group", .text(subscription.groupID)), ("level", .integer(subscription.level)),
            ("period", .text(subscription.period.iso8601)), ("hasPeriod", .flag(subscription.hasPeriod, default: true)),
            ("introductoryOffer", subscription.introductoryOffer.map { CatalogNode($0, in: currency) }),
            ("introductoryOffers", nodes(subscription.limitedIntroductoryOffers)),
            ("promotionalOffers", nodes(subscription.promotionalOffers)),
            ("codeOffers", nodes(subscription.codeOffers)), ("winBackOffers", nodes(subscription.winBackOffers)),
        ])
    }

    private init(_ offer: Offer, in currency: Currency) {
        let isFree = offer.paymentMode == .freeTrial && offer.basePrice == .zero(currency)
        self = .fields([
            ("id", .text(offer.id)),
            ("referenceName", offer.referenceName == offer.id ?? "" ? nil : .text(offer.referenceName)),
            ("paymentMode", .text(offer.paymentMode.rawValue)), ("period", .text(offer.period.iso8601)),
            ("periods", offer.periodCount == 1 ? nil : .integer(offer.periodCount)),
            ("price", isFree ? nil : .price(offer.basePrice)), ("prices", .prices(offer.prices)),
            ("eligibility", .texts(offer.eligibility.map(\.rawValue).sorted())),
            ("stackable", .flag(offer.isStackable)), ("eligible", offer.winBackRules.map { CatalogNode($0) }),
            ("availability", offer.availability.map { CatalogNode($0) }),
        ])
    }

    private init(_ availability: OfferAvailability) {
        self = .fields([
            ("storefronts", availability.storefronts.map { .storefronts($0) }),
            ("starts", availability.starts.map { .time($0) }), ("ends", availability.ends.map { .time($0) }),
            ("active", .flag(availability.isActive, default: true)),
        ])
    }

    private init(_ rules: WinBackRules) {
        self = .fields([
            ("monthsPaid", .integer(rules.paidMonths)), ("monthsSinceEnd", .integer(rules.monthsSinceEnd)),
            ("monthsSinceEndAtMost", rules.maximumMonthsSinceEnd.map { .integer($0) }),
            ("monthsBetweenOffers", rules.monthsBetweenOffers.map { .integer($0) }),
        ])
    }

    private init(_ offer: OneTimeOffer) {
        self = .fields([
            ("id", .text(offer.id)),
            ("referenceName", offer.referenceName == offer.id ? nil : .text(offer.referenceName)),
            ("price", .price(offer.basePrice)), ("prices", .prices(offer.prices)),
            ("eligibility", .texts(offer.eligibility.map(\.rawValue).sorted())),
            ("availability", offer.availability.map { CatalogNode($0) }),
        ])
    }
}

extension ProductListing {
    /// The listing without the members that have keys of their own in a catalog.
    fileprivate var withoutCatalogKeys: ProductListing {
        var rest = self
        (rest.reviewNote, rest.taxCategory, rest.rejectionReason) = (nil, nil, nil)
        return rest
    }
}

extension ProductType {
    /// The type's name in YAML catalogs and at the command line.
    package var catalogWord: String {
        switch self {
        case .consumable: "consumable"
        case .nonConsumable: "non-consumable"
        case .autoRenewable: "auto-renewable"
        case .free: "free"
        case .nonRenewing: "non-renewing"
        }
    }
}

extension Product.State {
    init?(catalogWord word: String) {
        guard let state = Self.allCases.first(where: { $0.catalogWord == word }) else { return nil }
        self = state
    }

    /// The state's name in YAML catalogs.
    var catalogWord: String {
        switch self {
        case .readyToSubmit: "ready-to-submit"
        case .waitingForReview: "waiting-for-review"
        case .inReview: "in-review"
        case .developerActionNeeded: "developer-action-needed"
        case .rejected: "rejected"
        case .removedFromSale: "removed-from-sale"
        case .approved: "approved"
        }
    }
}
