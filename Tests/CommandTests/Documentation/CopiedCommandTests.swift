import ArgumentParser
import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand
@testable import PerennialConsole
@testable import PerennialHTTP

/// The command lines and calls that the console offers to copy are ones that the command line and the server know.
struct CopiedCommandTests {
    /// Commands that act in one environment, and so have to name that of their page.
    private static let ofEnvironment: Set<String> = [
        "accounts", "testers", "buy", "transactions", "subscriptions", "refunds", "ask-to-buy", "interrupted",
        "offer-codes", "payment-method", "price-consent", "prices", "clock", "listen", "finance", "report", "explain",
        "reconcile", "notifications", "search",
    ]
    /// Lines that some page has to offer, by their beginnings.
    private static let expected = [
        "accounts create", "accounts list --prefix a", "testers clear ann", "testers edit ann",
        "ask-to-buy approve", "ask-to-buy decline", "interrupted resolve", "payment-method accept",
        "subscriptions list --account ann --product monthly --state billing-retry",
        "transactions list --account ann --product film.roll --type consumable --state paid", "refunds create",
        "environments reset", "catalog export", "notifications receiver set", "offers create", "prices list",
    ]

    @Test(arguments: ["Sandbox", "lab"])
    func `every copied command parses, and names the environment of its page`(name: String) async throws {
        let pages = try await CopiedPages(name)
        let lines = try await pages.copied().flatMap { $0.split(separator: "\n") }
            .filter { $0.hasPrefix("perennial ") }.map { String($0.dropFirst("perennial ".count)) }
        for start in Self.expected { #expect(lines.contains { $0.hasPrefix(start) }, "\(start)") }
        #expect(lines.contains { $0.hasPrefix("interrupted resolve") && $0.contains("--give-up") })
        for line in Set(lines) {
            let words = DocumentedCommand.words(line)
            let command: any ParsableCommand
            do {
                command = try Words.parse(words)
            } catch {
                Issue.record("\(line): \(PerennialCommand.message(for: error))")
                continue
            }
            guard Self.ofEnvironment.contains(words[0]), let command = command as? any StoreCommand else { continue }
            #expect(Self.environment(of: command) == name, "\(line)")
        }
    }

    private static func environment(of command: some StoreCommand) -> String? {
        (command.store as? StoreOptions)?.environment.name
    }

    @Test(arguments: [("Production", ""), ("Sandbox", "/sandbox"), ("lab", "/environments/lab")])
    func `every copied call is one of the server, in the environment of its page`(
        name: String, base: String
    ) async throws {
        let pages = try await CopiedPages(name)
        let operations = pages.operations
        let calls = try await pages.copied().filter { $0.hasPrefix("curl ") }.flatMap { $0.matches(of: Self.call) }
        #expect(calls.count > 30)
        for call in calls {
            let (method, url) = (String(call.1), String(call.2))
            let path = url.split(separator: "?").first.map(String.init) ?? ""
            let start = try #require(path.firstRange(of: "/control/v1/"), "\(url)").lowerBound
            let (place, below) = (path[..<start], path[start...].dropFirst())
            let found = operations.first { operation in
                operation.name.hasPrefix("\(method) ") && Self.matches(below, operation.path)
            }
            let operation = try #require(found, "\(method) \(url)")
            // A page lists the other environments, each with the call that empties it.
            guard below != "control/v1/reset" else { continue }
            #expect(place == (operation.isGlobal ? "" : base), "\(method) \(url)")
        }
    }

    /// A call by curl: its method, and its URL below the store's.
    private static var call: Regex<(Substring, Substring, Substring)> { #/curl -X ([A-Z]+) "\$PERENNIAL_URL([^"]*)"/# }

    private static func matches(_ path: Substring, _ pattern: String) -> Bool {
        let (segments, parts) = (path.split(separator: "/"), pattern.split(separator: "/"))
        return segments.count == parts.count && zip(segments, parts).allSatisfy { $1.hasPrefix("{") || $0 == $1 }
    }
}

/// The pages of the console over a store in which the things that they show exist.
private struct CopiedPages {
    private let shop: TestStore
    private let services: ConsoleServices
    private let parameters: [String: String]
    /// The calls that the server answers.
    let operations: [APIOperation]

    init(_ name: String) async throws {
        let first = try await TestStore.make(app: TestCatalog.magazineWithOffers)
        if name == "lab" {
            _ = try await first.registry.makeEnvironment(
                name, kind: .sandbox, clock: .manual, now: Instant(rfc3339: "2026-01-31T10:00:00Z"))
        }
        shop = try await first.environment(name)
        var router = PerennialRouter(
            registry: shop.registry, controlToken: "token", rootCertificate: [], delivery: nil, nanoseconds: { 0 })
        router.keys = shop.keys
        operations = router.makeDescribed().operations.all
        let clock = shop.clock
        services = ConsoleServices(
            registry: shop.registry, catalog: router.catalog, keys: shop.keys, rootCertificate: [], authority: nil,
            delivery: nil, wallClock: { clock.now }, randomBytes: SeededBytes(seed: 7).bytes)
        let sold = try await shop.buy("film.roll", as: "ann")
        parameters = [
            "account": "ann", "id": sold.id.description, "product": "monthly", "group": "magazine", "month": "2026-04",
        ]
        try await subscribe()
        if shop.store.environment.kind.isForTests { try await wait() }
    }

    /// Buys a subscription whose renewal fails.
    private func subscribe() async throws {
        let id = try await shop.buy("monthly", as: "ann").originalID
        try await shop.account("ann", payment: .declined)
        let renewal = try await shop.store.subscriptions.snapshot(of: id).subscription.paidUntil
        if shop.store.environment.clock == .manual {
            _ = try await shop.store.clock.advance(to: renewal + .seconds(2))
        } else {
            try await shop.advance(by: renewal - (try await shop.store.now()) + .seconds(2))
        }
    }

    /// Makes purchases that wait for a person.
    private func wait() async throws {
        let film = PurchaseRequest(productID: Product.ID(rawValue: "film.roll"), quantity: 1)
        try await shop.store.askToBuy.request(film, token: try await shop.signIn("child").token)
        _ = try await shop.store.accounts.put(
            "eve", storefront: nil, paymentMethod: nil, canMakePayments: nil, password: nil, interruptsPurchases: true)
        _ = try await shop.refusal(of: "film.roll", as: "eve")
    }

    /// Returns the texts that all pages offer to copy as the same action.
    func copied() async throws -> [String] {
        let filters = [
            "prefix": "a", "account": "ann", "type": "consumable", "state": "paid", "storefront": "USA",
            "query": "nothing",
        ]
        var texts: [String] = []
        for kind in CatalogOfferKind.allCases {
            texts += try await copied(filters.merging(["product": "film.roll", "kind": kind.rawValue]) { $1 })
        }
        texts += try await copied(filters.merging(["product": "monthly", "status": "3"]) { $1 })
        texts += try await copied(filters.merging(["type": "nonConsumable", "state": "givenUp"]) { $1 })
        let day = PacificDay(try await shop.store.now()).description
        texts += try await copied([
            "figure": "sales", "from": day, "to": day, "device": "iPhone", "kind": "nonConsumable",
        ])
        return texts + (try await copied([:]))
    }

    private func copied(_ query: [String: String]) async throws -> [String] {
        let apps = try await services.catalog.read { try $0.apps() }.map {
            ConsoleApp(bundleID: $0.bundleID, appleID: $0.appleID, name: $0.name)
        }
        var texts: [String] = []
        for route in ConsoleRoutes.all(of: ConsoleChapters.all) {
            guard case .page(let make) = route.handler else { continue }
            let request = PageRequest(
                services: services, store: shop.store, apps: apps,
                app: apps.first { $0.bundleID == TestCatalog.bundleID },
                visitor: Visitor(
                    userName: nil, permissions: Set(Permission.allCases), language: .english, formToken: "token"),
                now: try await shop.store.now(), query: query, parameters: parameters)
            // Of what isn't there, such as certificates, there is no page.
            guard let page = try? await make(request) else { continue }
            texts += Self.samples(in: FrameContexts(Frame(request)).context(of: page, notice: nil))
        }
        return texts
    }

    /// Returns the texts of all commands and calls in a context of a template.
    private static func samples(in value: Any) -> [String] {
        if let list = value as? [Any] { return list.flatMap(samples) }
        guard let context = value as? TemplateContext else { return [] }
        guard context["template"] as? String == "same" else { return context.values.flatMap(samples) }
        let samples = context["samples"] as? [TemplateContext] ?? []
        return samples.compactMap { $0["code"] as? String }
    }
}
