import Foundation
import Testing

@testable import AppStoreFormats

struct VerifyReceiptResponseTests {
    private static let requestDate = Date(timeIntervalSince1970: 1_792_000_100.409)

    private static var response: VerifyReceiptResponse {
        var response = VerifyReceiptResponse(
            receipt: .init(SampleReceipts.full, requestDate: requestDate), environment: .sandbox)
        var transaction = VerifyReceiptResponse.Transaction(SampleReceipts.subscription)
        transaction.offerCodeRefName = "spring"
        transaction.subscriptionGroupIdentifier = "21000000"
        transaction.isUpgraded = true
        transaction.inAppOwnershipType = .familyShared
        transaction.appAccountToken = UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138")
        response.latestReceiptInfo = [transaction, .init(SampleReceipts.consumable)]
        response.latestReceipt = [0x30, 0x00]
        var renewal = VerifyReceiptResponse.PendingRenewal(
            productID: "com.example.monthly", autoRenewProductID: "com.example.yearly",
            originalTransactionID: "2000000000000001", autoRenewStatus: .off)
        renewal.expirationIntent = .customerCancelled
        renewal.isInBillingRetryPeriod = false
        renewal.gracePeriodExpiresDate = requestDate
        renewal.priceConsentStatus = .pending
        renewal.priceIncreaseStatus = .consented
        renewal.promotionalOfferID = "spring"
        renewal.offerCodeRefName = "autumn"
        response.pendingRenewalInfo = [renewal]
        return response
    }

    private func object(_ json: [UInt8]) throws -> [String: Any] {
        try #require(JSONSerialization.jsonObject(with: Data(json)) as? [String: Any])
    }

    private func kinds(_ object: Any?) throws -> [String: String] {
        try #require(object as? [String: Any]).mapValues { JSONKind($0).rawValue }
    }

    /// The three members of a date.
    private func triplet(_ key: String) -> [String] { [key, key + "_ms", key + "_pst"] }

    private func strings(_ keys: [String]) -> [String: String] {
        Dictionary(uniqueKeysWithValues: keys.map { ($0, "string") })
    }

    @Test func `the answer has the App Store's keys and types`() throws {
        let expected = [
            "status": "number", "environment": "string", "receipt": "object", "latest_receipt": "string",
            "latest_receipt_info": "array", "pending_renewal_info": "array",
        ]
        #expect(try kinds(try object(Self.response.encoded())) == expected)
    }

    @Test func `only four ids of a receipt are numbers`() throws {
        var expected = strings(
            ["receipt_type", "bundle_id", "application_version", "original_application_version"]
                + [
                    "receipt_creation_date", "request_date", "original_purchase_date", "preorder_date",
                    "expiration_date",
                ].flatMap(triplet))
        for key in ["adam_id", "app_item_id", "download_id", "version_external_identifier"] { expected[key] = "number" }
        expected["in_app"] = "array"
        #expect(try kinds(try object(Self.response.encoded())["receipt"]) == expected)
    }

    private let common = ["quantity", "product_id", "transaction_id", "original_transaction_id", "is_trial_period"]
    private let subscriptionOnly = [
        "web_order_line_item_id", "is_in_intro_offer_period", "cancellation_reason", "promotional_offer_id",
    ]

