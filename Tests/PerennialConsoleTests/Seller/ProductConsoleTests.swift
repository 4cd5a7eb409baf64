import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// Products that a seller makes, changes and deletes on the console's pages.
struct ProductConsoleTests {
    private static let values: [ProductType: [String: String]] = [
        .consumable: ["price": "0.99"], .nonConsumable: ["price": "4,99"],
        .autoRenewable: ["price": "2.99", "group": "magazine", "subscriptionPeriod": "P1M"],
        .nonRenewing: ["price": "9.99", "productId": "pass.1month"], .free: [:],
    ]

    @Test(arguments: ProductType.allCases)
    func `a product made on the page is for sale`(type: ProductType) async throws {
        let console = try await SellerConsole()
        let id = Self.values[type]?["productId"] ?? "made.\(type.rawValue)"
        let form = try await console.page("products/new", ["type": type.rawValue])
        var values = try console.values(of: form, path: "products/new")
        values.merge(["name": "Made", "productId": id, "displayName": "Made here", "description": "It is"]) { $1 }
        values.merge(Self.values[type] ?? [:]) { $1 }
        let answer = try await console.send("products/new", values)
        #expect(answer.redirect?.hasSuffix("/products/\(id)") == true, "\(String(describing: answer.page?.errors))")
        let sold = try await console.shop.buy(id, as: "ann")
        #expect(sold.productID.rawValue == id)
        let page = try await console.page("products/\(id)")
        #expect(page.title == .data("Made"))
    }

    @Test func `a subscription's group is made with it`() async throws {
        let console = try await SellerConsole()
        let answer = try await console.send(
            "products/new",
            [
                "type": "autoRenewable", "name": "Weekly", "productId": "weekly", "referenceName": "New club",
                "subscriptionPeriod": "P1W", "price": "0.99",
            ])
        #expect(answer.redirect != nil)
        let groups = try await console.page("groups").tables[0].rows.map { $0.cells[0].text }
        #expect(groups.contains(.data("New club")))
    }

    @Test(arguments: [
        ("name", ""), ("name", String(repeating: "x", count: 65)), ("productId", "a b"), ("productId", "film.roll"),
        ("productId", ""), ("price", "cheap"), ("groupLevel", "high"), ("groupLevel", "1001"), ("group", "none"),
        ("reviewNote", String(repeating: "x", count: 4001)), ("displayName", String(repeating: "x", count: 36)),
        ("description", String(repeating: "x", count: 56)),
    ])
    func `a refusal stands at its field and keeps what was typed`(field: String, value: String) async throws {
        let console = try await SellerConsole()
        var values = [
            "type": "autoRenewable", "name": "Typed", "productId": "typed", "group": "magazine", "price": "2.99",
            "subscriptionPeriod": "P1M", "displayName": "Shown", "locale": "en-US",
        ]
        values[field] = value
        let page = try #require(try await console.send("products/new", values).page)
        #expect(page.status == 422)
        #expect(page.errors.keys.sorted() == [field])
        for (name, value) in values where name != "type" && name != "locale" {
            #expect(page.field(name)?.value == value)
        }
        #expect(try await console.product("typed") == nil)
    }

    @Test func `the second of two writers is told and keeps what was typed`() async throws {
        let console = try await SellerConsole()
        let form = try console.values(of: try await console.page("products/film.roll/edit"), path: "/edit")
        var (first, second) = (form, form)
        (first["name"], second["name"]) = ("First", "Second")
        #expect(try await console.send("products/film.roll/edit", first).redirect != nil)
        let told = try #require(try await console.send("products/film.roll/edit", second).page)
        #expect(told.status == 409)
        #expect(told.field("name")?.value == "Second")
        #expect(told.forms.first?.error == .phrase(RefusalPhrases.changedMeanwhile))
        #expect(try await console.product("film.roll")?.product.referenceName == "First")
        // The page of the refusal has the new revision.
        var again = second
        again["revision"] = told.field("revision")?.value
        #expect(told.field("revision")?.value != second["revision"])
        #expect(try await console.send("products/film.roll/edit", again).redirect != nil)
        #expect(try await console.product("film.roll")?.product.referenceName == "Second")
    }

