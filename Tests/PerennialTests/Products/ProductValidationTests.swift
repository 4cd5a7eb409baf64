import Perennial
import Testing

/// The App Store's rules for product definitions, and its storefronts.
struct ProductValidationTests {
    private static func problems(_ product: Product, newsstand: Bool = false) -> [ProductProblem] {
        ProductValidation.problems(
            in: App(bundleID: .init(rawValue: "a"), appleID: 1, name: "A", isNewsstand: newsstand, products: [product]))
    }

    private static func product(
        _ id: String = "a", type: ProductType = .consumable, price: Int64 = 990, currency: Currency = .usd,
        name: String = "A", description: String = "", subscription: Product.Subscription? = nil
    ) -> Product {
        Product(
            id: Product.ID(rawValue: id), type: type, referenceName: "A",
            localizations: [.init(locale: "en", displayName: name, description: description)],
            basePrice: Money(milliunits: price, currency), subscription: subscription)
    }

    @Test(arguments: [
        ("a", true), ("com.example.a_b-C.1", true), ("1a", true), (String(repeating: "a", count: 100), true),
        ("", false), (".a", false), ("-a", false), ("_a", false), ("a b", false), ("ä", false), ("a/b", false),
        ("a\n", false),
        (String(repeating: "a", count: 101), false),
    ])
    func `a product ID is made of letters, digits, dots, dashes and underscores`(id: String, isValid: Bool) {
        #expect(Self.problems(Self.product(id)).map(\.code) == (isValid ? [] : [.malformedID]))
    }

    @Test(arguments: [
        (
            product(name: "coins\u{202E}gnp"), ProductProblem.Code.textDirection, ProductProblem.Severity.error
        ),
        (
            product(name: String(repeating: "n", count: 31)), ProductProblem.Code.nameTooLong,
            ProductProblem.Severity.warning
        ),
        (product(description: String(repeating: "d", count: 46)), .descriptionTooLong, .warning),
        (product(price: -1000), .negativePrice, .error),
        (product(price: 995), .priceFinerThanCurrency, .warning),
        (product(price: 160_500, currency: .jpy), .priceFinerThanCurrency, .warning),
        (product(type: .autoRenewable), .subscriptionMissing, .error),
        (product(subscription: .init(groupID: "g", level: 1, period: .month)), .subscriptionUnexpected, .error),
        (
            product(type: .autoRenewable, subscription: .init(groupID: "g", level: 0, period: .month)), .levelTooLow,
            .error
        ),
        (
            product(type: .autoRenewable, subscription: .init(groupID: "g", level: 1, period: Period(2, .week))),
            .periodNotOffered, .warning
        ),
    ])
    func `a product that breaks a rule is reported`(
        product: Product, code: ProductProblem.Code, severity: ProductProblem.Severity
    ) {
        let problems = Self.problems(product)
        #expect(problems.map(\.code) == [code])
        #expect(problems.map(\.severity) == [severity])
    }

    @Test func `a free subscription with a price or outside Newsstand is refused`() {
        #expect(Self.problems(Self.product(type: .free, price: 0), newsstand: true).isEmpty)
        #expect(Self.problems(Self.product(type: .free, price: 0)).map(\.code) == [.freeOutsideNewsstand])
        #expect(Self.problems(Self.product(type: .free), newsstand: true).map(\.code) == [.freeWithPrice])
    }

    @Test func `a second product with the same ID is refused`() {
        let app = App(
            bundleID: .init(rawValue: "a"), appleID: 1, name: "A", products: [Self.product("x"), Self.product("x")])
        #expect(ProductValidation.problems(in: app).map(\.code) == [.duplicateID])
    }

    private static func gift(_ id: String, _ price: Int64) -> OneTimeOffer {
        OneTimeOffer(id: id, basePrice: Money(milliunits: price, .usd))
    }

    @Test(
        arguments: [
            (.consumable, [gift("a", 0), gift("b", 990)], []),
            (.nonConsumable, [gift("a", 0), gift("a", 490)], [ProductProblem.Code.duplicateOfferID]),
            (.nonRenewing, [gift("a", -10)], [.malformedOffer]),
            (.consumable, [gift("a", 1000)], [.offerDearerThanPrice]),
            (.autoRenewable, [gift("a", 0)], [.malformedOffer]), (.free, [gift("a", 0)], [.malformedOffer]),
        ] as [(ProductType, [OneTimeOffer], [ProductProblem.Code])])
    func `malformed offers of products that don't renew are reported`(
        type: ProductType, offers: [OneTimeOffer], codes: [ProductProblem.Code]
    ) {
        var product = Self.product(
            type: type, price: type == .free ? 0 : 990,
            subscription: type == .autoRenewable ? .init(groupID: "g", level: 1, period: .month) : nil)
        product.codeOffers = offers
        #expect(Self.problems(product, newsstand: true).map(\.code) == codes)
    }

    private static func offer(
        _ id: String, _ mode: Offer.PaymentMode, price: Int64, count: Int = 1
    ) -> Offer {
        Offer(
            id: id, paymentMode: mode, period: .month, periodCount: count, basePrice: Money(milliunits: price, .usd))
    }

    @Test(arguments: [
        ([offer("a", .freeTrial, price: 0), offer("b", .payUpFront, price: 100)], []),
        (
            [offer("a", .freeTrial, price: 0), offer("a", .payUpFront, price: 100)],
            [ProductProblem.Code.duplicateOfferID]
        ),
        ([offer("a", .freeTrial, price: 10)], [.malformedOffer]),
        ([offer("a", .payUpFront, price: -10)], [.malformedOffer]),
        ([offer("a", .payUpFront, price: 10, count: 0)], [.malformedOffer]),
        ([offer("a", .payAsYouGo, price: 5000)], [.offerDearerThanPrice]),
    ])
    func `malformed offers of subscriptions are reported`(offers: [Offer], codes: [ProductProblem.Code]) {
        let subscription = Product.Subscription(groupID: "g", level: 1, period: .month, promotionalOffers: offers)
        #expect(Self.problems(Self.product(type: .autoRenewable, subscription: subscription)).map(\.code) == codes)
    }

    @Test func `there are 175 storefronts with distinct numbers`() {
        #expect(Storefront.all.count == 175)
        #expect(Set(Storefront.all.map(\.number)).count == 175)
        #expect(Set(Storefront.all.map(\.currency)).count == 43)
    }

    @Test(arguments: [
        ("USA", 143_441, "USD", "en_US"), ("JPN", 143_462, "JPY", "ja_JP"), ("DEU", 143_443, "EUR", "de_DE"),
        ("GBR", 143_444, "GBP", "en_GB"), ("VNM", 143_471, "VND", "vi_VN"), ("XKS", 143_624, "EUR", "sq_XK"),
        ("ARG", 143_505, "USD", "es_AR"),
    ])
    func `a storefront has a number, a currency and a locale`(
        code: String, number: Int, currency: String, locale: String
    ) {
        let storefront = Storefront(rawValue: code)
        #expect(storefront.number == number)
        #expect(storefront.currency?.rawValue == currency)
        #expect(storefront.info?.locale == locale)
        #expect(Storefront(number: number) == storefront)
        #expect(Storefront(rawValue: code.lowercased()).info == nil)
    }
}
