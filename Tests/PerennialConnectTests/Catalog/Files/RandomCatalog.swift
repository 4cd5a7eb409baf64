import Perennial
import PerennialConnect
import TestRandomness

/// Random apps with products of all types and every field that a catalog can have.
struct RandomCatalog {
    private var random: SeededGenerator
    private static let storefronts = ["USA", "DEU", "JPN", "KWT", "GBR"].map(Storefront.init(rawValue:))
    private static let texts = [
        "Coins", "yes", "1.0", "Münzen: 100 # of them", "- dash", "\"quoted\" \\ back", "line\nbreak", " spaces ",
        "{a: b}",
        "フィルム", "null", "a, b", "2027-01-01", "\u{1}\u{7F}\u{2028}", "0x1F", "*star", "&anchor", "é",
    ]

    init(seed: UInt64) { random = SeededGenerator(seed: seed) }

    mutating func catalog() -> Catalog {
        let bundleID = App.BundleID(rawValue: "com.example.random")
        var app = App(
            bundleID: bundleID, appleID: 1_000_000_000 + Int64(number(1_000_000)), name: text(), version: text(),
            isNewsstand: true, defaultStorefront: one(Self.storefronts), defaultLocale: one(["en_US", "de", "zh_Hans"]))
        app.nonRenewing = NonRenewingPolicy(
            overlap: flag() ? .extend : .refuse,
            terms: TermRules(
                configured: flag() ? [Product.ID(rawValue: "a.b"): Period(3, .month)] : [:],
                patterns: flag() ? [TermRules.Pattern(rawValue: "*.gold")!: .year] : [:], readsProductIDs: flag()))
        app.saleTerms = SaleTerms(
            commissionBasisPoints: flag() ? 1500 : 3000, taxBasisPoints: flag() ? 700 : nil, isSmallBusiness: flag(),
            storefrontTaxes: flag() ? [.usa: SalesTax(basisPoints: 825, isIncluded: flag())] : [:])
        app.billing = flag() ? AppBilling(sandbox: BillingSettings(timeRate: .compressed, gracePeriodDays: 3)) : nil
        app.price = flag() ? AppPrice(money(), prices: prices()) : nil
        app.reporting = flag() ? ReportingInfo(sku: text(), platforms: text()) : nil
        app.availability = flag() ? Availability(storefronts: [.usa], includesNew: flag()) : nil
        if flag() {
            var listing = AppListing()
            listing.contentRights = "USES_THIRD_PARTY_CONTENT"
            listing.streamlinesPurchasing = flag()
            app.listing = listing
        }
        var listings: [Product.ID: ProductListing] = [:]
        for index in 0..<number(12) {
            let product = product(index)
            app.products.append(product)
            let listing = listing()
            if listing != ProductListing() { listings[product.id] = listing }
        }
        var catalog = Catalog(apps: [app], groups: [bundleID: groups()])
        if catalog.groups[bundleID] == [] { catalog.groups = [:] }
        if !listings.isEmpty { catalog.listings[bundleID] = listings }
        return catalog
    }

    mutating func product(_ index: Int) -> Product {
        let type = one(ProductType.allCases)
        let currency = one(Self.storefronts).currency!
        var product = Product(
            id: Product.ID(rawValue: "com.example.random.p\(index)"), appleID: 2_000_000_000 + Int64(index), type: type,
            referenceName: text(), isFamilyShareable: flag(), state: one(Product.State.allCases),
            isClearedForSale: flag(), basePrice: type == .free ? .zero(currency) : money(currency))
        product.localizations = flag() ? [localization("en_US"), localization("de")] : []
        if type == .autoRenewable { product.subscription = subscription(currency) }
        guard type != .free else { return product }
        product.prices = prices()
        product.equalizesPrices = flag()
        product.requiresOwnPrices = flag()
        product.baseStorefront = flag() ? one(Self.storefronts) : nil
        product.availability =
            flag() ? Availability(storefronts: flag() ? [] : Set(Self.storefronts.prefix(2)), includesNew: flag()) : nil
        if flag() {
            product.priceSchedule = [
                ScheduledPrice(at: time(), money(currency), needsConsent: flag() ? flag() : nil),
                ScheduledPrice(at: time(), money(.eur), storefront: Self.storefronts[1], preservesSubscribers: true),
            ]
        }
        product.isPriced = number(4) > 0
        if !type.renews, flag() {
            var offer = OneTimeOffer(
                id: "gift", referenceName: text(), basePrice: money(currency), prices: prices(),
                eligibility: flag() ? [.nonSpender] : [])
            offer.availability = availability()
            product.codeOffers = [offer]
        }
        return product
    }

