import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// All pages of the seller, rendered.
struct SellerRenderingTests {
    private static let attack = "<script>alert(1)</script>"

    /// A store whose every text has markup.
    private func console() async throws -> SellerConsole {
        let console = try await SellerConsole()
        let attack = Self.attack
        try await console.send(
            "products/film.roll/edit", ["name": attack, "reviewNote": attack, "taxCategory": attack])
        try await console.send(
            "products/monthly/offers/new",
            ["kind": "code", "name": attack, "new": "on", "paymentMode": "freeTrial", "duration": "P1W"])
        try await console.send("products/monthly/codes", ["offer": attack, "kind": "custom", "code": "SPRING"])
        try await console.send(
            "products/film.roll/localizations/edit", ["locale": "fr-FR", "name": attack, "description": attack])
        try await console.send("groups", ["referenceName": attack])
        try await console.send("reviews/mode", ["mode": "manual"])
        try await console.send("products/film.roll/review/submit")
        try await console.send("products/film.roll/prices/change", ["price": "3.99", "at": "2026-02-01"])
        let id = try await console.product("film.roll")?.appleID ?? 0
        try await console.send("promoted", ["product": "\(id)"])
        return console
    }

    private static let pages: [(path: String, query: [String: String])] = [
        ("apps", [:]), ("products", [:]), ("products", ["search": attack]), ("products/new", [:]),
        ("products/film.roll", [:]), ("products/draft", [:]), ("products/newsletter", [:]),
        ("products/pass.1week", [:]),
        ("products/film.roll/edit", [:]), ("products/monthly/edit", [:]), ("products/film.roll/delete", [:]),
        ("products/film.roll/localizations", [:]), ("products/film.roll/localizations/edit", [:]),
        ("products/film.roll/localizations/edit", ["locale": "fr-FR"]), ("products/film.roll/availability", [:]),
        ("products/film.roll/history", [:]), ("catalog/history", [:]), ("products/film.roll/prices", [:]),
        ("products/film.roll/prices/points", ["after": "10100"]),
        ("products/film.roll/prices/equal", ["price": attack]),
        ("products/monthly/prices/change", [:]),
        ("products/monthly/prices/change", ["price": "7.99", "step": "preview"]),
        ("products/monthly/prices/change", ["price": attack, "step": "preview"]),
        ("products/film.roll/review", [:]), ("reviews", [:]), ("groups", [:]), ("groups/magazine", [:]),
        ("groups/magazine/edit", [:]), ("groups/magazine/localizations", [:]), ("groups/magazine/delete", [:]),
        ("products/monthly/offers", [:]), ("products/newsletter/offers", [:]),
        ("products/monthly/codes", ["offer": attack]), ("promoted", [:]), ("products/film.roll/content", [:]),
        ("catalog", [:]),
    ]

    @Test(arguments: Language.allCases)
    func `all pages escape data, in every language`(language: Language) async throws {
        var console = try await console()
        console.language = language
        let kinds = CatalogOfferKind.allCases.map { ("products/monthly/offers/new", ["kind": $0.rawValue]) }
        let types = ProductType.allCases.map { ("products/new", ["type": $0.rawValue]) }
        for (path, query) in Self.pages + kinds + types {
            let found = try await console.find(path, .page, query: query)
            guard case .page(let make) = found.route.handler else { continue }
            let html = PageRenderer().html(try await make(found.request), for: found.request)
            #expect(html.contains("<main") && !html.contains(Self.attack), "\(path)")
        }
    }
}
