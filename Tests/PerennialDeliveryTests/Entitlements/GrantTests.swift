import Foundation
import Perennial
import PerennialDelivery
import PerennialStorage
import TestSupport
import Testing

struct GrantTests {
    static let engines: [Engine] = [.sqliteInMemory, .postgres]

    @Test(arguments: engines)
    func `a receipt opens its content for an hour`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        fixture.now.value = Instant(seconds: 1_772_323_200)  // 2026-03-01
        fixture.store.tell(
            "r",
            [
                bought("filter", 1), bought("monthly", 2, expires: "2026-02-01"),
                bought("single.2", 3, cancelled: "2026-02-01"),
            ])
        let grant = try await fixture.grant("r")
        #expect(grant.environment == .sandbox)
        #expect(grant.contents.map(\.content.id.rawValue) == ["issue-1", "filter"])
        #expect(grant.contents.map(\.entitlement.transactionID.rawValue) == [2, 1])
        #expect(grant.contents[1].metadata.size == 17)
        #expect(grant.refused.map(\.code) == [.revoked])
        #expect(grant.expires == fixture.now.value + .hours(1))
        #expect(fixture.store.passwords.value == ["secret"])

        let filter = Content.ID(rawValue: "filter")
        let authorized = try await fixture.delivery.authorize(filter, grant: grant.token)
        #expect(authorized.entitlement.transactionID.rawValue == 1)
        fixture.now.value = grant.expires + -1
        _ = try await fixture.delivery.authorize(filter, grant: grant.token)
        fixture.now.value = grant.expires
        await #expect(throws: DeliveryError(.unauthorized, "", "")) {
            try await fixture.delivery.authorize(filter, grant: grant.token)
        }
    }

    @Test func `a grant opens only its content, with its token`() async throws {
        let fixture = try DeliveryFixture()
        fixture.store.tell("r", [bought("filter", 1)])
        let token = try await fixture.grant("r").token
        let customer = try await fixture.customer("ann")
        func code(_ id: String, _ token: String?) async -> DeliveryError.Code? {
            do {
                _ = try await fixture.delivery.authorize(Content.ID(rawValue: id), grant: token)
                return nil
            } catch {
                return (error as? DeliveryError)?.code
            }
        }
        #expect(await code("filter", token) == nil)
        #expect(await code("issue-1", token) == .notGranted)
        #expect(await code("none", token) == .contentNotFound)
        for wrong in [nil, "", "x", token + "x", String(token.dropFirst()), customer] {
            #expect(await code("filter", wrong) == .unauthorized)
        }
        // The same secret with another scope is another token.
        let otherScope = Data("Production/com.example.magazine".utf8).base64EncodedString().replacing("=", with: "")
        #expect(await code("filter", "\(token.prefix { $0 != "." }).\(otherScope)") == .unauthorized)
    }

    @Test func `receipts of other apps and refused receipts grant nothing`() async throws {
        let fixture = try DeliveryFixture()
        let other = App.BundleID(rawValue: "com.example.other")
        fixture.store.tell("other", [bought("filter", 1)], bundleID: other)
        await #expect(throws: DeliveryError(.receiptForAnotherApp, "", "")) { try await fixture.grant("other") }
        await #expect(throws: DeliveryError(.receiptInvalid, "", "")) { try await fixture.grant("false") }
        await #expect(throws: DeliveryError(.malformedRequest, "", "")) { try await fixture.grant("") }
        await #expect(throws: DeliveryError(.appNotFound, "", "")) {
            try await fixture.delivery.grant(receipt: "other", bundleID: other)
        }
        await #expect(throws: DeliveryError(.unauthorized, "", "")) { try await fixture.grant("other", "token") }
    }

    @Test func `the product list keeps the seller's order and changes its tag with a file`() async throws {
        let fixture = try DeliveryFixture()
        let list = try await fixture.delivery.productList(of: DeliveryFixture.magazine)
        let text = String(decoding: list.json, as: UTF8.self)
        #expect(
            text.hasPrefix(
                #"{"products":[{"contentSize":18,"contentVersion":"1.2","productId":"single.2","type":"nonConsumable"}"#
            ))
        #expect(text.contains(#"{"productId":"monthly","type":"autoRenewable"}"#))
        #expect(try await fixture.delivery.productList(of: DeliveryFixture.magazine) == list)
        try Data("longer than before it was changed".utf8).write(to: URL(filePath: "\(fixture.folder)/issue-1"))
        #expect(try await fixture.delivery.productList(of: DeliveryFixture.magazine).entityTag != list.entityTag)
    }

    @Test(arguments: engines)
    func `a delivery is recorded from its start`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        fixture.store.tell("r", [bought("filter", 1)])
        let token = try await fixture.grant("r").token
        let authorized = try await fixture.delivery.authorize(Content.ID(rawValue: "filter"), grant: token)
        let began = try await fixture.delivery.beginDelivery(of: authorized, bytes: 5..<17)
        func records() async throws -> [DeliveriesTable.Record] {
            try await fixture.delivery.deliveries(DeliveryFixture.sandbox, from: Instant(seconds: 0))
        }
        var record = try #require(try await records().first)
        #expect(record.contentID.rawValue == "filter")
        #expect(record.transactionID.rawValue == 1)
        #expect((record.firstByte, record.byteCount, record.bytesSent) == (5, 12, 0))
        #expect(!record.isComplete && record.ended == nil)
        try await fixture.delivery.endDelivery(began, bytesSent: 12, isComplete: true)
        record = try #require(try await records().first)
        #expect(record.bytesSent == 12 && record.isComplete && record.ended == fixture.now.value)
        #expect(try await records().count == 1)
    }

    @Test(arguments: engines)
    func `deliveries older than 90 days are deleted, a batch at a time`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        fixture.store.tell("r", [bought("filter", 1)])
        func deliver(_ times: Int) async throws {
            let token = try await fixture.grant("r").token
            let authorized = try await fixture.delivery.authorize(Content.ID(rawValue: "filter"), grant: token)
            for _ in 0..<times { _ = try await fixture.delivery.beginDelivery(of: authorized, bytes: 0..<1) }
        }
        func count() async throws -> Int {
            try await fixture.delivery.deliveries(DeliveryFixture.sandbox, from: Instant(seconds: 0), limit: 10_000)
                .count
        }
        try await deliver(1_005)
        fixture.now.value = fixture.now.value + .days(90)
        try await deliver(1)
        #expect(try await count() == 1_006)
        fixture.now.value = fixture.now.value + .hours(2)
        try await deliver(1)
        #expect(try await count() == 7)
        try await deliver(1)
        #expect(try await count() == 3)
    }

    @Test(arguments: engines)
    func `deliveries beyond the maximum are deleted, oldest first`(engine: Engine) async throws {
        let fixture = try DeliveryFixture(engine)
        fixture.store.tell("r", [bought("filter", 1)])
        let token = try await fixture.grant("r").token
        let authorized = try await fixture.delivery.authorize(Content.ID(rawValue: "filter"), grant: token)
        for _ in 0..<5 {
            fixture.now.value = fixture.now.value + 1
            _ = try await fixture.delivery.beginDelivery(of: authorized, bytes: 0..<1)
        }
        let newest = fixture.now.value
        let deleted = try await fixture.database.write { connection in
            try DeliveriesTable.prune(
                before: Instant(seconds: 0), keeping: 3, limit: 10, DeliveryFixture.sandbox, on: connection)
        }
        #expect(deleted == 2)
        let left = try await fixture.delivery.deliveries(DeliveryFixture.sandbox, from: Instant(seconds: 0))
        #expect(left.map(\.began) == [newest + -2, newest + -1, newest])
    }
}
