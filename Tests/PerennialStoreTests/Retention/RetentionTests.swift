import AppStoreFormats
import BaseEncoding
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// Retention messages: uploads, defaults, and the choice for a customer who is about to cancel.
struct RetentionTests {
    private let app = TestCatalog.magazine()
    private static let plain = UUID(uuid: (1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1))
    private static let pictured = UUID(uuid: (2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2))
    private static let image = UUID(uuid: (3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3))
    private static let monthly = Product.ID(rawValue: "monthly")

    private static func message(_ more: String = "") throws -> UploadMessageRequest {
        try UploadMessageRequest(
            parsing: ServerAPIRequestBody(Array(#"{"header":"Stay","body":"A month is short"\#(more)}"#.utf8)))
    }

    private static func withImage() throws -> UploadMessageRequest {
        try message(#","image":{"imageIdentifier":"\#(image.uuidString)","altText":"A cat"}"#)
    }

    /// Creates a store with a message of each kind, and a subscriber.
    private func opened(
        _ name: String = "Sandbox", on engine: Engine = .sqliteInMemory
    ) async throws -> (TestStore, Transaction) {
        let shop = try await TestStore.make(on: engine, name)
        try await shop.store.retention.uploadImage(png(3840, 200), id: Self.image, size: .fullSize, for: app)
        try await shop.store.retention.uploadMessage(Self.message(), id: Self.plain, for: app)
        try await shop.store.retention.uploadMessage(Self.withImage(), id: Self.pictured, for: app)
        return (shop, try await shop.buy("monthly", as: "ann"))
    }

    @Test(arguments: Engine.allCases)
    func `image and message IDs are unique, and used images stay`(engine: Engine) async throws {
        let (shop, _) = try await opened(on: engine)
        let store = shop.store
        #expect(
            await number {
                try await store.retention.uploadImage(png(3840, 300), id: Self.image, size: .fullSize, for: app)
            }
                == 4_090_000)
        #expect(
            await number { try await store.retention.uploadMessage(Self.message(), id: Self.plain, for: app) }
                == 4_090_001)
        #expect(await number { try await store.retention.deleteImage(Self.image, of: app) } == 4_030_019)
        #expect(try await store.retention.images(of: app).map(\.imageState) == [.approved])
        #expect(
            try await store.retention.messages(of: app).map(\.messageIdentifier) == [
                Self.plain.name, Self.pictured.name,
            ])
        #expect(try await store.retention.messages(of: TestCatalog.camera) == [])
        try await store.retention.deleteMessage(Self.pictured, of: app)
        try await store.retention.deleteImage(Self.image, of: app)
        #expect(await number { try await store.retention.deleteMessage(Self.pictured, of: app) } == 4_040_015)
        #expect(await number { try await store.retention.deleteImage(Self.image, of: app) } == 4_040_014)
        try await store.reset()
        #expect(try await store.retention.messages(of: app) == [])
    }

    @Test func `a message's images must exist in the right size`() async throws {
        let shop = try await TestStore.make()
        let store = shop.store
        #expect(
            await number { try await store.retention.uploadMessage(Self.withImage(), id: Self.plain, for: app) }
                == 4_040_014)
        try await store.retention.uploadImage(png(1024, 1024), id: Self.image, size: .bulletPoint, for: app)
        #expect(
            await number { try await store.retention.uploadMessage(Self.withImage(), id: Self.plain, for: app) }
                == 4_000_216)
        #expect(
            await number {
                try await store.retention.uploadImage(png(10, 10), id: Self.plain, size: .fullSize, for: app)
            }
                == 4_000_161)
    }

    @Test func `Production shows approved messages only`() async throws {
        let (shop, subscribed) = try await opened("Production")
        let store = shop.store
        func set(_ message: UUID) async -> Int64? {
            await number {
                try await store.retention.setDefaultMessage(message, for: Self.monthly, locale: "en-US", of: app)
            }
        }
        #expect(try await store.retention.messages(of: app).map(\.messageState) == [.pending, .pending])
        #expect(await set(Self.pictured) == 4_030_017)
        try await store.retention.setState(.approved, ofMessage: Self.pictured, of: app)
        #expect(await set(Self.pictured) == 4_030_018)
        try await store.retention.setState(.approved, ofImage: Self.image, of: app)
        #expect(await set(Self.pictured) == nil)
        let shown = try await store.retention.offer(for: subscribed.id, locale: "en-US", asking: Endpoint([]))
        #expect((shown.source, shown.messageID, shown.failure) == (.default, Self.pictured, nil))
        try await store.retention.setState(.rejected, ofImage: Self.image, of: app)
        let hidden = try await store.retention.offer(for: subscribed.id, locale: "en-US", asking: Endpoint([]))
        #expect(hidden == RetentionOffer(source: .none))
        #expect(
            await number { try await store.retention.setState(.approved, ofImage: Self.plain, of: app) } == 4_040_014)
        #expect(
            await number { try await store.retention.setState(.approved, ofMessage: Self.image, of: app) } == 4_040_015)
    }

    static let defaults: [(product: String, locale: String, message: UUID, code: Int64?)] = [
        ("monthly", "en-US", plain, nil), ("monthly", "zh-Hans", plain, nil), ("monthly", "de", plain, nil),
        ("film.roll", "en-US", plain, 4_000_023), ("unknown", "en-US", plain, 4_000_023),
        ("monthly", "en_US", plain, 4_000_164), ("monthly", "English", plain, 4_000_164),
        ("monthly", "", plain, 4_000_164),
        ("monthly", "en-US", image, 4_040_015),
    ]

    @Test(arguments: defaults)
    func `a default message is for a subscription and a locale`(
        it: (product: String, locale: String, message: UUID, code: Int64?)
    ) async throws {
        let (shop, _) = try await opened()
        let product = Product.ID(rawValue: it.product)
        let store = shop.store
        #expect(
            await number {
                try await store.retention.setDefaultMessage(it.message, for: product, locale: it.locale, of: app)
            }
                == it.code)
        func kept() async -> Int64? {
            await number { _ = try await store.retention.defaultMessage(for: product, locale: it.locale, of: app) }
        }
        #expect(await kept() == (it.code == nil ? nil : 4_040_020))
        #expect(
            await number { try await store.retention.deleteDefaultMessage(for: product, locale: it.locale, of: app) }
                == (it.code == nil ? nil : 4_040_020))
        #expect(await kept() == 4_040_020)
    }

    @Test func `deleting a message removes its default`() async throws {
        let (shop, subscribed) = try await opened()
        try await shop.store.retention.setDefaultMessage(Self.plain, for: Self.monthly, locale: "en-US", of: app)
        try await shop.store.retention.deleteMessage(Self.plain, of: app)
        #expect(
            await number {
                _ = try await shop.store.retention.defaultMessage(for: Self.monthly, locale: "en-US", of: app)
            }
                == 4_040_020)
        let shown = try await shop.store.retention.offer(for: subscribed.id, locale: "en-US", asking: Endpoint([]))
        #expect(shown.source == .none)
    }

    static let answers: [(answer: RealtimeExchange.Outcome, source: RetentionOffer.Source, failure: String?)] = [
        (json(#"{"message":{"messageIdentifier":"\#(plain)"}}"#), .realtime, nil),
        (json(#"{"message":{"messageIdentifier":"\#(pictured)"}}"#), .realtime, nil),
        (json(#"{"alternateProduct":{"messageIdentifier":"\#(plain)","productId":"yearly"}}"#), .realtime, nil),
        // The same product, one of another group, a message with an image, an unknown message.
        (
            json(#"{"alternateProduct":{"messageIdentifier":"\#(plain)","productId":"monthly"}}"#), .default,
            "INVALID_RESPONSE"
        ),
        (
            json(#"{"alternateProduct":{"messageIdentifier":"\#(plain)","productId":"film.roll"}}"#), .default,
            "INVALID_RESPONSE"
        ),
        (
            json(#"{"alternateProduct":{"messageIdentifier":"\#(pictured)","productId":"yearly"}}"#), .default,
            "INVALID_RESPONSE"
        ),
        (json(#"{"message":{"messageIdentifier":"\#(image)"}}"#), .default, "INVALID_RESPONSE"),
        (
            json(#"{"promotionalOffer":{"messageIdentifier":"\#(plain)","promotionalOfferSignatureV2":"a.b.c"}}"#),
            .realtime, nil
        ),
        (
            json(#"{"promotionalOffer":{"messageIdentifier":"\#(plain)","promotionalOfferSignatureV2":"a"}}"#),
            .default, "INVALID_RESPONSE"
        ),
        (
            json(#"{"advancedCommerceInfo":{"messageIdentifier":"\#(plain)","advancedCommerceData":"e30="}}"#),
            .default, "INVALID_RESPONSE"
        ),
        (json("{}"), .default, "INVALID_RESPONSE"), (json(""), .default, "INVALID_RESPONSE"),
        (.answered(status: 500, body: []), .default, "UNSUCCESSFUL_HTTP_RESPONSE_CODE"),
        (
            .answered(status: 201, body: Array(#"{"message":{"messageIdentifier":"\#(plain)"}}"#.utf8)), .default,
            "UNSUCCESSFUL_HTTP_RESPONSE_CODE"
        ),
        (.failed("TIMED_OUT"), .default, "TIMED_OUT"),
    ]

    private static func json(_ text: String) -> RealtimeExchange.Outcome {
        .answered(status: 200, body: Array(text.utf8))
    }

    @Test(arguments: answers)
    func `the server's choice is shown, else the default message`(
        it: (answer: RealtimeExchange.Outcome, source: RetentionOffer.Source, failure: String?)
    ) async throws {
        let (shop, subscribed) = try await opened()
        try await shop.store.retention.setDefaultMessage(Self.plain, for: Self.monthly, locale: "en-US", of: app)
        try await shop.store.retention.setRealtimeURL(RealtimeURL(realtimeURL: "https://example.com/r"), of: app)
        let endpoint = Endpoint([it.answer])
        let offer = try await shop.store.retention.offer(for: subscribed.id, locale: "en-US", asking: endpoint)
        #expect((offer.source, offer.failure) == (it.source, it.failure))
        #expect(offer.message != nil)
        let asked = try #require(endpoint.asked.first)
        #expect((asked.url, asked.limit) == ("https://example.com/r", 10_000))
        let payload = try payload(asked.body)
        #expect(payload["originalTransactionId"] == .string(subscribed.id.description))
        #expect(payload["productId"] == "monthly")
        #expect(payload["userLocale"] == "en-US")
        #expect(payload["appAppleId"]?.number == app.appleID)
        #expect(payload["environment"] == "Sandbox")
        #expect(payload["signedDate"]?.number == shop.clock.now.milliseconds)
        #expect(payload["requestIdentifier"]?.text.flatMap(UUID.init(uuidString:)) != nil)
        #expect(payload.members?.count == 7)
    }

    @Test func `Production waits 700 ms and requires a passed test`() async throws {
        let sandbox = try await opened().0
        let production = try await sandbox.environment("Production")
        let subscribed = try await production.buy("monthly", as: "ann")
        let url = RealtimeURL(realtimeURL: "https://example.com/r")
        #expect(await number { try await production.store.retention.setRealtimeURL(url, of: app) } == 4_030_026)
        let tested = try await sandbox.buy("monthly", as: "ben")
        let good = Endpoint([Self.json(#"{"message":{"messageIdentifier":"\#(Self.plain)"}}"#)])
        #expect(
            await number { _ = try await sandbox.store.retention.runPerformanceTest(tested.id, of: app, asking: good) }
                == 4_040_021)
        try await sandbox.store.retention.setRealtimeURL(url, of: app)
        for (answers, passes) in [(Endpoint([.failed("TIMED_OUT")]), false), (good, true)] {
            let test = try await sandbox.store.retention.runPerformanceTest(tested.id, of: app, asking: answers)
            let result = try await sandbox.store.retention.performanceTest(test.requestId, of: app)
            #expect(result.result == (passes ? .pass : .fail))
            #expect(result.failures == (passes ? [:] : ["TIMED_OUT": 100]))
            #expect(result.target == url.realtimeURL)
            #expect(answers.asked.count == 100)
            #expect(answers.asked.allSatisfy { $0.limit == 700 })
            #expect(
                await number { try await production.store.retention.setRealtimeURL(url, of: app) }
                    == (passes ? nil : 4_030_026))
        }
        _ = try await production.store.retention.offer(for: subscribed.id, locale: "de", asking: good)
        #expect(good.asked.last?.limit == 700)
        #expect(try await production.store.retention.realtimeURL(of: app) == url)
        try await production.store.retention.deleteRealtimeURL(of: app)
        #expect(await number { _ = try await production.store.retention.realtimeURL(of: app) } == 4_040_021)
        #expect(await number { try await production.store.retention.deleteRealtimeURL(of: app) } == 4_040_021)
        #expect(
            await number {
                _ = try await production.store.retention.runPerformanceTest(subscribed.id, of: app, asking: good)
            }
                == 4_000_211)
    }

    @Test func `a performance test is about a subscription and found by its ID`() async throws {
        let (shop, subscribed) = try await opened()
        let consumable = try await shop.buy("film.roll", as: "ann")
        let good = Endpoint([Self.json("{}")])
        func run(_ id: TransactionID) async -> Int64? {
            await number { _ = try await shop.store.retention.runPerformanceTest(id, of: app, asking: good) }
        }
        #expect(await run(consumable.id) == 4_000_187)
        #expect(await run(TransactionID(rawValue: 1)) == 4_040_010)
        #expect(await run(subscribed.id) == 4_040_021)
        #expect(await number { _ = try await shop.store.retention.performanceTest("x", of: app) } == 4_000_212)
        #expect(
            await number { _ = try await shop.store.retention.performanceTest(Self.plain.name, of: app) } == 4_040_018)
    }

    @Test func `an app has at most 2000 images and 2000 messages`() async throws {
        let shop = try await TestStore.make()
        let key = AppKey(environment: shop.store.environment.id.rawValue, app: app.appleID)
        try await shop.database.write { connection in
            for number in 0..<Int(Retention.maximumImages) {
                let image = RetentionImagesTable.Record(id: "\(number)", size: "FULL_SIZE", state: "APPROVED")
                _ = try RetentionImagesTable.insert(
                    image, content: [], at: TestStore.opening, key, on: connection)
                let message = RetentionMessagesTable.Record(id: "\(number)", state: "APPROVED", document: "{}")
                _ = try RetentionMessagesTable.insert(
                    message, images: [], at: TestStore.opening, key, on: connection)
            }
        }
        #expect(Retention.maximumImages == 2000)
        #expect(Retention.maximumMessages == 2000)
        let store = shop.store
        func uploads(to app: App) async -> [Int64?] {
            [
                await number {
                    try await store.retention.uploadImage(png(3840, 200), id: Self.image, size: .fullSize, for: app)
                }, await number { try await store.retention.uploadMessage(Self.message(), id: Self.plain, for: app) },
            ]
        }
        #expect(await uploads(to: app) == [4_030_014, 4_030_016])
        #expect(await uploads(to: TestCatalog.camera) == [nil, nil])
    }

    @Test func `one performance test of an app runs at a time`() async throws {
        let (shop, subscribed) = try await opened()
        try await shop.store.retention.setRealtimeURL(RealtimeURL(realtimeURL: "https://example.com/r"), of: app)
        let good = Endpoint([Self.json(#"{"message":{"messageIdentifier":"\#(Self.plain)"}}"#)])
        let second = Mutex<Set<Int64?>>([])
        let nested = NestedEndpoint {
            let code = await number {
                _ = try await shop.store.retention.runPerformanceTest(subscribed.id, of: app, asking: good)
            }
            second.withLock { _ = $0.insert(code) }
        }
        _ = try await shop.store.retention.runPerformanceTest(subscribed.id, of: app, asking: nested)
        #expect(second.withLock { $0 } == [4_000_213])
        #expect(good.asked.isEmpty)
        _ = try await shop.store.retention.runPerformanceTest(subscribed.id, of: app, asking: good)
        #expect(good.asked.count == 100)
    }

    private func payload(_ body: [UInt8]) throws -> JSONValue {
        let jws = try #require(try JSONValue(body)["signedPayload"]?.text)
        return try JSONValue(try #require(Base64.decode(jws.split(separator: ".")[1], as: .url)))
    }

    private func png(_ width: UInt32, _ height: UInt32) -> [UInt8] {
        func big(_ number: UInt32) -> [UInt8] { (0..<4).map { UInt8(truncatingIfNeeded: number >> (24 - 8 * $0)) } }
        func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
            big(UInt32(data.count)) + Array(name.utf8) + data + [0, 0, 0, 0]
        }
        return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
            + chunk("IHDR", big(width) + big(height) + [8, 2, 0, 0, 0]) + chunk("IDAT", [1]) + chunk("IEND", [])
    }
}

/// Runs an operation before it answers.
private struct NestedEndpoint: RealtimeEndpoint {
    let body: @Sendable () async -> Void

    func post(_ bytes: [UInt8], to url: String, within milliseconds: Int64) async -> RealtimeExchange {
        await body()
        return RealtimeExchange(.failed("NO_RESPONSE"), milliseconds: 5)
    }
}

/// A seller's server with prepared answers. It repeats the last one.
private final class Endpoint: RealtimeEndpoint {
    struct Asked: Sendable {
        var body: [UInt8]
        var url: String
        var limit: Int64
    }

    private let state: Mutex<(answers: [RealtimeExchange.Outcome], asked: [Asked])>

    init(_ answers: [RealtimeExchange.Outcome]) { state = Mutex((answers, [])) }

    var asked: [Asked] { state.withLock { $0.asked } }

    func post(_ body: [UInt8], to url: String, within milliseconds: Int64) async -> RealtimeExchange {
        state.withLock { state in
            state.asked.append(Asked(body: body, url: url, limit: milliseconds))
            let answer = state.answers.count > 1 ? state.answers.removeFirst() : state.answers.first
            return RealtimeExchange(answer ?? .failed("NO_RESPONSE"), milliseconds: 5)
        }
    }
}
