import Perennial
import PerennialConnect

/// A win-back offer's rules and place on the App Store, in requests and answers of control/v1.
struct WinBackModel: Model, Codable {
    var paidMonths: Int?
    var monthsSinceEnd: Int?
    var maximumMonthsSinceEnd: Int?
    var monthsBetweenOffers: Int?
    var priority: String?

    static let constraints: [String: Constraint] = [
        "paidMonths": .range(1...60), "monthsSinceEnd": .range(1...60), "maximumMonthsSinceEnd": .range(1...60),
        "monthsBetweenOffers": .range(2...24), "priority": .oneOf(OfferListing.WinBack.Priority.self),
    ]

    init(_ rules: WinBackRules, _ listing: OfferListing.WinBack?) {
        (paidMonths, monthsSinceEnd) = (rules.paidMonths, rules.monthsSinceEnd)
        (maximumMonthsSinceEnd, monthsBetweenOffers) = (rules.maximumMonthsSinceEnd, rules.monthsBetweenOffers)
        priority = (listing?.priority ?? .normal).rawValue
    }

    /// Returns rules with the given values changed.
    func applied(to rules: WinBackRules) -> WinBackRules {
        WinBackRules(
            paidMonths: paidMonths ?? rules.paidMonths, monthsSinceEnd: monthsSinceEnd ?? rules.monthsSinceEnd,
            maximumMonthsSinceEnd: maximumMonthsSinceEnd ?? rules.maximumMonthsSinceEnd,
            monthsBetweenOffers: monthsBetweenOffers ?? rules.monthsBetweenOffers)
    }

    /// - Throws: ``APIError`` `malformedRequest`.
    func priorityValue() throws -> OfferListing.WinBack.Priority? {
        try priority.map { try ControlFields.value($0, field: "winBack.priority") }
    }
}

/// An offer of a product in answers of control/v1.
struct CatalogOfferModel: Model, Encodable {
    var kind: String
    /// Missing for introductory offers, which have none.
    var offerId: String?
    /// The ID in the App Store Connect API; missing for introductory offers, which have one for each storefront.
    var connectId: String?
    var name: String?
    /// Missing for the offer of a product that doesn't renew, which is its price for one purchase.
    var paymentMode: String?
    var period: String?
    var periodCount: Int?
    var starts: String?
    var ends: String?
    var active: Bool
    /// Missing for an offer in all storefronts.
    var storefronts: [String]?
    /// The prices by storefront, in thousandths; empty for a free trial.
    var prices: [String: Int64]
    var eligibility: [String]?
    var stackable: Bool?
    var winBack: WinBackModel?

    static let constraints: [String: Constraint] = [
        "kind": .oneOf(CatalogOfferKind.self), "paymentMode": .oneOf(Offer.PaymentMode.self),
        "starts": .described("The first day"), "ends": .described("The day on which it has ended"),
        "prices": .described("By storefront, in thousandths; empty for a free trial"),
    ]

    private init(_ kind: CatalogOfferKind, _ availability: OfferAvailability?) {
        self.kind = kind.rawValue
        starts = availability?.starts.map { PacificDay($0).description }
        ends = availability?.ends.map { PacificDay($0).description }
        active = availability?.isActive ?? true
        storefronts = availability?.storefronts.map { $0.map(\.rawValue).sorted() }
        prices = [:]
    }

    init(_ offer: Offer, _ kind: CatalogOfferKind, of found: CatalogProduct) {
        self.init(kind, offer.availability)
        set(terms: offer)
        (offerId, name) = (offer.id, offer.id == nil ? nil : offer.referenceName)
        connectId = offer.id.map { found.connectID(of: kind, $0) }
        for price in offer.storefrontPrices(of: found.product) {
            prices[price.storefront.rawValue] = price.price?.milliunits
        }
        if kind == .code {
            (eligibility, stackable) = (offer.eligibility.map(\.rawValue).sorted(), offer.isStackable)
        }
        if kind == .winBack {
            winBack = WinBackModel(
                offer.winBackRules ?? WinBackRules(), offer.id.flatMap { found.listing.offers.winBack[$0] })
        }
    }

    init(_ offer: OneTimeOffer, of found: CatalogProduct) {
        self.init(.code, offer.availability)
        (offerId, name, connectId) = (offer.id, offer.referenceName, found.connectID(of: .code, offer.id))
        eligibility = offer.eligibility.map(\.rawValue).sorted()
        for storefront in Storefront.all.map(\.storefront) where offer.availability?.includes(storefront) ?? true {
            let price = offer.prices[storefront] ?? offer.basePrice
            if price.currency == storefront.currency { prices[storefront.rawValue] = price.milliunits }
        }
    }

    /// Makes one of introductory offers that differ in storefronts and prices only.
    init(introductory offers: [ListedIntroductoryOffer]) {
        self.init(.introductory, offers.first?.offer.availability)
        if let offer = offers.first?.offer { set(terms: offer) }
        let places = offers.map(\.storefront)
        storefronts = places.contains(nil) ? nil : places.compactMap { $0?.rawValue }.sorted()
        for offer in offers {
            if let storefront = offer.storefront { prices[storefront.rawValue] = offer.price?.milliunits }
        }
    }

    private mutating func set(terms offer: Offer) {
        (paymentMode, period) = (offer.paymentMode.rawValue, offer.period.iso8601)
        periodCount = offer.periodCount
    }

    /// Returns all offers of a product.
    static func all(of found: CatalogProduct) -> [CatalogOfferModel] {
        guard let subscription = found.product.subscription else {
            return found.product.codeOffers.map { CatalogOfferModel($0, of: found) }
        }
        return found.introductoryOfferGroups.map { CatalogOfferModel(introductory: $0) }
            + subscription.promotionalOffers.map { CatalogOfferModel($0, .promotional, of: found) }
            + subscription.codeOffers.map { CatalogOfferModel($0, .code, of: found) }
            + subscription.winBackOffers.map { CatalogOfferModel($0, .winBack, of: found) }
    }
}

struct CatalogOffersAnswer: AnswerModel {
    var productId: String
    var offers: [CatalogOfferModel]
    /// Revision of the product: the number that a change may expect.
    var revision: Int64

    init(_ found: CatalogProduct) {
        (productId, offers) = (found.id.rawValue, CatalogOfferModel.all(of: found))
        revision = found.revision
    }
}
