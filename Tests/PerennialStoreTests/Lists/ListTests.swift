import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// Lists of accounts, products, apps, environments and notifications, their cursors, and the search for one thing.
struct ListTests {
    @Test(arguments: [Engine.sqliteInMemory, .postgres])
    func `accounts are found by the beginning of their names`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let names = ["Ann", "ann", "ann@example.com", "ann.b", "anna", "bob", "Äbo", "äbo", "é", "日本", "🎞"]
        for name in names { try await shop.account(name) }
        for prefix in ["", "a", "ann", "A", "ä", "日", "🎞", "z", "ann@example.com"] {
            var (found, cursor): ([String], String?) = ([], nil)
            repeat {
                let page = try await shop.store.accounts.list(prefix: prefix, after: cursor, limit: 2)
                found += page.items.map(\.name)
                cursor = page.next
            } while cursor != nil
            let expected = names.filter { $0.utf8.starts(with: prefix.utf8) }
                .sorted { $0.utf8.lexicographicallyPrecedes($1.utf8) }
            #expect(found == expected, "“\(prefix)”")
        }
    }

    @Test(arguments: ["", "x", "1", "1-", "-1", "1--2", "1-2-3", "١-٢", "1111111111111111111-1", "1-2 "])
    func `a text that is no cursor is refused`(text: String) async throws {
        let store = try await TestStore.make().store
        let malformed = StoreError(.malformed, "after", "")
        await #expect(throws: malformed) {
            try await store.transactions.list(of: TestCatalog.bundleID, after: text, limit: 1)
        }
        await #expect(throws: malformed) {
            try await store.notifications.list(of: TestCatalog.bundleID, after: text, limit: 1)
        }
        guard text != "1" else { return }
        await #expect(throws: malformed) {
            try await store.subscriptions.list(of: TestCatalog.bundleID, after: text, limit: 1)
        }
        await #expect(throws: malformed) { try await store.accounts.list(after: text, limit: 1) }
    }

    @Test func `short lists have pages, too`() async throws {
        let shop = try await TestStore.make()
        let app = try await shop.store.app(TestCatalog.bundleID)
        var (found, cursor): ([String], String?) = ([], nil)
        repeat {
            let page = try shop.store.products.list(of: app, after: cursor, limit: 4)
            found += page.items.map(\.id.rawValue)
            cursor = page.next
        } while cursor != nil
        #expect(found == app.products.map(\.id.rawValue).sorted())
        let apps = try await shop.store.products.listApps(after: nil, limit: 1)
        #expect(apps.items.map(\.bundleID) == [TestCatalog.otherBundleID])
        let rest = try await shop.store.products.listApps(after: apps.next, limit: 1)
        #expect(rest.items.map(\.bundleID) == [TestCatalog.bundleID])
        #expect(rest.next == nil)
        let environments = try await shop.registry.environments(after: nil, limit: 1)
        #expect(environments.items.map(\.name) == ["Production"])
        #expect(
            try await shop.registry.environments(after: environments.next, limit: 1).items.map(\.name) == ["Sandbox"])
        #expect(
            try await shop.registry.environments(kind: .sandbox, after: nil, limit: 1).items.map(\.name)
                == ["Sandbox"])
        let summary = try await shop.registry.summaries(after: environments.next, limit: 1)
        #expect(summary.items.map(\.environment.name) == ["Sandbox"] && summary.next == nil)
        #expect(try await summary.items.first?.now == shop.store.now())
    }

    @Test func `apps and products are found by a part of their IDs or names`() async throws {
        let shop = try await TestStore.make()
        let app = try await shop.store.app(TestCatalog.bundleID)
        let rolls = try shop.store.products.list(of: app, search: "FILM.R")
        #expect(rolls.items.map(\.id.rawValue) == ["film.roll"])
        let roll = try #require(app.products.first { $0.id.rawValue == "film.roll" })
        let named = try shop.store.products.list(of: app, search: roll.referenceName.uppercased())
        #expect(named.items.contains(roll))
        #expect(try shop.store.products.list(of: app, type: .nonConsumable, search: "film.roll").items.isEmpty)
        let id = TestCatalog.otherBundleID.rawValue
        let apps = try await shop.store.products.listApps(search: id.uppercased(), after: nil, limit: 10)
        #expect(apps.items.map(\.bundleID) == [TestCatalog.otherBundleID])
        #expect(try await shop.store.products.listApps(search: "no such app", after: nil, limit: 10).items.isEmpty)
    }

    @Test(arguments: [Engine.sqliteInMemory, .postgres])
    func `testers have pages by the names of their accounts`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        for name in ["cem", "ann", "bob"] { try await shop.account(name) }
        let first = try await shop.store.testers.list(limit: 2)
        #expect(first.items.map(\.account.name) == ["ann", "bob"])
        let last = try await shop.store.testers.list(after: first.next, limit: 2)
        #expect(last.items.map(\.account.name) == ["cem"])
        #expect(first.next != nil && last.next == nil)
        await #expect(throws: StoreError.self) { try await shop.store.testers.list(after: "zz", limit: 2) }
    }

    @Test(arguments: [Engine.sqliteInMemory, .postgres])
    func `notifications are found by type, state and subject`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        try await shop.store.notifications.configure(
            NotificationSettings(url: "https://example.com/n"), of: TestCatalog.bundleID)
        for account in ["ann", "bob", "cem"] {
            try await shop.buy("film.roll", as: account)
            try await shop.buy("monthly", as: account)
        }
        try await shop.advance(by: .days(40))
        let all = try await shop.store.notifications.newest(of: TestCatalog.bundleID, limit: 100)
        #expect(all.count > 5)
        // The results of sending, in turns.
        var records = all
        for index in records.indices {
            let result: String? = ["SUCCESS", "TIMED_OUT", "NO_RESPONSE", nil][index % 4]
            records[index].attempts = result.map { [.init(at: TestStore.opening, result: $0, httpStatus: nil)] } ?? []
            if index % 4 != 1 { records[index].nextAttempt = index % 4 == 2 ? TestStore.opening : nil }
        }
        let (changed, environment) = (records, shop.store.environment.id)
        try await shop.database.write { connection in
            for record in changed {
                try NotificationsTable.update(record, app: TestCatalog.magazine().appleID, environment, on: connection)
            }
        }
        let subject = try #require(records.last?.originalID)
        for state in [nil] + SendingState.allCases.map(Optional.some) {
            for (type, id) in [(nil, nil), ("DID_RENEW", nil), (nil, subject)] as [(String?, TransactionID?)] {
                let filter = NotificationFilter(type: type, state: state, originalID: id)
                var (found, cursor): ([String], String?) = ([], nil)
                repeat {
                    let page = try await shop.store.notifications.list(
                        of: TestCatalog.bundleID, filter, after: cursor, limit: 2)
                    found += page.items.map(\.uuid)
                    cursor = page.next
                } while cursor != nil
                let expected = records.filter {
                    (state ?? SendingState($0)) == SendingState($0) && (type ?? $0.type) == $0.type
                        && (id == nil || $0.originalID == id)
                }
                #expect(found == expected.map(\.uuid), "\(filter)")
            }
        }
        let failing = records.filter { SendingState($0) == .failing }.count
        #expect(try await shop.store.status().apps.map(\.failingNotifications) == [failing])
    }

    @Test func `a page reads a limited number of rows and has a cursor`() throws {
        var reads = 0
        var reader = PageReader<Int, Int>(
            limit: 10,
            read: { place, count in
                reads += count
                return Array((place + 1)...(place + count))
            }, place: { $0 })
        reader.rows = 1000
        let page = try reader.page(after: 0) { $0 % 600 == 0 }
        #expect(page.rows == [600])
        #expect(page.next == 1000)
        #expect(reads == 1000)
        let full = try reader.page(after: 0) { $0 % 2 == 0 }
        #expect(full.rows.count == 10)
        #expect(full.next == 21)
    }

    @Test(arguments: [Engine.sqliteInMemory, .postgres])
    func `one text finds accounts, sales, products and notifications`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine, "Production")
        try await shop.store.notifications.configure(
            NotificationSettings(url: "https://example.com/n"), of: TestCatalog.bundleID)
        let token = "0D4C7A6E-3B0C-4B55-9B3C-1F0E6B7A2C11"
        let sold = try await shop.buy("film.roll", as: "ann@example.com", username: token)
        let record = try #require(
            try await shop.store.notifications.newest(of: TestCatalog.bundleID, limit: 1).first)
        let order = try #require(OrderID(of: sold.id)).description
        let expected: [(String, SearchResult.Kind, String)] = [
            ("ann", .account, "ann@example.com"), ("\(sold.id)", .transaction, "\(sold.id)"),
            (order, .order, "\(sold.id)"), ("film.roll", .product, "film.roll"),
            (record.uuid.uppercased(), .notification, record.uuid), (token, .appAccountToken, "\(sold.id)"),
        ]
        for (text, kind, id) in expected {
            let found = try await shop.store.search.find(" \(text)\n")
            #expect(found.map(\.kind) == [kind], "\(text)")
            #expect(found.map(\.id) == [id], "\(text)")
        }
        #expect(try await shop.store.search.find("nothing of that name").isEmpty)
        #expect(try await shop.store.search.find("film.roll", in: TestCatalog.otherBundleID).isEmpty)
    }
}
