import AppStoreFormats
import AsyncHTTPClient
import Foundation
import NIOHTTP1
import Perennial
import PerennialDelivery
import PerennialHTTP
import PerennialStore
import Synchronization
import TestSupport
import Testing

/// Store and Delivery side by side: what the store's server notifications mean for access, over HTTP.
struct RefundedReceiptTests {
    private struct World: Sendable {
        let shop: TestStore
        let server: DeliveryServer

        /// Contents that a receipt opens, and what is said of those that are refused.
        func grant(_ receipt: [UInt8], device: String? = nil) async throws -> (contents: [String], refused: [String]) {
            let json = try JSONValue(try await ask(receipt, device: device).body)
            let contents = json["content"]?.elements?.compactMap { $0["contentId"]?.text } ?? []
            return (contents, json["refused"]?.elements?.compactMap { $0["code"]?.text } ?? [])
        }

        func ask(
            _ receipt: [UInt8], device: String? = nil, app: App.BundleID = TestCatalog.bundleID
        ) async throws -> Answer {
            let body = JSONValue.object([
                "bundleId": .string(app.rawValue), "receipt": .string(Data(receipt).base64EncodedString()),
                "deviceId": device.map { .string($0) } ?? .null,
            ])
            return try await server.ask("grants", .POST, json: String(decoding: try body.encoded, as: UTF8.self))
        }

        /// The notifications that are due arrive.
        func tell() async throws { try await shop.store.notifications.sendDue() }

        func tell(_ signedPayload: String) async throws -> Answer {
            try await server.ask("notifications", .POST, json: #"{"signedPayload":"\#(signedPayload)"}"#)
        }
    }

    /// The store in the same process.
    private struct Endpoint: VerifyReceiptEndpoint {
        let registry: StoreRegistry

        func post(_ body: [UInt8], to url: String) async throws -> VerifyReceiptAnswer {
            guard let store = try await registry.store(named: url) else { throw TestStore.Missing(what: url) }
            return VerifyReceiptAnswer(httpStatus: 200, body: await store.verification.verifyReceipt(body))
        }
    }

    private static func delivery(_ shop: TestStore, trust: NotificationTrust?) throws -> Delivery {
        let folder = try TemporaryFolder.make()
        try Data("amber".utf8).write(to: URL(filePath: "\(folder)/amber"))
        let filter = Product.ID(rawValue: "filter.amber")
        let catalog = DeliveryCatalog([
            .init(
                app: TestCatalog.magazine(),
                contents: [Content(id: Content.ID(rawValue: "amber"), unlockedBy: [filter], file: "amber")],
                sharedSecret: TestCatalog.sharedSecret),
            .init(app: TestCatalog.camera, contents: []),
        ])
        return Delivery(
            database: shop.database, catalog: { catalog }, library: try ContentLibrary(root: folder),
            verification: ReceiptVerification(
                target: VerificationTarget(production: "Production", sandbox: "Sandbox"),
                endpoint: Endpoint(registry: shop.registry),
                dependencies: RetryDependencies(sleep: { _ in }, elapsed: { .zero }, fraction: { 0 }),
                logger: TestStore.quiet),
            notificationTrust: trust, clock: { shop.clock.now }, randomBytes: SeededBytes(seed: 7).bytes,
            logger: TestStore.quiet)
    }

    private static func run(
        trust: NotificationTrust? = nil, _ test: @escaping @Sendable (World) async throws -> Void
    ) async throws {
        let client = HTTPClient(
            eventLoopGroupProvider: .singleton, configuration: NotificationClient.clientConfiguration)
        let outcome: Result<Void, any Error>
        do {
            let shop = try await TestStore.make(sender: NotificationClient(client: client))
            let own = try NotificationTrust(roots: [try TestSigning.identities.rootCertificate])
            _ = try await DeliveryServer.run(try delivery(shop, trust: trust ?? own)) { server in
                try await shop.store.notifications.redirect(
                    NotificationSettings(url: "\(server.base)/notifications"), of: TestCatalog.bundleID)
                try await test(World(shop: shop, server: server))
            }
            outcome = .success(())
        } catch {
            outcome = .failure(error)
        }
        try await client.shutdown()
        try outcome.get()
    }

