import AppStoreFormats
import BaseEncoding
import Foundation
import Perennial
import PerennialStore
import TestSupport
import Testing

/// Known pitfalls of App Store clients (docs/reference/compatibility.md, pitfalls): this store avoids them.
struct PitfallTests {
    @Test func `the newest purchase comes first`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("filter.amber", as: "ann")
        try await shop.advance(by: .minutes(1))
        try await shop.buy("monthly", as: "ann")
        try await shop.advance(by: .minutes(12))
        try await shop.buy("pass.1week", as: "ann")
        let answer = try await shop.verify(shop.receipt(of: "ann"), password: TestCatalog.sharedSecret)
        let dates = try #require(answer["latest_receipt_info"]?.elements).compactMap {
            $0["purchase_date_ms"]?.text.flatMap { Int64($0) }
        }
        #expect(dates.count >= 4)
        #expect(dates == dates.sorted(by: >))
    }

    @Test(arguments: ["Sandbox", "Production"])
    func `IDs of one environment have one length`(name: String) async throws {
        let shop = try await TestStore.make(name)
        var numbers: [String] = []
        for product in ["film.roll", "filter.amber", "monthly", "pass.1week"] {
            numbers.append("\(try await shop.buy(product, as: "ann").id)")
        }
        #expect(Set(numbers.map(\.count)).count == 1)
        #expect(numbers == numbers.sorted())
    }

    @Test func `a receipt's purchases are in latest_receipt_info`() async throws {
        let shop = try await TestStore.make()
        for product in ["filter.amber", "monthly", "pass.1week"] { try await shop.buy(product, as: "ann") }
        let answer = try await shop.verify(shop.receipt(of: "ann"), password: TestCatalog.sharedSecret)
        func numbers(_ list: JSONValue?) -> Set<String> {
            Set((list?.elements ?? []).compactMap { $0["transaction_id"]?.text })
        }
        let held = numbers(answer["receipt"]?["in_app"])
        #expect(held.count == 3)
        #expect(held.isSubset(of: numbers(answer["latest_receipt_info"])))
    }

    @Test(arguments: [ReceiptDigest.sha256, .sha1])
    func `receipts are signed with SHA-256, or SHA-1 for old validators`(digest: ReceiptDigest) async throws {
        let shop = try await TestStore.make(signing: Signing(TestSigning.identities, digest: digest))
        try await shop.buy("filter.amber", as: "ann")
        let answer = try await shop.verify(shop.receipt(of: "ann"))
        #expect(answer["status"] == 0)
    }

    @Test func `an app without purchases has a receipt without purchases`() async throws {
        let shop = try await TestStore.make()
        let answer = try await shop.verify(shop.receipt(of: "ann"))
        #expect((answer["status"], answer["receipt"]?["in_app"]) == (0, []))
        #expect(answer["latest_receipt_info"] == nil)
    }

    @Test(arguments: ["Sandbox", "Production"])
    func `signed data names the environment and the bundle it is for`(name: String) async throws {
        let shop = try await TestStore.make(name)
        let bought = try await shop.buy("monthly", as: "ann")
        let transaction = try payload(
            await shop.store.receipts.signedTransaction(bought, bundleID: TestCatalog.bundleID))
        #expect(transaction["environment"] == .string(name))
        #expect(transaction["bundleId"] == "com.example.magazine")
        let renewal = try payload(
            await shop.store.receipts.signedRenewalInfo(
                try await shop.store.subscriptions.snapshot(of: bought.id).subscription))
        #expect(renewal["environment"] == .string(name))
        // No member is null: Node's library refuses that.
        for member in [transaction, renewal].flatMap({ $0.members ?? [:] }) {
            #expect(member.value != .null, "\(member.key)")
        }
    }

    @Test func `signed data of one kind can be told from another`() async throws {
        let shop = try await TestStore.make()
        let bought = try await shop.buy("monthly", as: "ann")
        let transaction = try payload(
            await shop.store.receipts.signedTransaction(bought, bundleID: TestCatalog.bundleID))
        let renewal = try payload(
            await shop.store.receipts.signedRenewalInfo(
                try await shop.store.subscriptions.snapshot(of: bought.id).subscription))
        #expect((transaction["notificationType"], renewal["notificationType"]) == (nil, nil))
        #expect((transaction["transactionId"] != nil, renewal["transactionId"]) == (true, nil))
        #expect((renewal["autoRenewStatus"] != nil, transaction["autoRenewStatus"]) == (true, nil))
    }

    private func payload(_ jws: String) throws -> JSONValue {
        let parts = jws.split(separator: ".")
        let payload = try #require(parts.dropFirst().first)
        return try JSONValue(try #require(Base64.decode(payload, as: .url)))
    }
}
