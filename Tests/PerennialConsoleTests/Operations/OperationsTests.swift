import HTTPTypes
import Perennial
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

@Suite("Console: environments, clock, health")
struct OperationsTests {
    @Test("an environment is created, emptied and removed; its name confirms it")
    func environments() async throws {
        try await ConsoleServer.run { server in
            let session = try await server.signIn()
            let path = "\(ConsoleServer.place)/environments"
            let lab = ["name": "lab", "kind": "Sandbox", "clock": "manual", "now": "2026-01-31T10:00:00Z"]
            #expect(try await server.post(path, lab, session: session).status == 303)
            #expect(try await server.post(path, lab, session: session).status == 422)
            #expect(try await server.post(path, lab.merging(["now": "soon"]) { $1 }, session: session).status == 422)
            #expect(
                try await server.post(path, lab.merging(["clock": "real"]) { $1 }, session: session).status == 422)
            for (name, value) in [("name", "-lab"), ("name", "l b"), ("kind", "Moon"), ("clock", "sun")] {
                let reply = try await server.post(path, lab.merging([name: value]) { $1 }, session: session)
                let fields = reply.body.split(separator: "name=\"\(name)\"").dropFirst().map { $0.prefix { $0 != ">" } }
                let isShown = fields.contains { $0.contains("aria-invalid=\"true\"") }
                #expect(reply.status == 422 && isShown, "\(name): \(value)")
            }
            for name in ["kind", "clock"] {
                #expect(try await server.post(path, lab.filter { $0.key != name }, session: session).status == 422)
            }
            #expect(try await server.get(path, session: session).body.contains("/environments/lab"))
            for action in ["reset", "remove"] {
                let fields = ["name": "lab", "confirmation": "la"]
                #expect(try await server.post("\(path)/\(action)", fields, session: session).status == 422)
                let confirmed = ["name": "lab", "confirmation": "lab"]
                #expect(try await server.post("\(path)/\(action)", confirmed, session: session).status == 303)
            }
            #expect(try await server.shop.registry.store(named: "lab") == nil)
        }
    }

    @Test func `an environment of production is emptied by admins only`() async throws {
        try await ConsoleServer.run { server in
            _ = try await server.shop.registry.makeEnvironment("mirror", kind: .production, clock: .real, now: nil)
            try await server.makeUser("uma@example.com", [.developer])
            try await server.makeUser("ada@example.com", [.admin])
            let path = "\(ConsoleServer.place)/environments"
            let (developer, admin) = (
                try await server.signIn("uma@example.com"), try await server.signIn("ada@example.com")
            )
            func action(_ action: String, _ name: String, _ session: String) async throws -> Int {
                try await server.post(
                    "\(path)/\(action)", ["name": name, "confirmation": name], session: session
                ).status
            }
            #expect(try await action("reset", "Production", developer) == 403)
            #expect(try await action("reset", "mirror", developer) == 403)
            #expect(try await action("remove", "mirror", developer) == 403)
            #expect(try await action("reset", "Sandbox", developer) == 303)
            #expect(try await action("reset", "Production", admin) == 303)
            #expect(try await action("remove", "mirror", admin) == 303)
        }
    }

    @Test("advancing the clock from anywhere lists what it made happen")
    func clock() async throws {
        try await ConsoleServer.run { server in
            _ = try await server.shop.registry.makeEnvironment(
                "lab", kind: .sandbox, clock: .manual, now: Instant(rfc3339: "2026-01-31T10:00:00Z"))
            let lab = try await server.shop.environment("lab")
            try await lab.buy("monthly", as: "ann")
            let session = try await server.signIn()
            let path = "/console/lab/com.example.magazine/clock"
            #expect(try await server.get(path, session: session).body.contains("/customers/ann"))
            let moved = try await server.post(path, ["by": "P1M"], session: session)
            let location = try #require(moved.location)
            #expect(moved.status == 303 && location.hasPrefix("\(path)?since="))
            let happened = try await server.get(location, session: session)
            #expect(happened.body.contains("id=\"happened\""))
            for wrong in [["by": "soon"], ["to": "2020-01-01T00:00:00Z"], [:], ["by": "P1D", "to": "x"]] {
                #expect(try await server.post(path, wrong, session: session).status == 422)
            }
            let real = try await server.post("\(ConsoleServer.place)/clock", ["by": "P1D"], session: session)
            #expect(real.status == 422)
        }
    }

    @Test func `the clock lists scheduled prices and notifications beside subscriptions`() async throws {
        let console = try await SellerConsole()
        try await console.shop.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        try await console.shop.buy("monthly", as: "ann")
        try await console.send("products/film.roll/prices/change", ["price": "6.99", "at": "2026-01-03"])
        let table = try #require(try await console.page("clock").tables.last)
        let events = table.rows.map { $0.cells[1].text }
        #expect(
            Set(events) == [
                .phrase(Words.subscription), .list([.phrase(Words.notification), .data("SUBSCRIBED")]),
                .list([.phrase(PricePhrases.change), .money(Money(milliunits: 6990, .usd))]),
            ])
        let paths = table.rows.flatMap { $0.cells.compactMap(\.path) }
        #expect(paths.contains { $0.hasSuffix("/products/film.roll/prices") })
        #expect(paths.contains { $0.contains("/notifications/") })
    }

    @Test("health and the audit log are shown")
    func health() async throws {
        try await ConsoleServer.run { server in
            let session = try await server.signIn()
            let health = try await server.get("\(ConsoleServer.place)/health", session: session)
            #expect(health.status == 200 && health.body.contains("1.2.3"))
            _ = try await server.post("\(ConsoleServer.place)/environments", session: session)
            let audit = try await server.get("\(ConsoleServer.place)/audit", session: session)
            #expect(audit.status == 200 && audit.body.contains("/environments"))
        }
    }

    @Test("search leads to what a text names")
    func search() async throws {
        try await ConsoleServer.run { server in
            let sold = try await server.shop.buy("film.roll", as: "ann")
            let session = try await server.signIn()
            let reply = try await server.get("\(ConsoleServer.place)/search?query=\(sold.id)", session: session)
            #expect(reply.body.contains("\(ConsoleServer.place)/transactions/\(sold.id)"))
            let missing = try await server.get("\(ConsoleServer.place)/search?query=\(sold.id)7", session: session)
            #expect(missing.status == 200 && missing.body.contains("Nothing here is named “\(sold.id)7”. Search for"))
            let empty = try await server.get("\(ConsoleServer.place)/search?query=", session: session)
            #expect(!empty.body.contains("Nothing here") && empty.body.contains("Search for the beginning"))
        }
    }

    @Test func `each list whose filters admit nothing says what to try, and leads to all of it`() async throws {
        try await ConsoleServer.run { server in
            try await server.shop.buy("film.roll", as: "ann")
            let session = try await server.signIn()
            let lists = [
                "transactions?account=nobody", "transactions?product=none", "subscriptions/list?account=nobody",
                "customers?prefix=nobody", "products?search=none", "notifications?subject=2000000000000009",
                "notifications?subject=nonsense", "notifications?type=NONE",
            ]
            for list in lists {
                let body = try await server.get("\(ConsoleServer.place)/\(list)", session: session).body
                #expect(body.contains("Check the spelling: names and IDs are compared letter by letter."), "\(list)")
                let path = list.prefix { $0 != "?" }
                #expect(body.contains("<a class=\"button\" href=\"\(ConsoleServer.place)/\(path)\""), "\(list)")
                #expect(!body.contains("<tbody>"), "\(list)")
            }
            let live = try await server.get("\(ConsoleServer.place)/live?account=nobody", session: session)
            #expect(live.body.contains("No event fits these filters so far."))
        }
    }
}