    @Test func `a refund ends the access of an earlier receipt, and its reversal restores it`() async throws {
        try await Self.run { world in
            let sold = try await world.shop.buy("filter.amber", as: "ann")
            let old = try await world.shop.receipt(of: "ann")
            let before = try JSONValue(try await world.ask(old).body)["grant"]?.text
            #expect(try await world.grant(old).contents == ["amber"])
            for _ in 1...2 {
                try await world.shop.refund(sold)
                try await world.tell()
                #expect(try await world.grant(old) == ([], ["revoked"]))
                #expect(try await world.server.ask("content/amber", bearer: before).status == 403)
                world.shop.clock.advance(by: 10)
                // One that was made meanwhile says that it was refunded, and goes on to say so.
                let meanwhile = try await world.shop.receipt(of: "ann")
                _ = try await world.shop.store.refunds.reverse(sold.id)
                try await world.tell()
                #expect(try await world.grant(meanwhile).contents == ["amber"])
                #expect(try await world.grant(old).contents == ["amber"])
                #expect(try await world.server.ask("content/amber", bearer: before).status == 200)
                world.shop.clock.advance(by: 10)
            }
        }
    }

    @Test func `a reversal that no notification told of is believed from a newer receipt`() async throws {
        try await Self.run { world in
            let sold = try await world.shop.buy("filter.amber", as: "ann")
            let old = try await world.shop.receipt(of: "ann")
            for _ in 1...2 {
                world.shop.clock.advance(by: .seconds(10))
                try await world.shop.refund(sold)
                world.shop.clock.advance(by: .seconds(10))
                let meanwhile = try await world.shop.receipt(of: "ann")
                #expect(try await world.grant(meanwhile).contents == [])
                world.shop.clock.advance(by: .seconds(10))
                _ = try await world.shop.store.refunds.reverse(sold.id)
                // What was made before the refund proves nothing.
                #expect(try await world.grant(old).contents == [])
                world.shop.clock.advance(by: .seconds(10))
                let newer = try await world.shop.receipt(of: "ann")
                #expect(try await world.grant(newer).contents == ["amber"])
                // The receipt of the time between goes on to say that it was refunded.
                #expect(try await world.grant(meanwhile).contents == ["amber"])
                #expect(try await world.grant(old).contents == ["amber"])
            }
        }
    }

    @Test func `a refund takes the repeats of a purchase away, whichever receipt is shown`() async throws {
        try await Self.run { world in
            let sold = try await world.shop.buy("filter.amber", as: "ann")
            let first = try await world.shop.receipt(of: "ann")
            world.shop.clock.advance(by: .seconds(10))
            try await world.shop.buy("filter.amber", as: "ann")
            let again = try await world.shop.receipt(of: "ann")
            let before = try JSONValue(try await world.ask(again).body)["grant"]?.text
            #expect(try await world.server.ask("content/amber", bearer: before).status == 200)
            world.shop.clock.advance(by: .seconds(10))
            try await world.shop.refund(sold)
            try await world.tell()
            for receipt in [first, again, try await world.shop.receipt(of: "ann")] {
                #expect(try await world.grant(receipt) == ([], ["revoked"]))
            }
            #expect(try await world.server.ask("content/amber", bearer: before).status == 403)
        }
    }

    /// A notification as Apple's store may do it, which tells of one transaction.
    @Test func `news of the purchase alone takes its repeats away, but none that was made since`() async throws {
        try await Self.run { world in
            let sold = try await world.shop.buy("filter.amber", as: "ann")
            world.shop.clock.advance(by: .seconds(10))
            try await world.shop.buy("filter.amber", as: "ann")
            let again = try await world.shop.receipt(of: "ann")
            let before = try JSONValue(try await world.ask(again).body)["grant"]?.text
            _ = try await world.tell(try Self.signed(.refund, of: sold.id.rawValue, at: .seconds(20)))
            #expect(try await world.grant(again) == ([], ["revoked"]))
            #expect(try await world.server.ask("content/amber", bearer: before).status == 403)
            world.shop.clock.advance(by: .seconds(20))
            // The store repeats nothing that isn't owned: the refund was reversed.
            try await world.shop.buy("filter.amber", as: "ann")
            let newest = try await world.shop.receipt(of: "ann")
            let grant = try JSONValue(try await world.ask(newest).body)["grant"]?.text
            #expect(try await world.grant(newest).contents == ["amber"])
            #expect(try await world.server.ask("content/amber", bearer: grant).status == 200)
        }
    }

