import AppStoreFormats
import Foundation
import HTTPTypes
import Perennial
import PerennialHTTP
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// Test notifications and their history through the App Store Server API.
struct NotificationEndpointTests {
    /// Answers as it is told, and keeps nothing.
    private final class Receiver: NotificationSender {
        private let result: Mutex<SendAttemptResult>

        init(_ result: SendAttemptResult = .success) { self.result = Mutex(result) }

        func answers(_ new: SendAttemptResult) { result.withLock { $0 = new } }

        func post(_ body: [UInt8], to url: String, timeout: Int64) async -> NotificationOutcome {
            NotificationOutcome(result.withLock { $0 })
        }
    }

    /// A store with a manual clock whose magazine has notifications, and a seller who calls it.
    private struct World: Sendable {
        static let base = "/environments/staging/inApps/v1/notifications"

        let server: StoreServer
        let shop: TestStore
        let receiver: Receiver
        let token: String

        static func run(_ test: @escaping @Sendable (World) async throws -> Void) async throws {
            let receiver = Receiver()
            try await StoreServer.run(sender: receiver) { server in
                let shop = try await server.shop.environment("staging")
                try await shop.store.notifications.configure(
                    NotificationSettings(url: "https://example.com/hook", retries: .full), of: TestCatalog.bundleID)
                let key = try await TestServerAPIKey(of: server.shop)
                let token = try key.token(at: server.shop.clock.now)
                try await test(World(server: server, shop: shop, receiver: receiver, token: token))
            }
        }

        func post(_ path: String, _ body: JSONValue? = nil) async throws -> StoreServer.Reply {
            try await server.ask(.post, Self.base + path, body, bearer: token)
        }

        func history(_ more: [String: JSONValue] = [:], page: String? = nil) async throws -> StoreServer.Reply {
            let now = try await shop.store.now().milliseconds
            let span: [String: JSONValue] = [
                "startDate": .number(Double(now - .days(20))), "endDate": .number(Double(now + .days(1))),
            ]
            return try await post(
                "/history" + (page.map { "?paginationToken=\($0)" } ?? ""),
                .object(span.merging(more) { _, new in new }))
        }

        func payloads(_ reply: StoreServer.Reply) throws -> [NotificationPayload] {
            let verifier = try TestSigning.verifier
            return try #require(reply["notificationHistory"]?.elements).map { item in
                try verifier.verify(try #require(item["signedPayload"]?.text), as: NotificationPayload.self)
            }
        }
    }

    @Test func `a test is asked for, and its result is told once it is known`() async throws {
        try await World.run { world in
            let asked = try await world.post("/test")
            let token = try #require(asked["testNotificationToken"]?.text)
            let path = "\(World.base)/test/\(token)"
            let early = try await world.server.ask(.get, path, bearer: world.token)
            #expect((early.status, early["errorCode"]) == (404, 4_040_008))
            try await world.shop.store.notifications.sendDue()
            let known = try await world.server.ask(.get, path, bearer: world.token)
            #expect(known.status == 200)
            #expect(known["sendAttempts"]?.elements?.first?["sendAttemptResult"] == "SUCCESS")
            let now = try await world.shop.store.now()
            _ = try await world.shop.store.clock.advance(to: now + .days(180))
            #expect(try await world.server.ask(.get, path, bearer: world.token).status == 200)
            _ = try await world.shop.store.clock.advance(to: now + .days(180) + .seconds(1))
            let old = try await world.server.ask(.get, path, bearer: world.token)
            #expect((old.status, old["errorCode"]) == (404, 4_040_008))
            let malformed = try await world.server.ask(.get, "\(World.base)/test/none", bearer: world.token)
            #expect((malformed.status, malformed["errorCode"]) == (400, 4_000_020))
            let unknown = try await world.server.ask(
                .get, "\(World.base)/test/00000000-0000-4000-8000-000000000000_1", bearer: world.token)
            #expect((unknown.status, unknown["errorCode"]) == (404, 4_040_008))
        }
    }

    @Test func `without a URL there is nothing to test`() async throws {
        try await World.run { world in
            let reply = try await world.server.ask(
                .post, "/sandbox/inApps/v1/notifications/test", bearer: world.token)
            #expect((reply.status, reply["errorCode"]) == (404, 4_040_007))
        }
    }

    @Test func `a history comes in pages of twenty, oldest first`() async throws {
        try await World.run { world in
            for number in 0..<45 { try await world.shop.buy("film.roll", as: "customer \(number % 3)") }
            try await world.shop.store.notifications.sendDue()
            var all: [NotificationPayload] = []
            var sizes: [Int] = []
            var page: String?
            repeat {
                let reply = try await world.history(page: page)
                let payloads = try world.payloads(reply)
                all += payloads
                sizes.append(payloads.count)
                page = reply["paginationToken"]?.text
                #expect(reply["hasMore"] == .bool(page != nil))
            } while page != nil
            #expect(sizes == [20, 20, 5])
            #expect(Set(all.map(\.notificationUUID)).count == 45)
            let wrong = try await world.history(page: "none")
            #expect((wrong.status, wrong["errorCode"]) == (400, 4_000_014))
        }
    }

