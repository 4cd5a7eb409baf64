import AppStoreFormats
import Perennial
import PerennialConnect
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialConsole
@testable import PerennialStore

/// The live list and the pages of notifications, as a visitor sees them.
struct LivePageTests {
    private struct Receiver: NotificationSender {
        let outcome: NotificationOutcome

        func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome { outcome }
    }

    private static func shop(answering status: Int = 500) async throws -> TestStore {
        let response = NotificationRecord.Response(
            statusLine: "HTTP/1.1 \(status) Some", body: "<b>the queue is full</b>", isTruncated: false)
        let outcome = NotificationOutcome(
            status == 200 ? .success : .unsuccessfulHTTPResponseCode, httpStatus: status, response: response)
        let shop = try await TestStore.make("Production", sender: Receiver(outcome: outcome))
        try await shop.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        return shop
    }

    private static func request(
        _ shop: TestStore, _ query: [String: String] = [:], _ parameters: [String: String] = [:],
        language: Language = .english, permissions: Set<Permission> = Set(Permission.allCases), seed: UInt64 = 7
    ) async throws -> PageRequest {
        let app = TestCatalog.magazine()
        let (database, clock) = (shop.database, shop.clock)
        let own = ConsoleApp(bundleID: app.bundleID, appleID: app.appleID, name: app.name)
        return PageRequest(
            services: ConsoleServices(
                registry: shop.registry, catalog: CatalogEditor(database: database) { clock.now }, keys: shop.keys,
                rootCertificate: [], authority: nil, delivery: nil, wallClock: { clock.now },
                randomBytes: SeededBytes(seed: seed).bytes),
            store: shop.store, apps: [own], app: own,
            visitor: Visitor(userName: nil, permissions: permissions, language: language, formToken: "token"),
            now: try await shop.store.now(), query: query, parameters: parameters)
    }

    private static func route(_ path: String) throws -> ConsoleRoutes.Route.Handler {
        try #require(ConsoleRoutes.all(of: LiveChapters.all).first { $0.path == path }).handler
    }

    private static func page(_ path: String, _ request: PageRequest) async throws -> Page {
        guard case .page(let make) = try route(path) else { throw TestStore.Missing(what: path) }
        return try await make(request)
    }

    private static func rows(
        _ count: Int, _ request: PageRequest, _ meanwhile: () async throws -> Void
    ) async throws -> [LiveRow] {
        guard case .stream(let make) = try route("live/events") else { throw TestStore.Missing(what: "stream") }
        let stream = try await make(request)
        try await meanwhile()
        var rows: [LiveRow] = []
        for try await row in stream {
            rows.append(row)
            if rows.count == count { break }
        }
        return rows
    }

    private static func record(_ shop: TestStore, in environment: String = "Production") {
        shop.registry.live.record(
            LiveRequest(method: "GET", path: "/store/v1/products", status: 200, microseconds: 900, caller: .app),
            of: nil, in: environment, at: shop.clock.now)
    }

    private static func list(_ page: Page) throws -> LiveList {
        for case .live(let list) in page.blocks { return list }
        throw TestStore.Missing(what: "live list")
    }

    private static func table(_ page: Page) throws -> Table {
        for case .table(let table) in page.blocks { return table }
        throw TestStore.Missing(what: "table")
    }

