import AppStoreFormats
import Foundation
import Perennial
import PerennialConnect
import PerennialStore
import TestSupport
import Testing

/// The answer to an app receipt: its keys, their JSON types, and their values.
struct AnswerTests {
    /// Types by docs/reference/apple-behaviour.md, "Response to an app receipt". A name with a star stands for itself,
    /// `_ms` and `_pst`.
    static let receiptKeys: [String: String] = typed(
        numbers: ["adam_id", "app_item_id", "download_id", "version_external_identifier"],
        strings: [
            "receipt_type", "bundle_id", "application_version", "original_application_version",
            "receipt_creation_date*", "request_date*", "original_purchase_date*",
        ], others: ["in_app": "array"])
    static let purchaseKeys = [
        "quantity", "product_id", "transaction_id", "original_transaction_id", "purchase_date*",
        "original_purchase_date*", "is_trial_period",
    ]
    static let periodKeys = ["expires_date*", "web_order_line_item_id", "is_in_intro_offer_period"]

    private static func typed(
        numbers: [String] = [], strings: [String], others: [String: String] = [:]
    ) -> [String: String] {
        var types = others
        for name in numbers { types[name] = "number" }
        for name in strings {
            guard name.hasSuffix("*") else {
                types[name] = "string"
                continue
            }
            for suffix in ["", "_ms", "_pst"] { types[name.dropLast() + suffix] = "string" }
        }
        return types
    }

    private func types(_ value: JSONValue?) -> [String: String]? { value?.members?.mapValues(\.type) }

