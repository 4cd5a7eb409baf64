import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// Two people on the console's pages: the second is told what the first has done meanwhile.
struct ConcurrentEditTests {
    private static let trial = ["paymentMode": "freeTrial", "duration": "P1W", "numberOfPeriods": "1"]

    /// Changes a product as another user.
    private func rename(_ product: String, _ console: SellerConsole) async throws {
        var other = console
        other.user = "bob@example.com"
        let form = try other.values(of: try await other.page("products/\(product)/edit"), path: "/edit")
        let answer = try await other.send("products/\(product)/edit", form.merging(["name": "Changed"]) { $1 })
        #expect(answer.redirect != nil)
    }

    /// Returns what a page's button sends.
    private func button(of page: Page, _ suffix: String) throws -> [String: String] {
        let actions = page.actions + page.tables.flatMap(\.rows).flatMap(\.actions) + page.blocks.flatMap(\.allActions)
        let found = actions.compactMap { action -> [String: String]? in
            guard case .post(_, let path, let fields, _, _) = action, path.hasSuffix(suffix) else { return nil }
            return fields
        }
        return try #require(found.first, "no button \(suffix)")
    }

    private func expectTold(_ answer: FormAnswer) throws -> Page {
        let page = try #require(answer.page)
        #expect(page.status == 409)
        let shown = page.notices.map(\.text) + page.forms.compactMap(\.error)
        #expect(shown.contains(.phrase(RefusalPhrases.changedBeforeAction)))
        return page
    }

    @Test(arguments: CatalogOfferKind.allCases)
    func `an offer of a product that another writer changed is not deleted`(kind: CatalogOfferKind) async throws {
        let console = try await SellerConsole()
        let values = ["kind": kind.rawValue, "offerId": "back", "name": "Back", "new": "on"]
        let made = try await console.send("products/monthly/offers/new", Self.trial.merging(values) { $1 })
        #expect(made.redirect != nil, "\(String(describing: made.page?.errors))")
        func exists() async throws -> Bool {
            let offers = try await console.page("products/monthly/offers").tables[0].rows
            return offers.contains { !$0.actions.isEmpty }
        }
        let path = "products/monthly/offers"
        let stale = try button(of: try await console.page(path), "offers/delete")
        try await rename("monthly", console)
        let page = try expectTold(try await console.send("\(path)/delete", stale))
        #expect(try await exists())
        // The page of the refusal has the new revision.
        let fresh = try button(of: page, "offers/delete")
        #expect(fresh["revision"] != stale["revision"])
        #expect(try await console.send("\(path)/delete", fresh).redirect != nil)
        #expect(try await !exists())
    }

    @Test func `an offer that another writer changed keeps that change`() async throws {
        let console = try await SellerConsole()
        let terms = [
            "kind": "promotional", "offerId": "half", "paymentMode": "payAsYouGo", "duration": "P1M",
            "numberOfPeriods": "3", "price": "1.99",
        ]
        #expect(try await console.send("products/monthly/offers/new", terms).redirect != nil)
        let query = ["kind": "promotional", "offer": "half"]
        let path = "products/monthly/offers/edit"
        let form = try console.values(of: try await console.page(path, query), path: "offers/edit")
        let first = try await console.send(path, form.merging(["price": "2.49"]) { $1 })
        #expect(first.redirect != nil)
        let told = try #require(try await console.send(path, form.merging(["price": "2.99"]) { $1 }).page)
        #expect(told.status == 409 && told.field("price")?.value == "2.99")
        #expect(told.forms.contains { $0.error == .phrase(RefusalPhrases.changedMeanwhile) })
        let offer = try await console.product("monthly")?.product.subscription?.promotionalOffers.first
        #expect(offer?.price(in: .usa)?.decimal == "2.49")
        let again = ["price": "2.99", "revision": told.field("revision")?.value ?? ""]
        #expect(try await console.send(path, form.merging(again) { $1 }).redirect != nil)
    }

