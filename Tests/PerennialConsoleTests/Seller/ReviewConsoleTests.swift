import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// Reviews, groups and promoted purchases on the console's pages.
struct ReviewConsoleTests {
    /// The beginning of a PNG of 640 by 920 pixels.
    private static let png: [UInt8] =
        [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13] + Array("IHDR".utf8)
        + [0, 0, 2, 0x80, 0, 0, 3, 0x98, 8, 6, 0, 0, 0]

    private func complete(_ console: SellerConsole) async throws {
        try await console.send("products/draft/availability/all", ["sold": "true"])
        try await console.send(
            "products/draft/review/screenshot",
            files: ["file": UploadedFile(name: "screen.png", bytes: Self.png)])
    }

    @Test func `an approved product is sold in Production`() async throws {
        let console = try await SellerConsole()
        let production = try await console.shop.environment("Production")
        let incomplete = try #require(try await console.send("products/draft/review/submit").page)
        #expect(incomplete.status == 422)
        try await complete(console)
        #expect(try await console.file("products/draft/review/screenshot").contentType == "image/png")
        _ = try await production.refusal(of: "draft", as: "ann")
        #expect(try await console.send("products/draft/review/submit").redirect != nil)
        _ = try await production.buy("draft", as: "ann")
    }

    @Test func `the operator rejects with a reason and approves`() async throws {
        let console = try await SellerConsole()
        try await complete(console)
        try await console.send("reviews/mode", ["mode": "manual"])
        func submission() async throws -> ReviewSubmission {
            try await console.send("products/draft/review/submit")
            return try #require(try await console.catalog.read { try $0.openSubmissions(limit: 10) }.last)
        }
        let first = try await submission()
        let silent = try #require(
            try await console.send("reviews/\(first.id)/reject", ["submission": first.id, "reason": ""]).page)
        #expect(silent.errors.keys.sorted() == ["reason"])
        try await console.send("reviews/\(first.id)/reject", ["submission": first.id, "reason": "Too dark"])
        #expect(try await console.product("draft")?.listing.rejectionReason == "Too dark")
        let second = try await submission()
        try await console.send("reviews/\(second.id)/approve")
        #expect(try await console.product("draft")?.listingState == .approved)
    }

    @Test func `a product is withdrawn from review once`() async throws {
        let console = try await SellerConsole()
        try await complete(console)
        try await console.send("reviews/mode", ["mode": "manual"])
        try await console.send("products/draft/review/submit")
        #expect(try await console.send("products/draft/review/withdraw").redirect != nil)
        #expect(try await console.catalog.read { try $0.openSubmissions(limit: 10) }.isEmpty)
        #expect(try await console.send("products/draft/review/withdraw").page?.status == 422)
    }

    @Test func `a file that is no image is refused at its field`() async throws {
        let console = try await SellerConsole()
        let path = "products/draft/review/screenshot"
        let none = try #require(try await console.send(path).page)
        let text = try #require(
            try await console.send(path, files: ["file": UploadedFile(name: "a.png", bytes: [1, 2, 3])]).page)
        #expect(none.errors.keys.sorted() == ["file"] && text.errors.keys.sorted() == ["file"])
    }

    @Test func `levels follow the order of a group's list`() async throws {
        let console = try await SellerConsole()
        let group = try #require(try await console.product("monthly")?.product.subscription?.groupID)
        #expect(try await console.product("monthly")?.product.subscription?.level == 2)
        try await console.send("groups/\(group)/levels", ["order": "monthly,yearly"])
        #expect(try await console.product("monthly")?.product.subscription?.level == 1)
        #expect(try await console.product("yearly")?.product.subscription?.level == 2)
        let stale = try await console.send("groups/\(group)/levels", ["order": "monthly"])
        #expect(stale.page?.status == 409)
    }

    @Test func `a group is made, named and deleted with its word`() async throws {
        let console = try await SellerConsole()
        let made = try #require(try await console.send("groups", ["referenceName": "Club"]).redirect)
        let path = "groups/" + String(made.split(separator: "/").last ?? "")
        #expect(try await console.send("groups", ["referenceName": "Club"]).page?.errors["referenceName"] != nil)
        try await console.send("\(path)/localizations", ["locale": "de-DE", "name": "Klub"])
        let texts = try await console.page(path).tables.flatMap(\.rows).map { $0.cells[0].text }
        #expect(texts.contains(.data("Klub")))
        #expect(try await console.send("\(path)/delete", ["confirmation": "club"]).page?.status == 422)
        #expect(try await console.send("\(path)/delete", ["confirmation": "Club"]).redirect != nil)
    }

    @Test func `promoted purchases are put in order`() async throws {
        let console = try await SellerConsole()
        let ids = try await ["film.roll", "monthly"].asyncMap { try await console.product($0)?.appleID ?? 0 }
        for id in ids { try await console.send("promoted", ["product": "\(id)", "visible": "on"]) }
        try await console.send("promoted/order", ["order": "\(ids[1]),\(ids[0])"])
        let app = TestCatalog.magazine().appleID
        #expect(try await console.catalog.read { try $0.promotedProducts(app: app) } == [ids[1], ids[0]])
        let promotion = try #require(try await console.product("monthly")?.listing.promotion)
        try await console.send("promoted/withdraw", ["promotion": promotion.id])
        #expect(try await console.catalog.read { try $0.promotedProducts(app: app) } == [ids[0]])
    }
}

extension Array {
    fileprivate func asyncMap<Value>(_ transform: (Element) async throws -> Value) async rethrows -> [Value] {
        var values: [Value] = []
        for element in self { values.append(try await transform(element)) }
        return values
    }
}
