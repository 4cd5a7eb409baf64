import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Purchases in the database. PerennialTests has the rules.
struct PurchaseTests {
    struct Sale: Sendable, CustomTestStringConvertible {
        let product: String
        var quantity = 1
        let type: ProductType
        let price: Int64
        let kind: JournalEntry.Kind?
        var testDescription: String { "\(quantity) × \(product)" }
    }

    static let sales: [Sale] = [
        Sale(product: "film.roll", quantity: 4, type: .consumable, price: 3960, kind: .purchased),
        Sale(product: "film.roll", quantity: 10, type: .consumable, price: 9900, kind: .purchased),
        Sale(product: "filter.amber", type: .nonConsumable, price: 1990, kind: .purchased),
        Sale(product: "pass.1week", type: .nonRenewing, price: 2990, kind: .purchased),
        Sale(product: "newsletter", type: .free, price: 0, kind: .purchased),
        // Sandbox's subscriptions have tests of their own.
        Sale(product: "monthly", type: .autoRenewable, price: 4990, kind: nil),
    ]

    @Test(arguments: Engine.allCases)
    func `a purchase of each product type is stored completely`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        for (number, sale) in Self.sales.enumerated() {
            let sold = try await shop.buy(
                sale.product, quantity: sale.quantity, as: "customer \(number)", username: "hash \(number)")
            let kept = try await shop.store.transactions.transaction(
                sold.id, of: try await shop.customer("customer \(number)"))
            #expect(kept == sold)
            #expect(kept.type == sale.type)
            #expect(kept.quantity == sale.quantity)
            #expect(kept.price == Money(milliunits: sale.price, .usd))
            #expect(kept.originalID == kept.id)
            #expect(kept.purchaseDate == TestStore.opening.wholeSeconds)
            #expect(kept.originalPurchaseDate == kept.purchaseDate)
            #expect(kept.applicationUsername == "hash \(number)")
            #expect(!kept.isFinished)
            #expect((kept.expiresDate != nil) == (sale.type == .autoRenewable))
            #expect((kept.webOrderLineItemID != nil) == (sale.type == .autoRenewable))
            let told = try await shop.journal().filter { $0.entry.transactionID == sold.id }
            #expect(told.count == 1)
            if let kind = sale.kind { #expect(told.first?.entry.kind == kind) }
        }
    }

    static let refusals: [(product: String, quantity: Int, account: String, code: PurchaseRefusal.Code)] = [
        ("film.roll", 0, "ann", .quantityOutOfRange),
        ("film.roll", 11, "ann", .quantityOutOfRange),
        ("film.roll", -1, "ann", .quantityOutOfRange),
        ("filter.amber", 2, "ann", .quantityOutOfRange),
        ("film.rolls", 1, "ann", .productNotAvailable),
        ("retired", 1, "ann", .productNotAvailable),
        ("film.roll", 1, "declined", .paymentDeclined),
        ("monthly", 1, "declined", .paymentDeclined),
        ("film.roll", 1, "restricted", .paymentsNotAllowed),
        ("newsletter", 1, "restricted", .paymentsNotAllowed),
    ]