    @Test func `a deletion needs its word`() async throws {
        let console = try await SellerConsole()
        for word in ["", "delete", "Draft"] {
            let page = try #require(try await console.send("products/draft/delete", ["confirmation": word]).page)
            #expect(page.status == 422 && page.forms.first?.confirmation == "draft")
        }
        #expect(try await console.product("draft") != nil)
        #expect(try await console.send("products/draft/delete", ["confirmation": "draft"]).redirect != nil)
        #expect(try await console.product("draft") == nil)
        // One that is on sale isn't deleted.
        let sold = try await console.send("products/film.roll/delete", ["confirmation": "film.roll"])
        #expect(sold.page?.status == 422)
    }

    @Test func `texts are added, changed and deleted by language`() async throws {
        let console = try await SellerConsole()
        let path = "products/film.roll/localizations/edit"
        func names() async throws -> [String: String] {
            let texts = try await console.product("film.roll")?.currentVersion.localizations ?? []
            return Dictionary(texts.map { ($0.locale, $0.name) }) { first, _ in first }
        }
        #expect(try await console.send(path, ["locale": "fr-FR", "name": "Pellicule"]).redirect != nil)
        #expect(try await names()["fr-FR"] == "Pellicule")
        #expect(try await console.send(path, ["known": "fr-FR", "name": "Film"]).redirect != nil)
        #expect(try await names()["fr-FR"] == "Film")
        let long = try #require(
            try await console.send(path, ["known": "fr-FR", "name": String(repeating: "f", count: 36)]).page)
        #expect(long.errors.keys.sorted() == ["name"])
        let texts = try await console.product("film.roll")?.currentVersion.localizations ?? []
        let french = try #require(texts.first { $0.locale == "fr-FR" })
        try await console.send("products/film.roll/localizations/delete", ["localization": french.id])
        #expect(try await names()["fr-FR"] == nil)
    }

    @Test func `the list filters by type, state and name`() async throws {
        let console = try await SellerConsole()
        func ids(_ query: [String: String]) async throws -> [Text] {
            try await console.page("products", query).tables[0].rows.map { $0.cells[2].text }
        }
        #expect(try await ids([:]).count == TestCatalog.magazine().products.count)
        #expect(try await ids(["type": "free"]) == [.data("newsletter")])
        #expect(try await ids(["search": "AMBER"]) == [.data("filter.amber")])
        #expect(try await ids(["state": "MISSING_METADATA"]) == [.data("draft")])
    }

    @Test func `availability decides where a product is sold`() async throws {
        let console = try await SellerConsole()
        try await console.send("products/film.roll/availability", ["storefront-DEU": "on"])
        _ = try await console.shop.refusal(of: "film.roll", as: "ann")
        try await console.shop.account("dora", storefront: "DEU")
        _ = try await console.shop.buy("film.roll", as: "dora")
        try await console.send("products/film.roll/availability/all", ["sold": "true"])
        _ = try await console.shop.buy("film.roll", as: "ann")
    }

    @Test func `a product is removed from sale after the number of subscriptions that end`() async throws {
        let console = try await SellerConsole()
        func warning() async throws -> String {
            let page = try await console.page("products/monthly/availability/removal")
            let warning = try #require(page.forms.first?.warning)
            return TextFormatter(.english, now: console.shop.clock.now).string(warning)
        }
        #expect(try await warning().hasPrefix("No active subscription"))
        for account in ["ann", "ben"] { try await console.shop.buy("monthly", as: account) }
        let production = try #require(try await console.shop.registry.store(named: "Production"))
        _ = try await production.purchases.buy(
            PurchaseRequest(productID: Product.ID(rawValue: "monthly")),
            by: try await production.accounts.customer(account: "eve", bundleID: TestCatalog.bundleID))
        let places = "Production 1, Sandbox 2"
        #expect(try await warning() == "3 active subscriptions aren’t renewed and end with their period: \(places).")
        let page = try await console.page("products/monthly/availability/removal")
        let film = try await console.page("products/film.roll/availability/removal")
        #expect(film.forms.first?.warning == nil)
        let fields = try console.values(of: page, path: "availability/all")
        #expect(try await console.send("products/monthly/availability/all", fields).redirect != nil)
        #expect(try await console.product("monthly")?.storefronts == [])
    }

    @Test func `the history names the user who changed a product`() async throws {
        let console = try await SellerConsole()
        try await console.send("products/film.roll/edit", ["name": "Renamed"])
        let page = try await console.page("products/film.roll/history")
        guard case .timeline(let entries)? = page.blocks.first else { throw TestStore.Missing(what: "timeline") }
        #expect("\(entries[0].text)".contains("ann@example.com"))
        #expect("\(entries[0].text)".contains("referenceName"))
    }
}
