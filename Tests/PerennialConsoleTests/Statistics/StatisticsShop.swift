import Hummingbird
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// A store with sales in two currencies, subscriptions and a refund, and the pages about them.
struct StatisticsShop: Sendable {
    let shop: TestStore
    let services: ConsoleServices

    /// The pages of figures, each with a path and query that name one.
    static let pages: [(path: String, query: [String: String])] = [
        ("overview", [:]), ("sales", [:]), ("sales", ["by": "storefront", "span": "7d"]),
        ("sales", ["by": "type", "span": "12m"]), ("sales", ["by": "device", "amounts": "sales"]),
        ("subscriptions", [:]), ("payments", [:]), ("payments/2026-04", [:]), ("payments/2026-04/reconcile", [:]),
        ("explain", ["figure": "sales", "column": "proceeds"]), ("explain/comparison", ["column": "units"]),
        ("explain", ["figure": "statistic", "statistic": "mrr", "date": "2025-12-31"]),
        ("explain/entries", ["statistic": "mrr", "date": "2025-12-31"]),
        ("explain", ["figure": "financial", "month": "2026-04"]),
        ("explain", ["figure": "statistic", "statistic": "churn-rate", "column": "rate"]),
        ("explain", ["figure": "statistic", "statistic": "mrr", "column": "mrr", "currency": "USD"]),
        ("explain", ["figure": "statistic", "statistic": "retention", "column": "month-1"]),
        ("payments/2026-04/explain", ["column": "units"]), ("payments/open/explain", [:]),
    ]

    /// - Parameters:
    ///   - sells: False for a store without an entry in its journal.
    ///   - makes: False for a console that makes no page in the background: all wait.
    init(on engine: Engine = .sqliteInMemory, sells: Bool = true, makes: Bool = true) async throws {
        var limits = ComputedPages.Limits()
        if !makes { (limits.running, limits.waiting) = (0, 1) }
        // A busy machine makes no other page.
        limits.maximumWait = makes ? .seconds(120) : .zero
        shop = try await TestStore.make(on: engine, "Production")
        let (clock, random) = (shop.clock, SeededBytes(seed: 7))
        services = ConsoleServices(
            registry: shop.registry, catalog: CatalogEditor(database: shop.database, wallClock: { clock.now }),
            keys: APIKeys(database: shop.database, wallClock: { clock.now }, randomBytes: random.bytes),
            rootCertificate: [], authority: nil, delivery: nil, wallClock: { clock.now }, randomBytes: random.bytes,
            computed: ComputedPages(limits: limits))
        if sells { try await sell() }
    }

    private func sell() async throws {
        try await shop.account("ann")
        try await shop.account("hans", storefront: "DEU")
        try await shop.buy("film.roll", quantity: 3, as: "ann")
        let filter = try await shop.buy("filter.amber", as: "ann")
        try await shop.buy("monthly", as: "ann")
        try await shop.advance(by: .days(3))
        try await shop.buy("film.roll", quantity: 2, as: "hans")
        try await shop.buy("family.monthly", as: "hans")
        try await shop.refund(filter)
        try await shop.advance(by: .days(40))
        try await rollUp()
    }

    /// Does what the worker does.
    func rollUp() async throws {
        _ = try await shop.store.rollUps.bringUpToDate(TestCatalog.magazine())
        _ = try await shop.store.rollUps.bringUpToDate(TestCatalog.camera)
    }

    /// Loads exchange rates and closes the first fiscal month.
    func close() async throws {
        let rate = try #require(DecimalRate("1.08"))
        let month = try #require(FiscalMonth("2026-04"))
        try await shop.store.finance.loadRates([ExchangeRate(month: month, from: .eur, to: .usd, rate: rate)])
        try await shop.store.finance.close(month)
        try await rollUp()
    }

    func request(
        _ path: String, _ query: [String: String] = [:], _ language: Language = .english,
        permissions: Set<Permission> = Set(Permission.allCases)
    ) async throws -> (route: ConsoleRoutes.Route, request: PageRequest) {
        let parts = path.split(separator: "/").map(String.init)
        let routes = ConsoleRoutes.all(of: StatisticsChapters.all).filter { route in
            let own = route.path.split(separator: "/")
            return own.count == parts.count && zip(own, parts).allSatisfy { $0.first == ":" || $0 == $1 }
        }
        // A word of its own goes before a parameter.
        let route = try #require(routes.first { !$0.path.contains(":") } ?? routes.first)
        let names = route.path.split(separator: "/").enumerated().filter { $0.element.first == ":" }
        let app = ConsoleApp(bundleID: TestCatalog.bundleID, appleID: 1_234_567, name: "Magazine")
        return (
            route,
            PageRequest(
                services: services, store: shop.store, apps: [app], app: app,
                visitor: Visitor(userName: nil, permissions: permissions, language: language, formToken: "token"),
                now: try await shop.store.now(), query: query,
                parameters: Dictionary(
                    uniqueKeysWithValues: names.map { (String($0.element.dropFirst()), parts[$0.offset]) }))
        )
    }

    func page(
        _ path: String, _ query: [String: String] = [:], _ language: Language = .english
    ) async throws -> (page: Page, html: String) {
        let (route, request) = try await request(path, query, language)
        guard case .page(let make) = route.handler else { throw TestStore.Missing(what: "page \(path)") }
        let page = try await make(request)
        return (page, PageRenderer().html(page, for: request))
    }

    /// Returns the path of a page in a browser.
    func path(_ path: String) -> String {
        ConsolePath.page(path, [:], environment: shop.store.environment.name, app: TestCatalog.bundleID.rawValue)
    }

    func file(_ path: String, _ query: [String: String] = [:]) async throws -> ConsoleFile {
        let (route, request) = try await request(path, query)
        guard case .file(let make) = route.handler else { throw TestStore.Missing(what: "file \(path)") }
        return try await make(request)
    }
}

extension Page {
    var figures: [Figure] {
        blocks.flatMap { block in if case .figures(let figures) = block { figures } else { [Figure]() } }
    }
}

extension Text {
    /// The amount of money, if the text is one.
    var money: Money? { if case .money(let money) = self { money } else { nil } }
    var number: Int64? { if case .number(let number) = self { number } else { nil } }
}