    @Test func `a receipt without auto-renewables is returned as it is`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("film.roll", quantity: 4, as: "ann")
        let answer = try await shop.verify(shop.receipt(of: "ann"), password: TestCatalog.sharedSecret)
        #expect(types(answer) == ["status": "number", "environment": "string", "receipt": "object"])
        #expect(answer["environment"] == "Sandbox")
        #expect(types(answer["receipt"]) == Self.receiptKeys)
        let purchase = try #require(answer["receipt"]?["in_app"]?.elements?.first)
        #expect(types(purchase) == Self.typed(strings: Self.purchaseKeys + ["in_app_ownership_type"]))
        #expect(purchase["quantity"] == "4")
        #expect(purchase["is_trial_period"] == "false")
        #expect(purchase["purchase_date"] == "2026-01-01 00:00:00 Etc/GMT")
        #expect(purchase["purchase_date_ms"] == "1767225600000")
        #expect(purchase["purchase_date_pst"] == "2025-12-31 16:00:00 America/Los_Angeles")
    }

    @Test func `every key of an answer with a subscription has its type`() async throws {
        let shop = try await TestStore.make()
        let token = UUID(uuid: (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16))
        try await shop.buy("film.roll", as: "ann")
        let filter = try await shop.buy("filter.amber", as: "ann")
        try await shop.buy("newsletter", as: "ann")
        let sold = try await shop.buy("monthly", as: "ann", username: token.uuidString)
        try await shop.refund(filter, reason: .issueWithApp)
        let answer = try await shop.verify(shop.receipt(of: "ann"), password: TestCatalog.sharedSecret)
        #expect(
            types(answer) == [
                "status": "number", "environment": "string", "receipt": "object", "latest_receipt": "string",
                "latest_receipt_info": "array", "pending_renewal_info": "array",
            ])
        let inApp = try purchases(answer["receipt"]?["in_app"])
        let latest = try purchases(answer["latest_receipt_info"])
        #expect(Set(inApp.keys) == ["film.roll", "filter.amber", "newsletter", "monthly"])
        #expect(Set(latest.keys) == Set(inApp.keys))

        let monthly = Self.purchaseKeys + Self.periodKeys
        let known = ["in_app_ownership_type"]
        #expect(types(inApp["monthly"]) == Self.typed(strings: monthly + known))
        #expect(
            types(latest["monthly"])
                == Self.typed(strings: monthly + known + ["subscription_group_identifier", "app_account_token"]))
        #expect(latest["monthly"]?["app_account_token"]?.text?.lowercased() == token.uuidString.lowercased())
        #expect(latest["monthly"]?["in_app_ownership_type"] == "PURCHASED")
        #expect(latest["monthly"]?["expires_date_ms"] == .string("\(sold.expiresDate?.milliseconds ?? 0)"))
        #expect(latest["monthly"]?["web_order_line_item_id"] == .string("\(sold.webOrderLineItemID ?? 0)"))
        let refunded = Self.purchaseKeys + ["cancellation_date*", "cancellation_reason"]
        #expect(types(inApp["filter.amber"]) == Self.typed(strings: refunded + known))
        #expect(types(latest["filter.amber"]) == Self.typed(strings: refunded + known))
        #expect(latest["filter.amber"]?["cancellation_reason"] == "1")
        // A free subscription renews and never expires.
        let free = Self.purchaseKeys + ["is_in_intro_offer_period"]
        #expect(types(latest["newsletter"]) == Self.typed(strings: free + known))

        let renewals = try #require(answer["pending_renewal_info"]?.elements)
        #expect(renewals.count == 2)
        let renewal = try #require(renewals.first { $0["product_id"] == "monthly" })
        #expect(
            renewal == [
                "product_id": "monthly", "auto_renew_product_id": "monthly", "auto_renew_status": "1",
                "original_transaction_id": .string(sold.id.description),
            ])
    }

    @Test func `request_date is the time of the request in milliseconds`() async throws {
        let shop = try await TestStore.make()
        let receipt = try await shop.receipt(of: "ann")
        shop.clock.advance(by: .days(200) + 7)
        let answer = try #require(try await shop.verify(receipt)["receipt"])
        #expect(answer["request_date_ms"] == .string("\(shop.clock.now.milliseconds)"))
        #expect(answer["request_date"] == "2026-07-20 00:00:00 Etc/GMT")
        // Daylight saving time, despite the key's name.
        #expect(answer["request_date_pst"] == "2026-07-19 17:00:00 America/Los_Angeles")
        #expect(answer["receipt_creation_date_ms"] == "1767225600000")
        #expect(answer["original_purchase_date_pst"] == "2013-08-01 00:00:00 America/Los_Angeles")
        #expect(answer["in_app"] == [])
    }

    @Test func `Production's answers name Production and the app's ID`() async throws {
        let shop = try await TestStore.make(on: .sqliteInMemory, "Production")
        let answer = try await shop.verify(shop.receipt(of: "ann"))
        #expect(answer["environment"] == "Production")
        #expect(answer["receipt"]?["receipt_type"] == "Production")
        #expect(answer["receipt"]?["adam_id"] == 1_234_567)
        #expect(answer["receipt"]?["app_item_id"] == 1_234_567)
    }

    @Test(arguments: Engine.allCases)
    func `an old receipt is returned with the newest state`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let phone = try await shop.signIn("ann").customer
        let first = try await shop.buyAndFinish("monthly", as: "ann")
        let old = try await shop.store.receipts.appReceipt(for: phone)
        shop.clock.advance(by: .seconds(30))
        let film = try await shop.buy("film.roll", as: "ann")
        let filter = try await shop.buyAndFinish("filter.amber", as: "ann")
        let answer = try await shop.verify(old, password: TestCatalog.sharedSecret)
        #expect(ids(answer["receipt"]?["in_app"]) == [first.id])
        // Newest first.
        #expect(ids(answer["latest_receipt_info"]) == [filter.id, film.id, first.id])
        let current = try await shop.store.receipts.appReceipt(for: phone)
        #expect(answer["latest_receipt"] == .string(Data(current).base64EncodedString()))
        try await shop.finish(film, as: "ann")
        let later = try await shop.verify(old, password: TestCatalog.sharedSecret)
        #expect(ids(later["latest_receipt_info"]) == [filter.id, first.id])
    }

    @Test func `latest_receipt is the device's newest receipt`() async throws {
        let shop = try await TestStore.make()
        let phone = try await shop.signIn("ann").customer
        let tablet = try await shop.signIn("ann", device: .tablet).customer
        try await shop.buy("monthly", as: "ann")
        for device in [phone, tablet] {
            let receipt = try await shop.store.receipts.appReceipt(for: device)
            let answer = try await shop.verify(receipt, password: TestCatalog.sharedSecret)
            #expect(answer["latest_receipt"] == .string(Data(receipt).base64EncodedString()))
        }
    }

    @Test(arguments: Engine.allCases)
    func `exclude-old-transactions keeps the newest period of each subscription`(engine: Engine) async throws {
        let shop = try await TestStore.make(on: engine)
        let filter = try await shop.buyAndFinish("filter.amber", as: "ann")
        let first = try await shop.buyAndFinish("monthly", as: "ann")
        try await shop.advance(by: .hours(2))
        let second = try await shop.buyAndFinish("monthly", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        let all = try await shop.verify(receipt, password: TestCatalog.sharedSecret, excludesOldTransactions: false)
        #expect(ids(all["latest_receipt_info"]).suffix(2) == [first.id, filter.id])
        #expect(ids(all["latest_receipt_info"]).first == second.id)
        #expect(ids(all["latest_receipt_info"]).count >= 3)
        let newest = try await shop.verify(receipt, password: TestCatalog.sharedSecret, excludesOldTransactions: true)
        #expect(ids(newest["latest_receipt_info"]) == [second.id, filter.id])
        // The receipt's own contents are returned unchanged.
        #expect(newest["receipt"]?["in_app"] == all["receipt"]?["in_app"])
        #expect(newest["pending_renewal_info"]?.elements?.count == 1)
    }

    @Test func `an expired subscription says that it won't renew`() async throws {
        let shop = try await TestStore.make()
        try await shop.buy("monthly", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        try await shop.account("ann", payment: .declined)
        try await shop.advance(by: .days(400))
        let answer = try await shop.verify(receipt, password: TestCatalog.sharedSecret)
        let renewal = try #require(answer["pending_renewal_info"]?.elements?.first)
        #expect(renewal["expiration_intent"]?.type == "string")
        #expect(renewal["auto_renew_status"]?.type == "string")
    }

    /// Source: docs/reference/apple-behaviour.md, "Pending renewal information".
    @Test(arguments: [0, 1, .days(2), .days(20)] as [Int64])
    func `cancelling during billing retry removes the pending renewal`(after: Int64) async throws {
        let house = try await TestStore.make()
        _ = try await house.registry.makeEnvironment(
            "lab", kind: .production, clock: .manual, now: TestStore.opening,
            billing: BillingSettings(gracePeriodDays: 16))
        let shop = try await house.environment("lab")
        let sold = try await shop.buy("monthly", as: "ann")
        try await shop.buy("family.monthly", as: "ann")
        let receipt = try await shop.receipt(of: "ann")
        func renewing() async throws -> [String?] {
            let answer = try await shop.verify(receipt, password: TestCatalog.sharedSecret)
            return try #require(answer["pending_renewal_info"]?.elements).map { $0["product_id"]?.text }
        }
        _ = try await shop.store.subscriptions.setPaymentMethod(.declined, of: sold.id)
        let end = try #require(sold.expiresDate)
        _ = try await shop.store.clock.advance(to: end + after)
        #expect(try await renewing() == ["monthly", "family.monthly"])
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: sold.id)
        #expect(try await renewing() == ["family.monthly"])
    }

    @Test func `cancelling in time keeps the pending renewal`() async throws {
        let shop = try await TestStore.make()
        let sold = try await shop.buy("monthly", as: "ann")
        _ = try await shop.store.subscriptions.perform(.setAutoRenew(false), on: sold.id)
        let receipt = try await shop.receipt(of: "ann")
        func intents() async throws -> [String?] {
            let answer = try await shop.verify(receipt, password: TestCatalog.sharedSecret)
            return try #require(answer["pending_renewal_info"]?.elements).map { $0["expiration_intent"]?.text }
        }
        try await shop.advance(by: .days(1))
        #expect(try await intents() == ["1"])
        try await shop.refund(sold)
        _ = try await shop.store.refunds.reverse(sold.id)
        #expect(try await intents() == ["1"])
    }

    /// Source: docs/reference/apple-behaviour.md, "Purchases in the response".
    @Test func `offer_code_ref_name is the offer's reference name, not its ID`() async throws {
        var app = TestCatalog.magazineWithOffers
        let index = try #require(app.products.firstIndex { $0.id.rawValue == "monthly" })
        app.products[index].subscription?.codeOffers[0].referenceName = "Radio, spring"
        let shop = try await TestStore.make(app: app)
        let monthly = Product.ID(rawValue: "monthly")
        for (word, offer) in [("RADIO", "radio"), ("NEW", "newcomers")] {
            let order = OfferCodeOrder(
                productID: monthly, offerID: offer, kind: .custom(word, maximumRedemptions: nil))
            _ = try await shop.store.offers.makeCodes(order, of: TestCatalog.bundleID)
        }
        for (customer, word, name) in [("ann", "RADIO", "Radio, spring"), ("ben", "NEW", "newcomers")] {
            let buyer = try await shop.customer(customer)
            _ = try await shop.store.purchases.redeem(word, idempotencyKey: nil, by: buyer)
            let answer = try await shop.verify(shop.receipt(of: customer), password: TestCatalog.sharedSecret)
            let latest = try #require(answer["latest_receipt_info"]?.elements?.first)
            #expect(latest["offer_code_ref_name"]?.text == name)
        }
        // Of the next renewal.
        try await shop.buy("monthly", as: "cid")
        _ = try await shop.store.purchases.redeem("RADIO", idempotencyKey: nil, by: try await shop.customer("cid"))
        let receipt = try await shop.receipt(of: "cid")
        let answer = try await shop.verify(receipt, password: TestCatalog.sharedSecret)
        let renewal = try #require(answer["pending_renewal_info"]?.elements?.first)
        #expect(renewal["offer_code_ref_name"]?.text == "Radio, spring")
        // A cached answer has the current name.
        app.products[index].subscription?.codeOffers[0].referenceName = "Radio, summer"
        try await Apps(
            database: shop.database, wallClock: { TestStore.opening },
            randomBytes: { [UInt8](repeating: 1, count: $0) }
        )
        .register(app, sharedSecret: nil)
        let renamed = try await shop.verify(receipt, password: TestCatalog.sharedSecret)
        #expect(
            renamed["pending_renewal_info"]?.elements?.first?["offer_code_ref_name"]?.text == "Radio, summer")
    }

    private func purchases(_ list: JSONValue?) throws -> [String: JSONValue] {
        try Dictionary(uniqueKeysWithValues: #require(list?.elements).map { ($0["product_id"]?.text ?? "", $0) })
    }

    private func ids(_ list: JSONValue?) -> [TransactionID] {
        (list?.elements ?? []).compactMap { $0["transaction_id"]?.text.flatMap { TransactionID($0) } }
    }
}
