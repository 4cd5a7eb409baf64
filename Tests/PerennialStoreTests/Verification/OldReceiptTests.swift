import AppStoreFormats
import Foundation
import Perennial
import PerennialStore
import TestSupport
import Testing

/// The answer to an old transaction receipt: `latest_receipt_info` is an object, and the status tells expiry.
struct OldReceiptTests {
    private static let dates = ["purchase_date", "original_purchase_date"]
        .flatMap { [$0, $0 + "_ms", $0 + "_pst"] }
    private static let always = Set(
        dates + [
            "quantity", "product_id", "transaction_id", "original_transaction_id", "item_id", "bid", "bvrs",
            "unique_identifier", "unique_vendor_identifier", "is_trial_period", "in_app_ownership_type",
        ])
    private static let subscription = always.union([
        "expires_date", "expires_date_formatted", "expires_date_formatted_pst", "web_order_line_item_id",
        "is_in_intro_offer_period", "subscription_group_identifier",
    ])

    private func expectStrings(_ value: JSONValue?, _ keys: Set<String>) {
        #expect(Set(value?.members?.keys.map(\.self) ?? []) == keys)
        #expect(value?.members?.values.allSatisfy { $0.type == "string" } == true)
    }

    @Test(arguments: ["film.roll", "filter.amber", "pass.1week"])
    func `an old receipt without a subscription is returned in strings`(product: String) async throws {
        let shop = try await TestStore.make()
        let sold = try await shop.buyAndFinish(product, as: "ann")
        let answer = try await shop.verify(shop.transactionReceipt(of: sold, as: "ann"))
        #expect(Set(answer.members?.keys.map(\.self) ?? []) == ["status", "receipt"])
        #expect(answer["status"] == 0)
        expectStrings(answer["receipt"], Self.always)
        #expect(answer["receipt"]?["transaction_id"] == .string(sold.id.description))
        #expect(answer["receipt"]?["bid"] == "com.example.magazine")
        #expect(answer["receipt"]?["unique_vendor_identifier"] == .string(TestDevice.phone.id))
        if product == "film.roll" { #expect(answer["receipt"]?["item_id"] == "101") }
        try await shop.advance(by: .days(400))
        #expect(try await shop.verify(shop.transactionReceipt(of: sold, as: "ann"))["status"] == 0)
    }

    @Test func `a refunded one-time purchase keeps status 0`() async throws {
        let shop = try await TestStore.make()
        let sold = try await shop.buy("filter.amber", as: "ann")
        let receipt = try await shop.transactionReceipt(of: sold, as: "ann")
        try await shop.refund(sold)
        let answer = try await shop.verify(receipt)
        #expect(answer["status"] == 0)
        expectStrings(
            answer["receipt"],
            Self.always.union(["cancellation_date", "cancellation_date_ms", "cancellation_date_pst"]))
        let film = try await shop.buy("film.roll", as: "ann")
        try await shop.refund(film)
        #expect(
            try await shop.verify(shop.transactionReceipt(of: film, as: "ann"))["receipt"]?["cancellation_date"] == nil)
    }