    private mutating func subscription(_ currency: Currency) -> Product.Subscription {
        var subscription = Product.Subscription(
            groupID: one(["21000001", "group: one", "yes"]), level: 1 + number(5), period: one([.week, .month, .year]))
        subscription.hasPeriod = number(5) > 0
        subscription.introductoryOffer = flag() ? offer(nil, currency) : nil
        if flag() {
            var limited = offer("5001", currency)
            limited.availability = OfferAvailability(storefronts: [.usa], starts: time())
            subscription.limitedIntroductoryOffers = [limited]
        }
        subscription.promotionalOffers = flag() ? [offer("one", currency), offer("two", currency)] : []
        if flag() {
            var code = offer("code", currency)
            (code.eligibility, code.isStackable) = ([.new, .expired], flag())
            subscription.codeOffers = [code]
        }
        if flag() {
            var winBack = offer("back", currency)
            winBack.winBackRules = flag() ? WinBackRules(paidMonths: 3, maximumMonthsSinceEnd: 12) : nil
            subscription.winBackOffers = [winBack]
        }
        return subscription
    }

    private mutating func offer(_ id: String?, _ currency: Currency) -> Offer {
        let mode = one(Offer.PaymentMode.allCases)
        var offer = Offer(
            id: id, referenceName: flag() ? text() : id ?? "", paymentMode: mode, period: one([.week, .month]),
            periodCount: 1 + number(3), basePrice: mode == .freeTrial ? .zero(currency) : .zero(currency))
        offer.prices = mode == .freeTrial ? [:] : prices()
        offer.availability = availability()
        return offer
    }

    private mutating func listing() -> ProductListing {
        var listing = ProductListing()
        guard flag() else { return listing }
        listing.reviewNote = flag() ? text() : nil
        listing.taxCategory = flag() ? "C003" : nil
        listing.rejectionReason = flag() ? text() : nil
        listing.availabilityWasSet = flag()
        if flag() {
            listing.prices = PriceListing(monthly: PriceList(base: money(), own: prices(), isEqualized: flag()))
        }
        if flag() {
            listing.versions = [
                MetadataVersion(
                    number: 1, id: DerivedUUID.make("v1"), state: .approved,
                    localizations: [
                        .init(id: DerivedUUID.make("l1"), locale: "en-US", name: text(), description: text())
                    ])
            ]
        }
        if flag() {
            listing.promotion = Promotion(id: DerivedUUID.make("p"), isVisibleForAllUsers: flag(), position: number(3))
            listing.content = ContentListing(
                versions: [.init(version: "1.0", fileName: one(["pack.zip", "1", "a-b_c"]), size: 12, sha256: "00ff")])
        }
        return listing
    }

    private mutating func groups() -> [SubscriptionGroup] {
        guard flag() else { return [] }
        var group = SubscriptionGroup(id: "21000009", referenceName: text())
        switch number(3) {
        case 0: break
        case 1:
            group = SubscriptionGroup(
                id: group.id, referenceName: group.referenceName, localizations: [localization("en_US")])
        default:
            group.versions = [
                GroupVersion(
                    number: 1, id: DerivedUUID.make("g"), state: .prepareForSubmission,
                    localizations: [
                        .init(id: DerivedUUID.make("gl"), locale: "en-US", name: text(), customAppName: "A")
                    ])
            ]
        }
        return [group]
    }

    private mutating func availability() -> OfferAvailability? {
        flag()
            ? OfferAvailability(
                storefronts: flag() ? Set(Self.storefronts.prefix(2)) : nil, starts: flag() ? time() : nil,
                ends: flag() ? time() : nil, isActive: flag()) : nil
    }

    private mutating func localization(_ locale: String) -> Product.Localization {
        Product.Localization(locale: locale, displayName: text(), description: flag() ? "" : text())
    }

    private mutating func prices() -> [Storefront: Money] {
        var prices: [Storefront: Money] = [:]
        for storefront in Self.storefronts where number(3) == 0 {
            prices[storefront] = money(flag() ? storefront.currency! : .usd)
        }
        return prices
    }

    private mutating func money(_ currency: Currency = .usd) -> Money {
        Money(milliunits: Int64(number(1_000)) * (flag() ? 10 : 1_000), currency)
    }

    private mutating func time() -> Instant {
        Instant(milliseconds: 1_800_000_000_000 + Int64(number(1_000_000)) * 1_000)
    }
    mutating func text() -> String { one(Self.texts) }
    mutating func flag() -> Bool { Bool.random(using: &random) }
    mutating func number(_ count: Int) -> Int { Int.random(in: 0..<count, using: &random) }
    mutating func one<Value>(_ values: [Value]) -> Value { values.randomElement(using: &random)! }
}