    // MARK: - Forged notifications

    private static let begin = TestStore.opening

    /// A notification as a store with these keys signs it.
    private static func signed(
        _ type: NotificationType, of transaction: Int64 = 1, at milliseconds: Int64 = 0,
        bundleID: String = "com.example.magazine", inner: String = "com.example.magazine",
        environment: AppStoreEnvironment = .sandbox, by identities: SigningIdentities? = nil
    ) throws -> String {
        let signer = JWSSigner(identities: try identities ?? TestSigning.identities)
        let now = (begin + milliseconds).date
        var info = TransactionPayload(
            transactionId: "\(transaction)", originalTransactionId: "\(transaction)", bundleId: inner,
            productId: "filter.amber", type: .nonConsumable, purchaseDate: begin.date, originalPurchaseDate: begin.date,
            signedDate: now, environment: environment)
        if type != .refundReversed { info.revocationDate = now }
        var payload = NotificationPayload(
            notificationType: type, notificationUUID: "00000000-0000-0000-0000-000000000001", signedDate: now)
        var data = NotificationPayload.Details(appAppleId: nil, bundleId: bundleID, environment: environment)
        data.signedTransactionInfo = try signer.sign(payload: info.encoded())
        payload.data = data
        return try signer.sign(payload: payload.encoded())
    }

    @Test func `what isn't signed by the store, or is about something else, changes nothing`() async throws {
        try await Self.run { world in
            let sold = try await world.shop.buy("filter.amber", as: "ann")
            let old = try await world.shop.receipt(of: "ann")
            let id = sold.id.rawValue
            let good = try Self.signed(.refund, of: id)
            let parts = good.split(separator: ".").map(String.init)
            let refusals: [(String, status: Int, code: String)] = [
                (try Self.signed(.refund, of: id, by: TestSigning.foreign), 403, "notificationInvalid"),
                ("\(parts[0]).\(parts[1]).\(String(parts[2].reversed()))", 403, "notificationInvalid"),
                (parts[1], 403, "notificationInvalid"), ("", 403, "notificationInvalid"),
                (try Self.signed(.refund, of: id, inner: "com.example.camera"), 403, "notificationInvalid"),
                (try Self.signed(.refund, of: id, environment: .init(rawValue: "Xcode")), 403, "notificationInvalid"),
                (try Self.signed(.refund, of: id, bundleID: "com.example.none"), 404, "appNotFound"),
            ]
            for (payload, status, code) in refusals {
                let answer = try await world.tell(payload)
                #expect(answer.status == status, "\(answer.text)")
                #expect(try JSONValue(answer.body)["error"]?["code"]?.text == code)
                #expect(try await world.grant(old).contents == ["amber"])
            }
            #expect(try await world.server.ask("notifications", .POST, json: "{}").status == 400)
            // Another side of the store, and what is no refund.
            for harmless in [
                try Self.signed(.refund, of: id, environment: .production), try Self.signed(.oneTimeCharge, of: id),
                try Self.signed(.test, of: id), try Self.signed(.refundDeclined, of: id),
            ] {
                #expect(try await world.tell(harmless).status == 200)
                #expect(try await world.grant(old).contents == ["amber"])
            }
            #expect(try await world.tell(good).text == #"{"noted":true}"#)
            #expect(try await world.grant(old).contents == [])
        }
    }

    @Test func `news may come twice and in any order`() async throws {
        try await Self.run { world in
            let sold = try await world.shop.buy("filter.amber", as: "ann")
            let old = try await world.shop.receipt(of: "ann")
            let id = sold.id.rawValue
            let (refund, reversal) = (
                try Self.signed(.refund, of: id, at: 1), try Self.signed(.refundReversed, of: id, at: 2)
            )
            let again = try Self.signed(.revoke, of: id, at: 3)
            for (news, contents) in [
                (refund, []), (refund, []), (reversal, ["amber"]), (refund, ["amber"]), (reversal, ["amber"]),
                (again, []), (reversal, []), (refund, []),
            ] {
                #expect(try await world.tell(news).status == 200)
                #expect(try await world.grant(old).contents == contents)
            }
        }
    }

