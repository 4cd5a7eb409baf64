import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Watchers on several nodes, and what they are told of notifications.
struct LiveNodesTests {
    @Test(arguments: Engine.lasting)
    func `two nodes see each other's events`(engine: Engine) async throws {
        let location = try engine.makeLocation()
        let databases = try (0..<2).map { _ in try Database(location, options: .forTests) }
        try databases[0].migrate()
        let first = try await TestStore.open(databases[0])
        let second = try await TestStore.open(databases[1], seed: 2)
        let watchers = (try await first.store.live.watch(), try await second.store.live.watch())
        try await first.buy("film.roll", as: "ann")
        #expect(
            LiveFeedTests.names(try await LiveFeedTests.events(1, from: watchers.1)) == ["purchased ann @1"])
        try await second.buy("film.roll", as: "ben")
        #expect(
            LiveFeedTests.names(try await LiveFeedTests.events(2, from: watchers.0))
                == ["purchased ann @1", "purchased ben @2"])
        for database in databases { database.close() }
    }

    @Test func `an attempt to send a notification follows its event, with its result`() async throws {
        let receiver = RecordingReceiver { _, number in
            number == 1
                ? NotificationOutcome(.unsuccessfulHTTPResponseCode, httpStatus: 500)
                : NotificationOutcome(.success, httpStatus: 200)
        }
        let shop = try await TestStore.make("Production", sender: receiver)
        try await shop.store.notifications.configure(
            NotificationSettings(url: "https://user:password@example.com/hook?key=secret"), of: TestCatalog.bundleID)
        let watcher = try await shop.store.live.watch(LiveFilter(account: "ann"))
        try await shop.buy("monthly", as: "ann")
        try await shop.store.notifications.sendDue()
        shop.clock.advance(by: .hours(1))
        try await shop.store.notifications.sendDue()
        let events = try await LiveFeedTests.events(3, from: watcher)
        #expect(events.map(\.kind) == [.purchase, .failedNotification, .notification])
        let sent = events.compactMap { event -> LiveNotification? in
            guard case .notification(let sent) = event.content else { return nil }
            return sent
        }
        #expect(sent.map(\.attempt) == [1, 2])
        #expect(sent.map(\.httpStatus) == [500, 200])
        #expect(sent.map(\.type) == ["SUBSCRIBED", "SUBSCRIBED"])
        #expect(sent.allSatisfy { $0.url == "https://example.com/hook" && $0.account == "ann" })
        #expect(sent.first?.nextAttempt != nil && sent.first?.advice?.isEmpty == false)
    }

    @Test func `secrets are removed from texts`() {
        let secret = "0123456789abcdef0123456789abcdef"
        #expect(LiveRedaction.text("password \(secret) is wrong") == "password … is wrong")
        #expect(LiveRedaction.text("token eyJhbGciOi.eyJzdWIi.c2ln is old") == "token ….….c2ln is old")
        let uuid = "7e3fb204-8f9a-8b1d-9a43-6f0c1a2b3c4d"
        #expect(LiveRedaction.text("/history/\(uuid)\n") == "/history/\(uuid) ")
        #expect(LiveRedaction.text(String(repeating: "a ", count: 300) + secret).hasSuffix("…"))
        #expect(SendingAdvice.withoutSecrets("https://a:b@example.com:8/x?y=z#w") == "https://example.com:8/x")
    }

    @Test(arguments: ["", "now", "1-", "-1", "1-2,", "a-1", "1-2-3"])
    func `a text that is no position isn't one`(text: String) {
        #expect(LivePosition(text) == nil)
    }

    @Test func `a position is read as it is written`() {
        for position in [LivePosition(others: 7), LivePosition(positions: [1: 2, 3: 4])] {
            #expect(LivePosition(position.text) == position)
        }
    }
}