    @Test func `a product that another writer changed is not deleted`() async throws {
        let console = try await SellerConsole()
        let path = "products/draft/delete"
        var form = try console.values(of: try await console.page(path), path: "/delete")
        form["confirmation"] = "draft"
        try await rename("draft", console)
        let page = try expectTold(try await console.send(path, form))
        #expect(try await console.product("draft") != nil)
        form["revision"] = page.field("revision")?.value
        #expect(try await console.send(path, form).redirect != nil)
        #expect(try await console.product("draft") == nil)
    }

    @Test func `a text of a product that another writer changed is not deleted`() async throws {
        let console = try await SellerConsole()
        let path = "products/film.roll/localizations"
        #expect(try await console.send("\(path)/edit", ["locale": "fr-FR", "name": "Pellicule"]).redirect != nil)
        let stale = try button(of: try await console.page(path), "localizations/delete")
        #expect(try await console.send("\(path)/edit", ["known": "fr-FR", "name": "Film"]).redirect != nil)
        let before = try await console.product("film.roll")?.currentVersion.localizations
        _ = try expectTold(try await console.send("\(path)/delete", stale))
        #expect(try await console.product("film.roll")?.currentVersion.localizations == before)
    }

    @Test func `a group that another writer changed is neither renamed nor deleted`() async throws {
        let console = try await SellerConsole()
        let made = try #require(try await console.send("groups", ["referenceName": "Club"]).redirect)
        let path = "groups/" + String(made.split(separator: "/").last ?? "")
        let edit = try console.values(of: try await console.page("\(path)/edit"), path: "/edit")
        var delete = try console.values(of: try await console.page("\(path)/delete"), path: "/delete")
        let submit = try button(of: try await console.page(path), "/submit")
        #expect(try await console.send("\(path)/localizations", ["locale": "de-DE", "name": "Klub"]).redirect != nil)
        let told = try #require(
            try await console.send("\(path)/edit", edit.merging(["referenceName": "Circle"]) { $1 }).page)
        #expect(told.status == 409 && told.field("referenceName")?.value == "Circle")
        _ = try expectTold(try await console.send("\(path)/submit", submit))
        let text = try button(of: try await console.page(path), "localizations/delete")
        delete["confirmation"] = "Club"
        let page = try expectTold(try await console.send("\(path)/delete", delete))
        #expect(try await console.page(path).title == .data("Club"))
        // A text has the group's revision.
        let known = ["known": "de-DE", "name": "Verein"]
        #expect(try await console.send("\(path)/localizations", known).redirect != nil)
        _ = try expectTold(try await console.send("\(path)/localizations/delete", text))
        #expect(page.field("revision")?.value != delete["revision"])
        delete["revision"] = try await console.page("\(path)/delete").field("revision")?.value
        #expect(try await console.send("\(path)/delete", delete).redirect != nil)
    }

    @Test func `a scheduled price of a product that another writer changed is not cancelled`() async throws {
        let console = try await SellerConsole()
        let order = ["price": "6.99", "at": "2026-01-03"]
        #expect(try await console.send("products/film.roll/prices/change", order).redirect != nil)
        let path = "products/film.roll/prices"
        let stale = try button(of: try await console.page(path), "prices/cancel")
        try await rename("film.roll", console)
        let page = try expectTold(try await console.send("\(path)/cancel", stale))
        #expect(try await console.product("film.roll")?.product.priceSchedule.count == 1)
        let fresh = try button(of: page, "prices/cancel")
        #expect(try await console.send("\(path)/cancel", fresh).redirect != nil)
        #expect(try await console.product("film.roll")?.product.priceSchedule == [])
    }

    @Test func `a product that another writer changed is neither taken off sale nor submitted`() async throws {
        let console = try await SellerConsole()
        let stale = try button(of: try await console.page("products/draft/availability"), "availability/all")
        let submit = try button(of: try await console.page("products/draft/review"), "review/submit")
        let before = try await console.product("draft")?.product.availability
        try await rename("draft", console)
        _ = try expectTold(try await console.send("products/draft/availability/all", stale))
        #expect(try await console.product("draft")?.product.availability == before)
        _ = try expectTold(try await console.send("products/draft/review/submit", submit))
    }

    @Test func `a note stays in its form when another writer was first or a picture is refused`() async throws {
        let console = try await SellerConsole()
        let path = "products/film.roll/review"
        let form = try console.values(of: try await console.page(path), path: "review/note")
        try await rename("film.roll", console)
        let told = try #require(
            try await console.send("\(path)/note", form.merging(["reviewNote": "Use the code 123"]) { $1 }).page)
        #expect(told.status == 409 && told.field("reviewNote")?.value == "Use the code 123")
        let again = ["reviewNote": "Use the code 123", "revision": told.field("revision")?.value ?? ""]
        #expect(try await console.send("\(path)/note", again).redirect != nil)
        let refused = try #require(try await console.send("\(path)/screenshot").page)
        #expect(refused.errors.keys.sorted() == ["file"] && refused.field("reviewNote")?.value == "Use the code 123")
    }

    @Test func `an order of levels or promotions that another writer changed is not replaced`() async throws {
        let console = try await SellerConsole()
        let group = try #require(try await console.product("monthly")?.product.subscription?.groupID)
        let path = "groups/\(group)"
        let known = try #require(try await console.page(path).orders.first?.fields["known"])
        #expect(known == "yearly:1,monthly:2")
        let order = ["order": "monthly,yearly", "known": known]
        #expect(try await console.send("\(path)/levels", order).redirect != nil)
        _ = try expectTold(try await console.send("\(path)/levels", order))
        #expect(try await console.product("monthly")?.product.subscription?.level == 1)

        var ids: [String] = []
        for product in ["film.roll", "filter.amber"] {
            let id = try #require(try await console.product(product)?.appleID)
            ids.append("\(id)")
            #expect(try await console.send("promoted", ["product": "\(id)", "visible": "on"]).redirect != nil)
        }
        let shown = try #require(try await console.page("promoted").orders.first?.fields["known"])
        #expect(shown == ids.joined(separator: ","))
        let turned = ["order": ids.reversed().joined(separator: ","), "known": shown]
        #expect(try await console.send("promoted/order", turned).redirect != nil)
        #expect(try await console.send("promoted/order", turned).page?.status == 409)
    }

    @Test func `a file's values are taken only for conflicts that were shown`() async throws {
        let console = try await SellerConsole()
        let exported = try await console.file("catalog/yaml")
        let text = String(decoding: exported.bytes, as: UTF8.self).replacing("Reference film.roll", with: "From a file")
        try await rename("film.roll", console)
        let file = UploadedFile(name: exported.name, bytes: Array(text.utf8))
        let shown = try #require(try await console.send("catalog/compare", files: ["file": file]).page)
        let keep = ["keep": "file"]
        let values = try console.values(of: shown, path: "catalog/import").merging(keep) { $1 }
        try await rename("monthly", console)
        let told = try expectTold(try await console.send("catalog/import", values))
        for product in ["film.roll", "monthly"] {
            #expect(try await console.product(product)?.product.referenceName == "Changed")
        }
        let again = try console.values(of: told, path: "catalog/import").merging(keep) { $1 }
        #expect(try await console.send("catalog/import", again).redirect != nil)
        #expect(try await console.product("film.roll")?.product.referenceName == "From a file")
    }

    @Test func `a revision that is no number is that of no product`() async throws {
        let console = try await SellerConsole()
        let values = ["name": "Mine", "revision": "latest"]
        #expect(try await console.send("products/film.roll/edit", values).page?.status == 409)
        #expect(try await console.product("film.roll")?.product.referenceName == "Reference film.roll")
    }
}