    @Test(arguments: Engine.allCases)
    func `an active subscription is 0 with its newest period as an object`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let sold = try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.transactionReceipt(of: sold, as: "ann")
        let answer = try await shop.verify(receipt, password: TestCatalog.sharedSecret)
        #expect(
            Set(answer.members?.keys.map(\.self) ?? []) == [
                "status", "receipt", "latest_receipt_info", "latest_receipt", "auto_renew_status",
                "auto_renew_product_id",
            ])
        #expect(answer["status"] == 0)
        expectStrings(answer["receipt"], Self.subscription)
        expectStrings(answer["latest_receipt_info"], Self.subscription)
        #expect(answer["latest_receipt_info"]?["expires_date"] == .string("\(sold.expiresDate?.milliseconds ?? 0)"))
        #expect(answer["auto_renew_status"] == 1)
        #expect(answer["auto_renew_product_id"] == "monthly")
        // The newest receipt can be sent in again.
        let newest = try #require(answer["latest_receipt"]?.text.flatMap { Data(base64Encoded: $0) })
        #expect(try await shop.verify(Array(newest), password: TestCatalog.sharedSecret)["status"] == 0)
    }

    @Test(arguments: Engine.allCases)
    func `an expired subscription is 21006 until it is bought again`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let first = try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.transactionReceipt(of: first, as: "ann")
        try await shop.account("ann", payment: .declined)
        try await shop.advance(by: .days(400))
        let expired = try await shop.verify(receipt, password: TestCatalog.sharedSecret)
        #expect(expired["status"] == 21006)
        #expect(expired["latest_receipt_info"] == nil)
        #expect(expired["latest_receipt"] == nil)
        expectStrings(expired["receipt"], Self.subscription)
        expectStrings(expired["latest_expired_receipt_info"], Self.subscription)
        #expect(expired["auto_renew_status"]?.type == "number")
        #expect(expired["expiration_intent"]?.type == "string")

        try await shop.account("ann", payment: .valid)
        let second = try await shop.buy("monthly", as: "ann")
        let answer = try await shop.verify(receipt, password: TestCatalog.sharedSecret)
        #expect(answer["status"] == 0)
        #expect(answer["receipt"]?["transaction_id"] == .string(first.id.description))
        #expect(answer["latest_receipt_info"]?["transaction_id"] == .string(second.id.description))
    }

    @Test func `an ended subscription is 21006 despite a period charged early`() async throws {
        let shop = try await TestStore.make()
        let first = try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.transactionReceipt(of: first, as: "ann")
        _ = try await shop.store.subscriptions.perform(.renew, on: first.id)
        #expect(try await shop.verify(receipt, password: TestCatalog.sharedSecret)["status"] == 0)
        _ = try await shop.store.subscriptions.perform(.expire, on: first.id)
        #expect(try await shop.verify(receipt, password: TestCatalog.sharedSecret)["status"] == 21006)
    }

    @Test func `a refunded subscription is 21006 with the date and the reason`() async throws {
        let shop = try await TestStore.make()
        let sold = try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.transactionReceipt(of: sold, as: "ann")
        try await shop.refund(sold, reason: .issueWithApp)
        let answer = try await shop.verify(receipt, password: TestCatalog.sharedSecret)
        #expect(answer["status"] == 21006)
        #expect(answer["cancellation_reason"] == "1")
        #expect(answer["latest_expired_receipt_info"]?["cancellation_date_ms"]?.type == "string")
    }

    @Test func `a free subscription is 21006 after the last uninstall`() async throws {
        let shop = try await TestStore.make()
        let phone = try await shop.signIn("ann").customer
        let sold = try await shop.buy("newsletter", as: "ann")
        let receipt = try await shop.transactionReceipt(of: sold, as: "ann")
        shop.clock.advance(by: .days(4000))
        #expect(try await shop.verify(receipt, password: TestCatalog.sharedSecret)["status"] == 0)
        try await shop.store.accounts.uninstall(phone)
        #expect(try await shop.verify(receipt, password: TestCatalog.sharedSecret)["status"] == 21006)
    }

    @Test func `Production's old receipts name the app's ID`() async throws {
        let shop = try await TestStore.make(on: .sqliteInMemory, "Production")
        let sold = try await shop.buy("filter.amber", as: "ann")
        let answer = try await shop.verify(shop.transactionReceipt(of: sold, as: "ann"))
        #expect(answer["receipt"]?["app_item_id"] == "1234567")
    }

    /// Identifiers of transaction receipts (docs/reference/apple-behaviour.md, "Transaction receipts").
    @Test func `old receipts name the device, Production's the version too`() async throws {
        let shop = try await TestStore.make(on: .sqliteInMemory, "Production")
        let sold = try await shop.buy("monthly", as: "ann")
        let answer = try await shop.verify(
            shop.transactionReceipt(of: sold, as: "ann"), password: TestCatalog.sharedSecret)
        for key in ["receipt", "latest_receipt_info"] {
            let version = try #require(answer[key]?["version_external_identifier"]?.text)
            #expect(version.count == 9 && Int64(version) != nil)
            let device = try #require(answer[key]?["unique_identifier"]?.text)
            #expect(device.count == 40 && device.allSatisfy(\.isHexDigit))
            #expect(device != answer[key]?["unique_vendor_identifier"]?.text)
        }
        #expect(
            answer["receipt"]?["version_external_identifier"]
                == answer["latest_receipt_info"]?["version_external_identifier"])
        // The app receipt has the same ID, as a number.
        let whole = try await shop.verify(shop.receipt(of: "ann"), password: TestCatalog.sharedSecret)
        #expect(
            whole["receipt"]?["version_external_identifier"]?.number
                == answer["receipt"]?["version_external_identifier"]?.text.flatMap { Int64($0) })
    }
}
