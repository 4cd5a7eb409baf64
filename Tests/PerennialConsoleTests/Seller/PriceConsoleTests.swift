import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// Prices that a seller changes on the console's pages.
struct PriceConsoleTests {
    private static let path = "products/monthly/prices/change"

    @Test func `a scheduled price takes effect when the clock passes it`() async throws {
        let console = try await SellerConsole()
        let order = ["price": "6.99", "at": "2026-01-03", "time": "12:00", "step": "preview"]
        let preview = try await console.page("products/film.roll/prices/change", order)
        let values = try console.values(of: preview, path: "prices/change")
        #expect(values["price"] == "6.99" && values["at"] == "2026-01-03")
        #expect(try await console.send("products/film.roll/prices/change", values).redirect != nil)
        #expect(try await console.shop.buy("film.roll", as: "ann").price == Money(milliunits: 990, .usd))
        let scheduled = try await console.page("products/film.roll/prices").tables[0]
        #expect(scheduled.rows.count == 1 && scheduled.rows[0].cells[2].text == .money(Money(milliunits: 6990, .usd)))
        try await console.shop.advance(by: .days(3))
        #expect(try await console.shop.buy("film.roll", as: "ann").price == Money(milliunits: 6990, .usd))
    }

    @Test func `a scheduled price is cancelled before it starts`() async throws {
        let console = try await SellerConsole()
        try await console.send("products/film.roll/prices/change", ["price": "6.99", "at": "2026-01-03"])
        let at = try #require(try await console.product("film.roll")?.product.priceSchedule.first?.at)
        try await console.send("products/film.roll/prices/cancel", ["at": at.rfc3339(), "all": "on"])
        #expect(try await console.product("film.roll")?.product.priceSchedule == [])
    }

    @Test func `the preview says whom a change touches`() async throws {
        let console = try await SellerConsole()
        for account in ["ann", "bob"] { try await console.shop.buyAndFinish("monthly", as: account) }
        let page = try await console.page(Self.path, ["price": "7.99", "step": "preview", "consent": "yes"])
        let form = try #require(page.forms.first)
        #expect(form.isDangerous)
        guard case .phrase(PricePhrases.touches, let counts)? = form.warning else {
            throw TestStore.Missing(what: "warning")
        }
        #expect(counts == [.number(2), .number(0), .number(0), .number(2), .number(0)])
        // Nothing is changed yet.
        #expect(try await console.product("monthly")?.product.priceSchedule == [])
    }

    /// Copies subscriptions. The copies can be read, but not changed.
    private static func copySubscriptions(_ count: Int, in shop: TestStore) async throws {
        try await shop.database.write { connection in
            try connection.execute(
                """
                INSERT INTO subscriptions (environment, app, original_id, account, subscription_group, document)
                WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT $1)
                SELECT environment, app, n.i, account, subscription_group, document FROM subscriptions JOIN n
                """, [.integer(Int64(count))])
        }
    }

    @Test func `the subscribers of a large app are counted in the background, all of them`() async throws {
        let console = try await SellerConsole()
        try await console.shop.buyAndFinish("monthly", as: "ann")
        try await Self.copySubscriptions(1_200, in: console.shop)
        let order = ["price": "7.99", "at": "2026-02-03", "step": "preview"]
        func preview() async throws -> (revision: String?, counts: [Text], age: Block?) {
            var page = try await console.page(Self.path, order)
            // As a browser does.
            while page.refresh?.path.contains("\(Self.path)?") == true {
                page = try await console.page(Self.path, order)
            }
            let form = try #require(page.forms.first)
            guard case .phrase(PricePhrases.touches, let counts)? = form.warning else {
                throw TestStore.Missing(what: "warning")
            }
            let age = page.blocks.first {
                if case .paragraph(.phrase(ComputedPhrases.made, _)) = $0 { true } else { false }
            }
            return (form.fields.first { $0.name == "revision" }?.value, counts, age)
        }
        let first = try await preview()
        #expect(first.counts.first == .number(1_201) && first.age != nil)
        var values = order
        values["revision"] = first.revision
        #expect(try await console.send(Self.path, values).redirect != nil)
        // The product has changed since, and so has the page's form.
        let second = try await preview()
        #expect(second.counts.first == .number(1_201) && second.revision != first.revision)
    }

    @Test(arguments: [("price", "dear"), ("price", "1.999"), ("at", "tomorrow"), ("storefront", "ZZZ")])
    func `a bad order is refused at its field`(field: String, value: String) async throws {
        let console = try await SellerConsole()
        var query = ["price": "6.99", "step": "preview", "storefront": "USA"]
        query[field] = value
        let page = try await console.page(Self.path, query)
        #expect(page.status == 422)
        #expect(page.errors.keys.sorted() == [field])
        #expect(page.field(field)?.value == value)
    }

    @Test(
        arguments: [
            ("film.roll", [Words.proceeds]), ("monthly", [PricePhrases.proceeds, PricePhrases.proceedsAfterOneYear]),
        ])
    func `only auto-renewable subscriptions have proceeds after one year`(
        product: String, expected: [Phrase]
    ) async throws {
        let console = try await SellerConsole()
        let all = [Words.proceeds, PricePhrases.proceeds, PricePhrases.proceedsAfterOneYear].map { Text.phrase($0) }
        for page in ["prices", "prices/points", "prices/equal"] {
            let table = try #require(try await console.page("products/\(product)/\(page)").tables.last)
            #expect(table.columns.map(\.title).filter(all.contains) == expected.map { Text.phrase($0) }, "\(page)")
            #expect(!table.rows.isEmpty && table.rows.allSatisfy { $0.cells.count == table.columns.count }, "\(page)")
        }
    }

    @Test func `every storefront has its price and proceeds`() async throws {
        let console = try await SellerConsole()
        try await console.send(
            "products/film.roll/prices/change", ["price": "1.99", "storefront": "USA", "equalize": "on"])
        let table = try #require(try await console.page("products/film.roll/prices").tables.last)
        #expect(table.rows.count == Storefront.all.count)
        let points = try await console.page("products/film.roll/prices/points", ["storefront": "JPN"])
        #expect(points.tables.last?.rows.count == 50 && points.tables.last?.next != nil)
        let equal = try await console.page("products/film.roll/prices/equal", ["storefront": "USA", "price": "4.99"])
        #expect(equal.tables.last?.rows.count == Storefront.all.count)
    }
}
