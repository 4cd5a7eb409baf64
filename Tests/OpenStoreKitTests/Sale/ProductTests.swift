import Foundation
import OpenStoreKit
import Testing

struct ProductTests {
    let device: Device
    let store = SaleStore()

    init() throws {
        self.device = try Device()
        store.set { $0.types = ["monthly": "autoRenewable", "lens": "nonConsumable"] }
    }

    @Test func `products have the store's facts; unknown ones are left out`() async throws {
        try await device.connection(store).withCurrent {
            let products = try await Product.products(for: ["coins", "unknown.a", "monthly", "coins", "lens"])
            #expect(products.map(\.id) == ["coins", "monthly", "lens"])
            #expect(products.map(\.type) == [.consumable, .autoRenewable, .nonConsumable])
            #expect(products.map(\.isFamilyShareable) == [false, false, true])
            let coins = try #require(products.first)
            #expect(coins.displayName == "Name of coins")
            #expect(coins.description == "All about coins")
            #expect(coins.price == Decimal(string: "4.99"))
            #expect(coins.displayPrice == "4,99 €")
            #expect(coins.subscription == nil)
            #expect(coins.priceFormatStyle.currencyCode == "EUR")
            #expect(coins.price.formatted(coins.priceFormatStyle) == "4,99\u{a0}€")
            #expect((coins.price * 2).formatted(coins.priceFormatStyle) == "9,98\u{a0}€")
        }
    }

    @Test func `a subscription has its group, period, offers and pricing terms`() async throws {
        try await device.connection(store).withCurrent {
            let product = try #require(try await Product.products(for: ["monthly"]).first)
            let subscription = try #require(product.subscription)
            #expect(subscription.subscriptionGroupID == "g1")
            #expect(subscription.groupDisplayName == "Magazin")
            #expect(subscription.groupLevel == 2)
            #expect(subscription.subscriptionPeriod == .everyThreeMonths)
            let introductory = try #require(subscription.introductoryOffer)
            #expect(introductory.id == nil)
            #expect(introductory.type == .introductory)
            #expect(introductory.paymentMode == .freeTrial)
            #expect(introductory.period == .weekly)
            #expect(introductory.periodCount == 2)
            let promotional = try #require(subscription.promotionalOffers.first)
            #expect(promotional.id == "spring")
            #expect(promotional.price == Decimal(string: "0.99"))
            #expect(promotional.paymentMode == .payAsYouGo)
            #expect(subscription.winBackOffers.map(\.id) == ["back"])
            #expect(subscription.winBackOffers.map(\.type) == [.winBack])
            let terms = try #require(subscription.pricingTerms.first)
            #expect(terms.billingPlanType == .upFront)
            #expect(terms.billingPrice == product.price)
            #expect(terms.commitmentInfo.period == .everyThreeMonths)
            #expect(terms[offers: .promotional].map(\.id) == ["spring"])
            #expect(terms.subscriptionOffers.count == 3)
        }
    }

    @Test func `products are equal if the store says the same of them`() async throws {
        try await device.connection(store).withCurrent {
            let first = try await Product.products(for: ["coins", "monthly"])
            let second = try await Product.products(for: ["coins", "monthly"])
            #expect(first == second)
            #expect(Set(first + second).count == 2)
            store.set { $0.currency = "CHF" }
            let third = try await Product.products(for: ["coins", "monthly"])
            #expect(third.first != first.first)
            #expect(try JSONSerialization.jsonObject(with: first[0].jsonRepresentation) is [String: Any])
            #expect(first[0].debugDescription.contains("\"productId\":\"coins\""))
        }
    }

    @Test func `no identifiers give no products and send nothing`() async throws {
        try await device.connection(store).withCurrent {
            let products = try await Product.products(for: [])
            #expect(products.isEmpty)
            #expect(store.log.isEmpty)
        }
    }

    @Test func `a store that can't be reached gives a network error`() async throws {
        store.set { $0.isOffline = true }
        await device.connection(store).withCurrent {
            let error = await #expect(throws: StoreKitError.self) { _ = try await Product.products(for: ["coins"]) }
            guard case .networkError(let error)? = error else {
                return #expect(Bool(false), "\(String(describing: error)) is no network error")
            }
            #expect(error.code == .cannotConnectToHost)
        }
    }

