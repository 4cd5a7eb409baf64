import Foundation
import Testing

@testable import AppStoreFormats

/// Compares the fast path around the decoder with the decoder.
struct FastPathDecodableTests {
    private static let token = UUID(uuid: (1, 2, 3, 4, 5, 6, 0x47, 8, 0x89, 10, 11, 12, 13, 14, 15, 16))

    private static var plain: TransactionPayload {
        TransactionPayload(
            transactionId: "2", originalTransactionId: "1", bundleId: "com.example", productId: "a \"b\" ü",
            type: .consumable, purchaseDate: Date(timeIntervalSince1970: 1_767_225_600.789),
            originalPurchaseDate: Date(timeIntervalSince1970: 0), signedDate: Date(timeIntervalSince1970: 1),
            environment: .production)
    }

    private static var full: TransactionPayload {
        var payload = plain
        payload.webOrderLineItemId = "3"
        payload.subscriptionGroupIdentifier = "group"
        payload.expiresDate = Date(timeIntervalSince1970: 2)
        payload.quantity = 7
        payload.appAccountToken = token
        payload.inAppOwnershipType = .familyShared
        payload.revocationReason = .issueWithApp
        payload.revocationDate = Date(timeIntervalSince1970: 3)
        payload.revocationType = .refundProrated
        payload.revocationPercentage = 50_000
        payload.isUpgraded = true
        payload.offerType = .winBack
        payload.offerIdentifier = "offer"
        payload.offerDiscountType = .payUpFront
        payload.offerPeriod = "P1M"
        payload.storefront = "USA"
        payload.storefrontId = "143441"
        payload.transactionReason = .renewal
        payload.price = 9_007_199_254_740_991
        payload.currency = "USD"
        payload.appTransactionId = "700000000000000001"
        payload.billingPlanType = .monthly
        payload.previousOriginalTransactionId = "0"
        payload.deviceVerification = "AAAA"
        payload.deviceVerificationNonce = token
        return payload
    }

    @Test func `the fast path reads every field as the decoder does`() throws {
        for payload in [Self.plain, Self.full] {
            let json = payload.encoded()
            let scanned = try #require(TransactionPayload(fastPath: json))
            #expect(scanned == (try JSONDecoder().decode(TransactionPayload.self, from: Data(json))))
        }
        // A field that is added must be added here, too.
        let empty = Mirror(reflecting: Self.full).children.filter { child in
            let value = Mirror(reflecting: child.value)
            return value.displayStyle == .optional && value.children.isEmpty
        }
        #expect(empty.compactMap(\.label) == ["commitmentInfo"])
    }

    static let extraordinary = [
        #""price": "1990""#, #""price": 1.5"#, #""price": 9007199254740993"#, #""quantity": 3000000000"#,
        #""appAccountToken": "x""#, #""isUpgraded": 1"#, #""expiresDate": "soon""#, #""currency": 1"#,
        #""commitmentInfo": {"billingPeriodNumber": 1}"#, #""price": 1, "price": 2"#, #""items": ["a"]"#,
    ]

    @Test(arguments: extraordinary) func `an unusual payload is left to the decoder`(member: String) throws {
        let text = String(decoding: Self.plain.encoded(), as: UTF8.self)
        #expect(TransactionPayload(fastPath: Array("{\(member),\(text.dropFirst())".utf8)) == nil)
    }

    @Test func `null counts as missing, and unknown fields are skipped`() throws {
        let text = String(decoding: Self.plain.encoded(), as: UTF8.self)
        let json = Array(#"{"price": null, "new": true, \#(text.dropFirst())"#.utf8)
        #expect(TransactionPayload(fastPath: json) == Self.plain)
    }

    @Test(arguments: ["transactionId", "purchaseDate", "environment", "quantity", "inAppOwnershipType"])
    func `without a required field the fast path reads nothing`(name: String) throws {
        let text = String(decoding: Self.plain.encoded(), as: UTF8.self)
        #expect(TransactionPayload(fastPath: Array(text.replacing("\"\(name)\"", with: "\"other\"").utf8)) == nil)
    }
}