    @Test func `the live page shows what has happened and streams what follows`() async throws {
        let shop = try await Self.shop()
        let sold = try await shop.buy("film.roll", as: "ann")
        let request = try await Self.request(shop, ["show": "commerce"])
        let list = try Self.list(try await Self.page("live", request))
        let appleID = TestCatalog.magazine().appleID
        #expect(list.rows.map(\.id) == ["\(appleID)-1"])
        #expect(list.rows.first?.path?.hasSuffix("/transactions/\(sold.id)") == true)
        #expect(list.path.contains("show=commerce") && list.path.hasSuffix("from=\(appleID)-1"))
        let following = try await Self.request(shop, ["show": "commerce", "from": "\(appleID)-1"])
        let rows = try await Self.rows(1, following) { try await shop.buy("film.roll", as: "ben") }
        #expect(rows.map(\.id) == ["\(appleID)-2"])
        let html = PageRenderer().html(try #require(rows.first), for: following)
        #expect(html.contains("ben") && html.contains("inAppOwnershipType"))
    }

    @Test func `kinds of a group are chosen one by one, on the page and in its stream`() async throws {
        let shop = try await Self.shop()
        let sold = try await shop.buy("film.roll", as: "ann")
        shop.clock.advance(by: 1000)
        try await shop.refund(sold)
        func kinds(_ query: [String: String]) async throws -> [String] {
            try Self.list(try await Self.page("live", try await Self.request(shop, query))).rows.map(\.kind)
        }
        #expect(try await kinds(["show": "commerce"]) == ["refund", "purchase"])
        #expect(try await kinds(["show": "commerce", "kinds": "purchase"]) == ["purchase"])
        #expect(try await kinds(["show": "commerce", "kinds": "purchase,refund"]) == ["refund", "purchase"])
        // Those of another group select nothing.
        #expect(try await kinds(["show": "commerce", "kinds": "request"]) == ["refund", "purchase"])
        #expect(try await kinds(["kinds": "purchase"]) == ["refund", "purchase"])
        let page = try await Self.page("live", try await Self.request(shop, ["show": "commerce", "kinds": "refund"]))
        #expect(try Self.list(page).path.contains("kinds=refund"))
        let following = try await Self.request(shop, ["show": "commerce", "kinds": "refund", "from": "0"])
        #expect(try await Self.rows(1, following) {}.map(\.kind) == ["refund"])
    }

    @Test func `a browser that connects again goes on after its last row`() async throws {
        let shop = try await Self.shop()
        for account in ["ann", "ben"] { try await shop.buy("film.roll", as: account) }
        let last = "\(TestCatalog.magazine().appleID)-1"
        let rows = try await Self.rows(1, try await Self.request(shop, ["last-event-id": last, "from": "0"])) {}
        #expect(rows.map(\.id) == ["\(TestCatalog.magazine().appleID)-2"])
    }

    @Test func `a browser whose last row is a request goes on after the commerce before it`() async throws {
        let (shop, appleID) = (try await Self.shop(), TestCatalog.magazine().appleID)
        try await shop.buy("film.roll", as: "ann")
        let first = try await Self.rows(2, try await Self.request(shop, ["from": "0"])) { Self.record(shop) }
        #expect(first.map(\.kind) == ["purchase", "request"])
        let last = try #require(first.last?.position)
        let second = try await Self.rows(1, try await Self.request(shop, ["last-event-id": last, "from": "0"])) {
            try await shop.buy("film.roll", as: "ben")
        }
        #expect(second.map(\.id) == ["\(appleID)-2"])
    }

    @Test func `rows of requests have new IDs in each stream`() async throws {
        var ids: Set<String> = []
        for seed: UInt64 in [7, 8] {
            let shop = try await Self.shop()
            let request = try await Self.request(shop, ["show": "requests"], seed: seed)
            ids.formUnion(try await Self.rows(1, request) { Self.record(shop) }.map(\.id))
        }
        #expect(ids.count == 2)
    }

    @Test func `each batch that only skips has a row of its own`() async throws {
        let rows = LiveRows(try await Self.request(try await Self.shop()), stream: "a")
        var ids: Set<String> = []
        for number in 1...2 {
            ids.formUnion(await rows.rows(LiveBatch(skipped: 3), number: number).map(\.id))
        }
        #expect(ids.count == 2)
    }

    @Test func `a request beside a manual clock has the time of its batch`() async throws {
        let shop = try await Self.shop()
        _ = try await shop.registry.makeEnvironment(
            "lab", kind: .sandbox, clock: .manual, now: Instant(rfc3339: "2026-01-31T10:00:00Z"))
        let lab = try await shop.environment("lab")
        let request = try await Self.request(lab, ["show": "requests"])
        let rows = try await Self.rows(1, request) {
            _ = try await lab.store.clock.advance(by: try CalendarDuration(iso8601: "P1M"))
            Self.record(lab, in: "lab")
        }
        let now = try await lab.store.now()
        #expect(now > request.now)
        #expect(rows.map(\.time) == [now])
    }

    @Test func `refusals and failed notifications say what to do`() async throws {
        let shop = try await Self.shop()
        let request = try await Self.request(shop, ["show": "problems"])
        let rows = try await Self.rows(2, request) {
            try await shop.buy("monthly", as: "ann")
            try await shop.store.notifications.sendDue()
            shop.registry.live.record(
                LiveRequest(
                    method: "POST", path: "/store/v1/purchases", status: 404, microseconds: 1500, caller: .app,
                    code: "productNotAvailable", reason: "no such product", advice: "check the names"),
                of: nil, in: "Production", at: shop.clock.now)
        }
        #expect(rows.map(\.kind) == ["failedNotification", "refusal"])
        #expect(rows.allSatisfy { $0.status == .bad })
        let html = rows.map { PageRenderer().html($0, for: request) }.joined()
        #expect(html.contains("the receiver failed") && html.contains("check the names") && html.contains("1.5 ms"))
        // What was sent is decoded in its row.
        #expect(html.contains("inAppOwnershipType") && html.contains("autoRenewProductId"))
    }

    @Test func `each row of the page has what is signed decoded, for those who see customers`() async throws {
        let shop = try await Self.shop()
        for number in 1...12 { try await shop.buy("film.roll", as: "customer\(number)") }
        for permissions in [Set(Permission.allCases), [.view]] {
            let request = try await Self.request(shop, ["show": "commerce"], permissions: permissions)
            let rows = try Self.list(try await Self.page("live", request)).rows
            let decoded = rows.filter { PageRenderer().html($0, for: request).contains("inAppOwnershipType") }
            #expect((rows.count, decoded.count) == (12, permissions.contains(.support) ? 12 : 0))
        }
    }

    @Test(arguments: Language.allCases)
    func `a notification shows its attempts and its contents, and is sent again`(language: Language) async throws {
        let shop = try await Self.shop()
        try await shop.buy("monthly", as: "ann")
        try await shop.store.notifications.sendDue()
        let page = try await Self.page("notifications", try await Self.request(shop, language: language))
        let row = try #require(try Self.table(page).rows.first)
        #expect(row.cells.first?.text == .data("SUBSCRIBED") && row.cells[2].status == .warning)
        let uuid = try #require(
            try await shop.store.notifications.newest(of: TestCatalog.bundleID, limit: 1).first?.uuid)
        let request = try await Self.request(shop, [:], ["uuid": uuid], language: language)
        let one = try await Self.page("notifications/:uuid", request)
        let html = PageRenderer().html(one, for: request, environments: []).replacing("<wbr>", with: "")
        #expect(html.contains("UNSUCCESSFUL_HTTP_RESPONSE_CODE") && html.contains("inAppOwnershipType"))
        #expect(html.contains("autoRenewProductId") && html.contains("signedPayload"))
        #expect(html.contains("HTTP/1.1 500 Some") && html.contains("&lt;b&gt;the queue is full"))
        guard case .form(_, let send) = try Self.route("notifications/:uuid/send") else { return }
        _ = try await send(FormRequest(page: request, values: FormValues([:])))
        try await shop.store.notifications.sendDue()
        let attempts = try await shop.store.notifications.notification(uuid, of: TestCatalog.bundleID).record.attempts
        #expect(attempts.count == 2)
    }

    @Test func `notifications are filtered by their state`() async throws {
        let shop = try await Self.shop(answering: 200)
        try await shop.buy("monthly", as: "ann")
        try await shop.store.notifications.sendDue()
        for (state, count) in [("delivered", 1), ("failing", 0)] {
            let request = try await Self.request(shop, ["state": state])
            let table = try Self.table(try await Self.page("notifications", request))
            #expect(table.rows.count == count)
            #expect(
                table.empty?.text
                    == .joined([.phrase(NotificationPhrases.noneFound), .data(" "), .phrase(SearchPhrases.noneMatch)]))
        }
        let viewer = try await Self.request(shop, permissions: [.view])
        #expect(try Self.table(try await Self.page("notifications", viewer)).rows.count == 1)
    }

    @Test func `every event has a name`() {
        let names = JournalEntry.Kind.allCases.map { EventPhrases.name($0) }
        #expect(names.allSatisfy { !$0.english.isEmpty })
        #expect(Set(names).count > 45)
    }
}