    @Test func `a history is filtered by type, by transaction and by what failed`() async throws {
        try await World.run { world in
            let sold = try await world.shop.buy("monthly", as: "ann")
            let film = try await world.shop.buy("film.roll", as: "ann")
            _ = try await world.shop.store.subscriptions.perform(.setAutoRenew(false), on: sold.id)
            world.receiver.answers(.tlsIssue)
            try await world.shop.refund(film)
            try await world.shop.store.notifications.sendDue()
            world.receiver.answers(.success)
            let roll = try await world.shop.buy("film.roll", as: "ben")
            try await world.shop.store.notifications.sendDue()
            func types(_ more: [String: JSONValue]) async throws -> [String] {
                try world.payloads(try await world.history(more)).map(\.notificationType.rawValue)
            }
            #expect(try await types(["notificationType": "ONE_TIME_CHARGE"]).count == 2)
            #expect(
                try await types([
                    "notificationType": "DID_CHANGE_RENEWAL_STATUS", "notificationSubtype": "AUTO_RENEW_DISABLED",
                ]).count == 1)
            #expect(
                try await types([
                    "notificationType": "DID_CHANGE_RENEWAL_STATUS", "notificationSubtype": "AUTO_RENEW_ENABLED",
                ]).isEmpty)
            // Any of a customer's transactions stands for the customer, not for its purchase.
            let ofAnn = ["SUBSCRIBED", "ONE_TIME_CHARGE", "DID_CHANGE_RENEWAL_STATUS", "REFUND"]
            for key in ["transactionId", "originalTransactionId"] {
                for id in [sold.id, film.id] {
                    #expect(try await types([key: .string("\(id)")]).sorted() == ofAnn.sorted())
                }
            }
            #expect(try await types(["transactionId": .string("\(roll.id)")]) == ["ONE_TIME_CHARGE"])
            let failed = try await world.history(["onlyFailures": true])
            #expect(try world.payloads(failed).count == 4)
            let attempts = failed["notificationHistory"]?.elements?.first?["sendAttempts"]?.elements
            #expect(attempts?.first?["sendAttemptResult"] == "TLS_ISSUE")
            // What a further attempt brings is no failure any more.
            _ = try await world.shop.store.clock.advance(to: try await world.shop.store.now() + .minutes(61))
            #expect(try world.payloads(try await world.history(["onlyFailures": true])).isEmpty)
        }
    }

    /// Get Notification History: the past 180 days in Production, the past 30 in Sandbox.
    @Test(arguments: [("Production", "", 180), ("Sandbox", "/sandbox", 30)] as [(String, String, Int64)])
    func `a history reaches back as far as its side of the store keeps it`(
        name: String, base: String, days: Int64
    ) async throws {
        try await World.run { world in
            let now = try await world.server.shop.environment(name).store.now()
            func ask(from start: Instant) async throws -> StoreServer.Reply {
                try await world.server.ask(
                    .post, "\(base)/inApps/v1/notifications/history",
                    [
                        "startDate": .number(Double(start.milliseconds)), "endDate": .number(Double(now.milliseconds)),
                    ], bearer: world.token)
            }
            #expect(try await ask(from: now + -.days(days)).status == 200)
            let early = try await ask(from: now + -.days(days) + -1)
            #expect((early.status, early["errorCode"]) == (400, 4_000_012))
        }
    }

    static let refusals: [([String: JSONValue], Int64)] = [
        (["startDate": "x"], 4_000_015), (["endDate": "x"], 4_000_016), (["endDate": true], 4_000_016),
        (["notificationType": 1], 4_000_018), (["transactionId": 1], 4_000_006), (["onlyFailures": 1], 4_000_000),
        (["startDate": 0], 4_000_012), (["startDate": .null], 4_000_015), (["endDate": .null], 4_000_016),
        (["endDate": 1], 4_000_013), (["notificationType": "NOTHING"], 4_000_018),
        (["notificationSubtype": "UPGRADE"], 4_000_018),
        (["notificationType": "SUBSCRIBED", "notificationSubtype": "UPGRADE"], 4_000_018),
        (["notificationType": "SUBSCRIBED", "transactionId": "1"], 4_000_019),
        (["transactionId": "x"], 4_000_006), (["transactionId": "1"], 4_040_010),
    ]

    @Test func `what makes no sense has its code`() async throws {
        try await World.run { world in
            for (body, code) in Self.refusals {
                let reply = try await world.history(body)
                #expect(reply["errorCode"]?.number == code, "\(body)")
                #expect(reply.status == Int(code / 10_000))
            }
            let nothing = try await world.post("/history")
            #expect(nothing["errorCode"]?.number == 4_000_000)
        }
    }
}