    @Test func `a reversal that overtook its refund isn't undone by it`() async throws {
        try await Self.run { world in
            let sold = try await world.shop.buy("filter.amber", as: "ann")
            let old = try await world.shop.receipt(of: "ann")
            _ = try await world.tell(try Self.signed(.refundReversed, of: sold.id.rawValue, at: 2))
            _ = try await world.tell(try Self.signed(.refund, of: sold.id.rawValue, at: 1))
            #expect(try await world.grant(old).contents == ["amber"])
        }
    }

    @Test func `a store that began anew is asked for its root again, but not at each forgery`() async throws {
        let root = Counted()
        let news = try Self.signed(.test)
        let trust = NotificationTrust { try root.next() }
        try await Self.run(trust: trust) { (world: World) async throws -> Void in
            // It is away, and isn't asked again at once.
            #expect(try await world.tell(news).status == 503)
            #expect(try await world.tell(news).status == 503)
            #expect(root.asked == 1)
            world.shop.clock.advance(by: .seconds(1))
            #expect(try await world.tell(news).status == 403)
            #expect(try await world.tell(news).status == 403)
            #expect(root.asked == 2)
            world.shop.clock.advance(by: .minutes(1))
            #expect(try await world.tell(news).status == 200)
            #expect(try await world.tell(news).status == 200)
            #expect(root.asked == 3)
        }
    }

    /// A store that is away first, then has another root, then its own.
    private final class Counted: Sendable {
        private let count = Mutex(0)

        var asked: Int { count.withLock { $0 } }

        func next() throws -> [UInt8] {
            let number = count.withLock { count in
                count += 1
                return count
            }
            switch number {
            case 1: throw TestStore.Missing(what: "store")
            case 2: return try TestSigning.foreign.rootCertificate
            default: return try TestSigning.identities.rootCertificate
            }
        }
    }

    @Test func `without a root no notification is believed`() async throws {
        let answer = try await DeliveryServer.run { server in
            try await server.ask("notifications", .POST, json: #"{"signedPayload":"x"}"#)
        }.value
        #expect(answer.status == 503)
        #expect(try JSONValue(answer.body)["error"]?["code"] == "notificationsNotSetUp")
    }

    // MARK: - Devices

    @Test func `a receipt is for the device that it was made for`() async throws {
        try await Self.run { world in
            let sold = try await world.shop.buy("filter.amber", as: "ann")
            let receipt = try await world.shop.receipt(of: "ann", on: .phone)
            let old = try await world.shop.transactionReceipt(of: sold, as: "ann")
            for receipt in [receipt, old] {
                #expect(try await world.grant(receipt, device: TestDevice.phone.id.lowercased()).contents == ["amber"])
                #expect(try await world.grant(receipt).contents == ["amber"])
                let elsewhere = try await world.ask(receipt, device: TestDevice.tablet.id)
                #expect(elsewhere.status == 403)
                #expect(try JSONValue(elsewhere.body)["error"]?["code"] == "receiptForAnotherDevice")
            }
            let malformed = try await world.ask(receipt, device: "my phone")
            #expect(malformed.status == 400)
            #expect(try JSONValue(malformed.body)["error"]?["field"] == "deviceId")
        }
    }

    // MARK: - Shared secrets

    @Test func `another app's receipt is another app's, whatever its secret`() async throws {
        try await Self.run { world in
            _ = try await world.shop.buy("monthly", as: "ann")
            // The store refuses the secret before it shows the receipt's owner.
            let answer = try await world.ask(
                try await world.shop.receipt(of: "ann"), app: TestCatalog.otherBundleID)
            #expect(answer.status == 403)
            #expect(try JSONValue(answer.body)["error"]?["code"] == "receiptForAnotherApp")
        }
    }
}