    @Test func `a simulated error replaces products`() async throws {
        let connection = device.connection(store)
        connection.simulatedErrors.set(StoreKitError.notEntitled, for: .loadProducts)
        try await connection.withCurrent {
            await #expect { try await Product.products(for: ["coins"]) } throws: { error in
                if case StoreKitError.notEntitled = error { true } else { false }
            }
            connection.simulatedErrors.set(nil, for: .loadProducts)
            let products = try await Product.products(for: ["coins"])
            #expect(products.count == 1)
        }
    }

    @Test func `an advanced commerce product has the type of its generic product`() async throws {
        try await device.connection(store).withCurrent {
            let product = try await AdvancedCommerceProduct(id: "monthly")
            #expect(product.type == .autoRenewable)
            await #expect(throws: Product.PurchaseError.productUnavailable) {
                try await AdvancedCommerceProduct(id: "unknown.a")
            }
        }
    }
}

struct SubscriptionPeriodTests {
    private let start = Date(timeIntervalSince1970: 1_767_225_600)

    @Test(arguments: [
        ("P1W", 1, Product.SubscriptionPeriod.Unit.week), ("P7D", 1, .week), ("P14D", 2, .week), ("P3D", 3, .day),
        ("P6M", 6, .month), ("P1Y", 1, .year),
    ])
    func `durations are read`(text: String, value: Int, unit: Product.SubscriptionPeriod.Unit) throws {
        let period = try #require(Product.SubscriptionPeriod(iso8601: text))
        #expect(period.value == value)
        #expect(period.unit == unit)
    }

    @Test func `texts that are no durations are refused`() {
        for text in ["", "P", "1M", "PM", "P0M", "P1X", "P-1M", "P1M1D", "P99999999999M"] {
            #expect(Product.SubscriptionPeriod(iso8601: text) == nil, "\(text)")
        }
    }

    @Test func `units are ordered by their length`() {
        typealias Unit = Product.SubscriptionPeriod.Unit
        #expect([Unit.year, .day, .month, .week].sorted() == [.day, .week, .month, .year])
    }

    @Test func `the dates of a period end after it`() throws {
        let calendar = Calendar(identifier: .gregorian)
        let range = Product.SubscriptionPeriod.everyTwoMonths.dateRange(referenceDate: start)
        #expect(range.lowerBound == start)
        #expect(calendar.dateComponents([.month, .day], from: start, to: range.upperBound).month == 2)
        let weeks = Product.SubscriptionPeriod.everyTwoWeeks
        #expect(DateComponents(subscriptionPeriod: weeks).day == 14)
        #expect(DateComponents(subscriptionPeriod: .yearly).year == 1)
    }

    @Test func `a period is formatted as a duration`() {
        let style = Duration.UnitsFormatStyle(allowedUnits: [.days], width: .wide).locale(Locale(identifier: "en_US"))
        #expect(Product.SubscriptionPeriod.everyTwoWeeks.formatted(style, referenceDate: start) == "14 days")
    }

    @Test func `units are named in the language of the locale`() async throws {
        typealias Unit = Product.SubscriptionPeriod.Unit
        let device = try Device()
        let store = SaleStore()
        try await device.connection(store).withCurrent {
            let product = try #require(try await Product.products(for: ["coins"]).first)
            let style = product.subscriptionPeriodUnitFormatStyle
            #expect([Unit.day, .week, .month, .year].map { $0.formatted(style) } == ["Tag", "Woche", "Monat", "Jahr"])
            let english = style.locale(Locale(identifier: "en_US"))
            #expect(
                [Unit.day, .week, .month, .year].map { $0.formatted(english) } == ["day", "week", "month", "year"])
            #expect(Unit.month.formatted(style.locale(Locale(identifier: "fr_FR"))) == "mois")
            let text = Product.SubscriptionPeriod.everyThreeMonths.formatted(product.subscriptionPeriodFormatStyle)
            #expect(text.contains("3"))
        }
    }
}