    @Test func `purchases are all strings`() throws {
        let receipt = try #require(try object(Self.response.encoded())["receipt"] as? [String: Any])
        let purchases = try #require(receipt["in_app"] as? [Any])
        let dates = ["purchase_date", "original_purchase_date"].flatMap(triplet)
        let subscriptionDates = ["expires_date", "cancellation_date"].flatMap(triplet)
        let ownership = ["in_app_ownership_type"]
        #expect(
            try kinds(purchases[0]) == strings(common + subscriptionOnly + dates + subscriptionDates + ownership))
        #expect(try kinds(purchases[1]) == strings(common + dates + ownership))
    }

    @Test func `a purchase of a receipt states its ownership`() throws {
        let shared = SampleReceipts.full.purchases[1].transactionID
        let response = VerifyReceiptResponse(
            receipt: .init(SampleReceipts.full, requestDate: Self.requestDate, familyShared: [shared]),
            environment: .production)
        let receipt = try #require(try object(response.encoded())["receipt"] as? [String: Any])
        let purchases = try #require(receipt["in_app"] as? [[String: Any]])
        #expect(
            purchases.map { $0["in_app_ownership_type"] as? String }
                == SampleReceipts.full.purchases.map { $0.transactionID == shared ? "FAMILY_SHARED" : "PURCHASED" })
    }

    @Test func `latest transactions say more than purchases, in strings`() throws {
        let latest = try #require(try object(Self.response.encoded())["latest_receipt_info"] as? [Any])
        let dates = ["purchase_date", "original_purchase_date"].flatMap(triplet)
        let subscriptionDates = ["expires_date", "cancellation_date"].flatMap(triplet)
        let more = [
            "offer_code_ref_name", "subscription_group_identifier", "is_upgraded", "in_app_ownership_type",
            "app_account_token",
        ]
        #expect(try kinds(latest[0]) == strings(common + subscriptionOnly + dates + subscriptionDates + more))
        #expect(try kinds(latest[1]) == strings(common + dates + ["in_app_ownership_type"]))
        #expect((latest[0] as? [String: String])?["app_account_token"] == "7e3fb20b-4cdb-47cc-936d-99d65f608138")
    }

    @Test func `pending renewals are all strings`() throws {
        let renewals = try #require(try object(Self.response.encoded())["pending_renewal_info"] as? [Any])
        let expected =
            [
                "auto_renew_product_id", "product_id", "original_transaction_id", "auto_renew_status",
                "expiration_intent", "is_in_billing_retry_period", "price_consent_status", "price_increase_status",
                "promotional_offer_id", "offer_code_ref_name",
            ] + triplet("grace_period_expires_date")
        #expect(try kinds(renewals[0]) == strings(expected))
        let renewal = try #require(renewals[0] as? [String: String])
        #expect(renewal["auto_renew_status"] == "0")
        #expect(renewal["expiration_intent"] == "1")
    }

    @Test func `dates come in three forms`() throws {
        let receipt = try #require(try object(Self.response.encoded())["receipt"] as? [String: Any])
        #expect(receipt["request_date"] as? String == "2026-10-14 17:48:20 Etc/GMT")
        #expect(receipt["request_date_ms"] as? String == "1792000100409")
        #expect(receipt["request_date_pst"] as? String == "2026-10-14 10:48:20 America/Los_Angeles")
        #expect(receipt["original_purchase_date_ms"] as? String == "1375340400000")
    }

    @Test func `a receipt without purchases is valid`() throws {
        let response = VerifyReceiptResponse(
            receipt: .init(SampleReceipts.small, requestDate: Self.requestDate), environment: .production)
        let object = try object(response.encoded())
        #expect(object["status"] as? Int == 0)
        #expect(((object["receipt"] as? [String: Any])?["in_app"] as? [Any])?.count == 0)
        #expect(object["latest_receipt_info"] == nil)
    }

    @Test func `a refusal is its status`() {
        #expect(
            String(decoding: VerifyReceiptResponse(status: .malformedReceipt).encoded(), as: UTF8.self)
                == #"{"status":21002}"#)
        let retry = VerifyReceiptResponse(
            status: VerifyReceiptStatus(rawValue: 21_150), environment: .production, isRetryable: true)
        #expect(
            String(decoding: retry.encoded(), as: UTF8.self)
                == #"{"status":21150,"environment":"Production","is_retryable":true}"#)
    }

    @Test func `the same answer is always the same bytes`() {
        #expect(Self.response.encoded() == Self.response.encoded())
    }

    // MARK: - The old form

    private func legacy() -> LegacyVerifyReceiptResponse.Transaction {
        var transaction = LegacyVerifyReceiptResponse.Transaction(TransactionReceiptTests.receipt())
        transaction.inAppOwnershipType = .purchased
        transaction.subscriptionGroupIdentifier = "21000000"
        return transaction
    }

    @Test func `the old form has an object in place of an array`() throws {
        var response = LegacyVerifyReceiptResponse(receipt: legacy(), latest: legacy(), latestReceipt: [0x7B, 0x7D])
        response.autoRenewStatus = .on
        response.autoRenewProductID = "com.example.monthly"
        let expected = [
            "status": "number", "receipt": "object", "latest_receipt_info": "object", "latest_receipt": "string",
            "auto_renew_status": "number", "auto_renew_product_id": "string",
        ]
        #expect(try kinds(try object(response.encoded())) == expected)
        #expect(try object(response.encoded())["status"] as? Int == 0)
    }

    @Test func `an expired subscription is status 21006 with its last renewal`() throws {
        var expired = legacy()
        expired.cancellationDate = Self.requestDate
        var response = LegacyVerifyReceiptResponse(receipt: legacy(), latestExpired: expired)
        response.autoRenewStatus = .off
        response.expirationIntent = .billingError
        response.isInBillingRetryPeriod = true
        response.cancellationReason = 1
        let expected = [
            "status": "number", "receipt": "object", "latest_expired_receipt_info": "object",
            "auto_renew_status": "number", "expiration_intent": "string", "is_in_billing_retry_period": "string",
            "cancellation_reason": "string",
        ]
        #expect(try kinds(try object(response.encoded())) == expected)
        #expect(try object(response.encoded())["status"] as? Int == 21006)
    }

    @Test func `a transaction of the old form has the old names`() throws {
        var transaction = legacy()
        transaction.cancellationDate = Self.requestDate
        let response = LegacyVerifyReceiptResponse(receipt: transaction)
        let receipt = try #require(try object(response.encoded())["receipt"] as? [String: Any])
        let expected =
            common
            + [
                "expires_date", "expires_date_formatted", "expires_date_formatted_pst", "item_id", "app_item_id",
                "version_external_identifier", "bid", "bvrs", "unique_identifier", "unique_vendor_identifier",
                "web_order_line_item_id", "is_in_intro_offer_period", "in_app_ownership_type",
                "subscription_group_identifier",
            ] + ["purchase_date", "original_purchase_date", "cancellation_date"].flatMap(triplet)
        #expect(try kinds(receipt) == strings(expected))
        #expect(receipt["expires_date"] as? String == "1442130646000")
        #expect(receipt["expires_date_formatted"] as? String == "2015-09-13 07:50:46 Etc/GMT")
        #expect(receipt["expires_date_ms"] == nil)
    }
}
