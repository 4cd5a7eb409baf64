import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

/// Answers of receivers, kept with each attempt.
struct ReceiverResponseTests {
    private static let full = NotificationRecord.Response(
        statusLine: "HTTP/1.1 503 Service Unavailable", body: "the queue is full", isTruncated: false)
    private static let failing = NotificationOutcome(.unsuccessfulHTTPResponseCode, httpStatus: 503, response: full)

    @Test(arguments: Engine.allCases)
    func `each attempt keeps the receiver's response`(engine: Engine) async throws {
        let done = NotificationRecord.Response(statusLine: "HTTP/1.1 200 OK", body: "done", isTruncated: false)
        let fixture = try await NotifyingShop.make(
            on: engine,
            receiver: RecordingReceiver { _, number in
                switch number {
                case 1: Self.failing
                case 2: NotificationOutcome(.timedOut)
                default: NotificationOutcome(.success, httpStatus: 200, response: done)
                }
            })
        try await fixture.shop.buy("film.roll", as: "ann")
        try await fixture.advance(to: NotifyingShop.start + .days(30))
        let notifications = fixture.store.notifications
        let listed = try #require(try await notifications.list(of: TestCatalog.bundleID, limit: 1).items.first)
        #expect(listed.attempts.map(\.response) == [nil, nil, nil])
        let found = try await notifications.notification(listed.uuid, of: TestCatalog.bundleID).record
        #expect(found.attempts.map(\.response) == [Self.full, nil, done])
        let snapshots = try await notifications.snapshots(of: [listed], in: TestCatalog.bundleID)
        #expect(snapshots.map(\.record) == [found] && snapshots.first?.signedPayload != nil)
    }

    @Test(arguments: Engine.allCases)
    func `a notification sent again keeps its earlier responses`(engine: Engine) async throws {
        let fixture = try await NotifyingShop.make(
            on: engine, receiver: RecordingReceiver { _, _ in Self.failing })
        try await fixture.shop.buy("film.roll", as: "ann")
        try await fixture.deliver()
        let notifications = fixture.store.notifications
        let uuid = try #require(try await notifications.newest(of: TestCatalog.bundleID, limit: 1).first?.uuid)
        try await notifications.resend(uuid, of: TestCatalog.bundleID)
        try await fixture.deliver()
        let found = try await notifications.notification(uuid, of: TestCatalog.bundleID).record
        #expect(found.attempts.map(\.response) == [Self.full, Self.full])
        try await fixture.store.reset()
        #expect(try await fixture.shop.count("notification_responses") == 0)
    }

    @Test func `a response of earlier contents of the environment belongs to no attempt`() async throws {
        let fixture = try await NotifyingShop.make()
        try await fixture.shop.buy("film.roll", as: "ann")
        try await fixture.deliver()
        let app = TestCatalog.magazine().appleID
        let notifications = fixture.store.notifications
        let listed = try #require(try await notifications.newest(of: TestCatalog.bundleID, limit: 1).first)
        let environment = fixture.store.environment.id
        try await fixture.shop.database.write { connection in
            var earlier = listed
            earlier.attempts[0].at = listed.attempts[0].at + -1
            earlier.attempts[0].response = Self.full
            try NotificationResponsesTable.insert(newestOf: [earlier], app: app, environment, on: connection)
        }
        let found = try await notifications.notification(listed.uuid, of: TestCatalog.bundleID).record
        #expect(found.attempts.map(\.response) == [nil])
    }

    @Test(
        arguments: [
            ("a\u{0}b\u{1B}[31mc", "a\u{FFFD}b\u{FFFD}[31mc"), ("one\r\ntwo\tthree", "one\ntwo\tthree"),
            ("\u{202E}evil", "\u{FFFD}evil"), ("é 中 🙂", "é 中 🙂"),
        ])
    func `a response has no characters that a terminal or a page obeys`(sent: String, shown: String) throws {
        var response = ReceiverResponse(statusLine: "HTTP/1.1 200 OK")
        response.append(Array(sent.utf8))
        #expect(response.kept(.success)?.body == shown)
    }

    @Test func `a failed delivery is one line of the log, with what to do`() async throws {
        let log = LineLog()
        let shop = try await TestStore.make(
            sender: RecordingReceiver { _, number in
                number == 1 ? Self.failing : NotificationOutcome(.success, httpStatus: 200)
            }, logger: log.logger)
        try await shop.store.notifications.configure(
            NotificationSettings(url: "https://example.com/hook"), of: TestCatalog.bundleID)
        for _ in 1...2 {
            try await shop.buyAndFinish("film.roll", as: "ann")
            try await shop.store.notifications.sendDue()
        }
        let lines = log.lines.filter { $0.contains("wasn't delivered") }
        #expect(lines.count == 1)
        for part in ["info: notification ", "UNSUCCESSFUL_HTTP_RESPONSE_CODE 503", "look at its log"] {
            #expect(lines.first?.contains(part) == true, "\(part)")
        }
    }

    @Test func `a success without a body isn't kept`() {
        let response = ReceiverResponse(statusLine: "HTTP/1.1 204 No Content")
        #expect(response.kept(.success) == nil)
        #expect(response.kept(.timedOut)?.body == "")
    }
}
