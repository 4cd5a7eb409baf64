import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Watchers of the live feed: order, places to go on from, filters, and bounds.
struct LiveFeedTests {
    /// Collects events until a watcher has told so many of them.
    static func events(_ count: Int, from watcher: LiveWatcher) async throws -> [LiveEvent] {
        var found: [LiveEvent] = []
        while found.count < count, let batch = try await watcher.next() { found += batch.events }
        return found
    }

    static func names(_ events: [LiveEvent]) -> [String] {
        events.map { event in
            guard case .commerce(let commerce) = event.content else { return event.kind.rawValue }
            return "\(commerce.entry.kind.rawValue) \(commerce.entry.account ?? "") @\(commerce.entry.position)"
        }
    }

    @Test func `events are told in order, from now on`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("film.roll", as: "ann")
        let watcher = try await shop.store.live.watch()
        try await shop.buy("film.roll", as: "ben")
        try await shop.buyAndFinish("film.roll", as: "cleo")
        let events = try await Self.events(3, from: watcher)
        #expect(Self.names(events) == ["purchased ben @2", "purchased cleo @3", "finished cleo @4"])
        #expect(events.map(\.kind) == [.purchase, .purchase, .finish])
        #expect(events.map(\.sequence) == events.map(\.sequence).sorted())
        guard case .commerce(let commerce) = try #require(events.first).content else {
            throw TestStore.Missing(what: "")
        }
        #expect(commerce.entry.price == Money(milliunits: 990, .usd))
        #expect(events.first?.bundleID == TestCatalog.bundleID)
    }

    @Test func `a watcher goes on from a position`() async throws {
        let shop = try await TestStore.make()
        for account in ["ann", "ben", "cleo"] { try await shop.buy("film.roll", as: account) }
        let watcher = try await shop.store.live.watch(from: LivePosition(others: 1), isComplete: true)
        let batch = try #require(try await watcher.next())
        #expect(Self.names(batch.events) == ["purchased ben @2", "purchased cleo @3"])
        watcher.cancel()
        #expect(try await watcher.next() == nil)
        try await shop.buy("film.roll", as: "dora")
        let resumed = try await shop.store.live.watch(from: LivePosition(batch.position.text))
        #expect(Self.names(try await Self.events(1, from: resumed)) == ["purchased dora @4"])
        let passed = try #require(try await resumed.next(waits: false))
        #expect(passed.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a watcher from beyond the journal's head is told that it begins again`(isComplete: Bool) async throws {
        let shop = try await TestStore.make()
        for account in ["ann", "ben", "cleo"] { try await shop.buy("film.roll", as: account) }
        let app = TestCatalog.magazine().appleID
        for position in [LivePosition(others: 10), LivePosition(positions: [app: 10])] {
            let watcher = try await shop.store.live.watch(from: position, isComplete: isComplete)
            let names = Self.names(try await Self.events(4, from: watcher))
            #expect(names == ["emptied", "purchased ann @1", "purchased ben @2", "purchased cleo @3"])
            watcher.cancel()
        }
        let atHead = try await shop.store.live.watch(from: LivePosition(others: 3), isComplete: isComplete)
        #expect(try await atHead.next(waits: false)?.isEmpty == true)
    }

    @Test func `a watcher of one app is told of that app's journal only`() async throws {
        let shop = try await TestStore.make()
        let (magazine, camera) = (TestCatalog.magazine().appleID, TestCatalog.camera)
        for account in ["ann", "ben", "cleo"] { try await shop.buy("film.roll", as: account) }
        try await shop.buy("lens", as: "ann", app: camera.bundleID)
        let filter = LiveFilter(bundleID: camera.bundleID)
        func names(from position: LivePosition) async throws -> [String] {
            let watcher = try await shop.store.live.watch(filter, from: position, isComplete: true)
            defer { watcher.cancel() }
            var events: [LiveEvent] = []
            while let batch = try await watcher.next(waits: false), !batch.isEmpty { events += batch.events }
            return Self.names(events)
        }
        // Beyond the camera's journal, though not beyond the magazine's.
        #expect(try await names(from: LivePosition(others: 2)) == ["emptied", "purchased ann @1"])
        #expect(try await names(from: LivePosition(positions: [magazine: 9, camera.appleID: 1])) == [])
        #expect(
            try await names(from: LivePosition(positions: [magazine: 3, camera.appleID: 2]))
                == ["emptied", "purchased ann @1"])
    }

    @Test func `a position of all apps may be beyond one of them`() async throws {
        let shop = try await TestStore.make()
        let camera = TestCatalog.camera.bundleID
        for account in ["ann", "ben", "cleo"] { try await shop.buy("film.roll", as: account) }
        try await shop.buy("lens", as: "ann", app: camera)
        let watcher = try await shop.store.live.watch(from: LivePosition(others: 2), isComplete: true)
        #expect(Self.names(try await Self.events(1, from: watcher)) == ["purchased cleo @3"])
        try await shop.buy("lens", as: "ben", app: camera)
        #expect(Self.names(try await Self.events(1, from: watcher)) == ["purchased ben @2"])
    }

    @Test func `a filter chooses by kind, app and customer`() async throws {
        let shop = try await TestStore.make()
        let live = shop.store.live
        let refunds = try await live.watch(LiveFilter(kinds: [.refund]))
        let ofBen = try await live.watch(LiveFilter(account: "ben"))
        let ofCamera = try await live.watch(LiveFilter(bundleID: TestCatalog.camera.bundleID), from: LivePosition())
        let bought = try await shop.buy("film.roll", as: "ann")
        try await shop.buy("film.roll", as: "ben")
        try await shop.refund(bought)
        #expect(Self.names(try await Self.events(1, from: refunds)) == ["refunded ann @3"])
        #expect(Self.names(try await Self.events(1, from: ofBen)) == ["purchased ben @2"])
        #expect(try await ofCamera.next(waits: false)?.isEmpty == true)
        await #expect(throws: StoreError(.appNotFound, "", "")) {
            _ = try await live.watch(LiveFilter(bundleID: App.BundleID(rawValue: "com.example.unknown")))
        }
    }

    @Test func `a slow watcher is told the newest rows and the number of the others`() async throws {
        let shop = try await TestStore.make()
        let slow = try await shop.store.live.watch()
        let complete = try await shop.store.live.watch(isComplete: true)
        let buyer = try await shop.customer("ann")
        let count = LiveWatcher.rowsPerSecond + 50
        for _ in 0..<count {
            _ = try await shop.store.purchases.buy(
                PurchaseRequest(productID: Product.ID(rawValue: "film.roll")), by: buyer)
        }
        let all = try await Self.events(count, from: complete)
        #expect(Self.names(all) == (1...count).map { "purchased ann @\($0)" })
        let batch = try #require(try await slow.next())
        #expect(batch.skipped > 0 && batch.events.count <= LiveWatcher.rowsPerSecond)
        #expect(Int64(batch.events.count) + batch.skipped == Int64(count))
        #expect(Self.names(batch.events).last == "purchased ann @\(count)")
    }

    @Test func `nothing is read or recorded while nothing watches`() async throws {
        let shop = try await TestStore.make()
        let feed = shop.registry.live
        #expect(!feed.isWatched)
        let request = LiveRequest(method: "GET", path: "/", status: 200, microseconds: 1, caller: .other)
        feed.record(request, of: nil, in: "Sandbox", at: TestStore.opening)
        let watcher = try await shop.store.live.watch()
        #expect(feed.isWatched)
        feed.record(request, of: nil, in: "Production", at: TestStore.opening)
        feed.record(request, of: nil, in: "Sandbox", at: TestStore.opening)
        #expect(try await Self.events(1, from: watcher).map(\.kind) == [.request])
        #expect(try await watcher.next(waits: false)?.isEmpty == true)
        watcher.cancel()
        #expect(!feed.isWatched)
    }

    @Test func `an environment that is emptied begins again`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("film.roll", as: "ann")
        try await shop.buy("film.roll", as: "ann")
        let watcher = try await shop.store.live.watch(isComplete: true)
        try await shop.store.reset()
        let emptied = try await Self.events(1, from: watcher)
        try await shop.buy("film.roll", as: "ben")
        let names = Self.names(emptied + (try await Self.events(1, from: watcher)))
        #expect(names == ["emptied", "purchased ben @1"])
    }
}