    @Test(arguments: Engine.allCases)
    func `a refused purchase leaves no rows`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.account("declined", payment: .declined)
        try await shop.account("restricted", mayBuy: false)
        for (product, quantity, account, code) in Self.refusals {
            let refusal = try await shop.refusal(of: product, quantity: quantity, as: account)
            #expect(refusal.code == code, "\(quantity) × \(product) for \(account)")
        }
        for table in ["transactions", "journal", "postings", "purchase_requests"] {
            #expect(try await shop.count(table) == 0, "\(table)")
        }
    }

    @Test func `free products don't need a valid payment method`() async throws {
        let shop = try await TestStore.make()
        try await shop.account("declined", payment: .declined)
        #expect(try await shop.buy("newsletter", as: "declined").price.milliunits == 0)
    }

    @Test func `buying an owned non-consumable again is free`() async throws {
        let shop = try await TestStore.make()
        let first = try await shop.buyAndFinish("filter.amber", as: "ann")
        shop.clock.advance(by: .days(3))
        let again = try await shop.buy("filter.amber", as: "ann")
        #expect(again.id != first.id)
        #expect(again.originalID == first.id)
        #expect(again.originalPurchaseDate == first.purchaseDate)
        #expect(again.price.milliunits == 0)
        let last = try #require(try await shop.journal().last?.entry)
        #expect(last.kind == .boughtAgain)
        #expect(last.postings.isEmpty)
        // Another customer pays.
        #expect(try await shop.buy("filter.amber", as: "ben").price.milliunits == 1990)
    }

    @Test func `a refunded non-consumable can be bought anew`() async throws {
        let shop = try await TestStore.make()
        let first = try await shop.buy("filter.amber", as: "ann")
        try await shop.refund(first)
        let second = try await shop.buy("filter.amber", as: "ann")
        #expect(second.price.milliunits == 1990)
        #expect(second.originalID == second.id)
    }

    @Test(arguments: Engine.allCases)
    func `non-renewing terms don't overlap if the seller forbids it`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.buyAndFinish("pass.1week", as: "ann")
        shop.clock.advance(by: .days(7) - .seconds(1))
        #expect(try await shop.refusal(of: "pass.1week", as: "ann").code == .termStillRunning)
        try await shop.buy("pass.1week", as: "ben")
        shop.clock.advance(by: .seconds(1))
        try await shop.buy("pass.1week", as: "ann")
        // A product ID without a term is sold as Apple sells it.
        try await shop.buy("pass.summer", as: "ann")
        try await shop.buy("pass.summer", as: "ann")
    }

    @Test func `non-renewing terms can be extended if the seller allows it`() async throws {
        let shop = try await TestStore.make(app: TestCatalog.magazine(overlap: .extend))
        try await shop.buy("pass.1week", as: "ann")
        let second = try await shop.buy("pass.1week", as: "ann")
        #expect(second.price.milliunits == 2990)
    }

    @Test func `an active subscription can't be bought twice`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("monthly", as: "ann")
        #expect(try await shop.refusal(of: "monthly", as: "ann").code == .alreadySubscribed)
        try await shop.buy("monthly", as: "ben")
    }

    @Test func `after a move, renewals keep the storefront they began in`() async throws {
        var app = TestCatalog.magazine()
        for (product, yen) in [("monthly", 500), ("yearly", 5000)] as [(String, Int64)] {
            let index = try #require(app.products.firstIndex { $0.id.rawValue == product })
            app.products[index].prices[Storefront(rawValue: "JPN")] = Money(milliunits: yen * 1000, .jpy)
        }
        let shop = try await TestStore.make(app: app)
        // Both ways to another plan: a purchase, and the list of subscriptions.
        for (customer, isChosen) in [("ann", false), ("ben", true)] {
            func change(_ sold: Transaction, to product: String) async throws -> Transaction {
                guard isChosen else { return try await shop.buy(product, as: customer) }
                return try await shop.store.subscriptions.perform(
                    .change(Product.ID(rawValue: product)), on: sold.originalID
                ).transaction
            }
            func move(_ storefront: String) async throws {
                _ = try await shop.store.accounts.put(
                    customer, storefront: Storefront(rawValue: storefront), paymentMethod: nil, canMakePayments: nil,
                    password: nil)
            }
            let first = try await shop.buy("monthly", as: customer)
            try await move("JPN")
            let upgraded = try await change(first, to: "yearly")
            #expect(upgraded.originalID == first.originalID)
            #expect(upgraded.price == Money(milliunits: 5_000_000, .jpy))
            try await move("USA")
            _ = try await change(first, to: "monthly")
            // Sandbox's year is an hour.
            try await shop.advance(by: .minutes(61))
            let renewed = try await shop.store.subscriptions.snapshot(of: first.originalID).transaction
            #expect(renewed.productID.rawValue == "monthly")
            #expect(renewed.price == Money(milliunits: 500_000, .jpy))
            #expect(renewed.storefront == Storefront(rawValue: "JPN"))
        }
    }

    @Test func `only Newsstand apps sell free subscriptions`() async throws {
        let shop = try await TestStore.make()
        let refusal = try await shop.refusal(of: "news", as: "ann", app: TestCatalog.otherBundleID)
        #expect(refusal.code == .newsstandOnly)
        #expect(try await shop.buy("lens", as: "ann", app: TestCatalog.otherBundleID).price.milliunits == 990)
    }

    @Test(arguments: [("Production", false), ("Sandbox", true)])
    func `production sells approved products only`(environment: String, sells: Bool) async throws {
        let shop = try await TestStore.make(on: .sqliteInMemory, environment)
        if sells {
            try await shop.buy("draft", as: "ann")
        } else {
            #expect(try await shop.refusal(of: "draft", as: "ann").code == .productNotAvailable)
        }
        #expect(try await shop.refusal(of: "retired", as: "ann").code == .productNotAvailable)
        let customer = try await shop.customer("ann")
        let ids = ["draft", "retired", "film.roll", "typo"].map(Product.ID.init(rawValue:))
        let listed = try await shop.store.products.list(ids, language: nil, for: customer)
        #expect(listed.products.map(\.product.id.rawValue) == (sells ? ["draft", "film.roll"] : ["film.roll"]))
        #expect(listed.invalid.map(\.rawValue) == (sells ? ["retired", "typo"] : ["draft", "retired", "typo"]))
    }

    static let prices: [(storefront: String, milliunits: Int64, currency: Currency)] = [
        ("USA", 990, .usd), ("DEU", 990, .eur), ("JPN", 120_000, .jpy),
    ]

    @Test(arguments: prices)
    func `a customer pays in the storefront's currency`(storefront: String, milliunits: Int64, currency: Currency)
        async throws
    {
        let shop = try await TestStore.make()
        try await shop.account("ann", storefront: storefront)
        let sold = try await shop.buy("film.roll", quantity: 2, as: "ann")
        #expect(sold.price == Money(milliunits: 2 * milliunits, currency))
        #expect(sold.storefront.rawValue == storefront)
        #expect(try await shop.sumOfPostings() == [currency.rawValue: 0])
    }

    static let languages: [(language: String?, name: String)] = [
        ("de-DE", "Filmrolle"), ("de_AT", "Filmrolle"), ("ja-JP", "フィルム"), ("fr-FR", "The film.roll"),
        (nil, "The film.roll"), ("", "The film.roll"),
    ]

    @Test(arguments: languages)
    func `product titles follow the customer's language, then the app's`(language: String?, name: String) async throws {
        let shop = try await TestStore.make()
        let customer = try await shop.customer("ann")
        let listed = try await shop.store.products.list(
            [Product.ID(rawValue: "film.roll")], language: language, for: customer)
        #expect(listed.products.first?.localization?.displayName == name)
    }

    @Test func `at most a thousand product IDs fit in a request`() async throws {
        let shop = try await TestStore.make()
        let customer = try await shop.customer("ann")
        let ids = Array(repeating: Product.ID(rawValue: "film.roll"), count: 1001)
        #expect(
            try await shop.store.products.list(Array(ids.prefix(1000)), language: nil, for: customer).products.count
                == 1000)
        await #expect(throws: StoreError(.tooManyProducts, "", "")) {
            try await shop.store.products.list(ids, language: nil, for: customer)
        }
    }
}
