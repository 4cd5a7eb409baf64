import Foundation
import Testing

@testable import AppStoreFormats

struct PayloadTests {
    private func object(_ json: some Sequence<UInt8>) throws -> NSDictionary {
        // Apple writes UUIDs in lower case, Foundation in upper case; both are the same value.
        let text = String(decoding: Array(json), as: UTF8.self).lowercased()
        return try #require(JSONSerialization.jsonObject(with: Data(text.utf8)) as? NSDictionary)
    }

    @Test func `a transaction survives a round trip, written by us or by an encoder`() throws {
        let payload = SamplePayloads.transaction
        #expect(try JSONDecoder().decode(TransactionPayload.self, from: Data(payload.encoded())) == payload)
        #expect(try object(payload.encoded()) == object(try JSONEncoder().encode(payload)))
    }

    @Test func `renewal information survives a round trip, written by us or by an encoder`() throws {
        let payload = SamplePayloads.renewalInfo
        #expect(try JSONDecoder().decode(RenewalInfoPayload.self, from: Data(payload.encoded())) == payload)
        #expect(try object(payload.encoded()) == object(try JSONEncoder().encode(payload)))
    }

    @Test func `an app transaction survives a round trip, written by us or by an encoder`() throws {
        let payload = SamplePayloads.appTransaction
        #expect(try JSONDecoder().decode(AppTransactionPayload.self, from: Data(payload.encoded())) == payload)
        #expect(try object(payload.encoded()) == object(try JSONEncoder().encode(payload)))
    }

    @Test func `a transaction has the types of the App Store`() throws {
        let texts = [
            "transactionId", "originalTransactionId", "webOrderLineItemId", "bundleId", "productId",
            "subscriptionGroupIdentifier", "type", "appAccountToken", "inAppOwnershipType", "revocationType",
            "offerIdentifier", "offerDiscountType", "offerPeriod", "environment", "storefront", "storefrontId",
            "transactionReason", "currency", "appTransactionId", "billingPlanType", "previousOriginalTransactionId",
            "deviceVerification", "deviceVerificationNonce",
        ]
        let numbers = [
            "purchaseDate", "originalPurchaseDate", "expiresDate", "revocationDate", "signedDate", "quantity",
            "revocationReason", "revocationPercentage", "offerType", "price",
        ]
        var expected = Dictionary(uniqueKeysWithValues: texts.map { ($0, "string") } + numbers.map { ($0, "number") })
        expected["isUpgraded"] = "bool"
        expected["commitmentInfo"] = "object"
        #expect(try JSONKind.kinds(SamplePayloads.transaction.encoded()) == expected)
    }

    @Test func `renewal information has the types of the App Store`() throws {
        let texts = [
            "originalTransactionId", "productId", "autoRenewProductId", "offerIdentifier", "offerDiscountType",
            "offerPeriod", "currency", "environment", "appAccountToken", "appTransactionId", "renewalBillingPlanType",
        ]
        let numbers = [
            "autoRenewStatus", "expirationIntent", "gracePeriodExpiresDate", "renewalDate",
            "recentSubscriptionStartDate", "signedDate", "priceIncreaseStatus", "offerType", "renewalPrice",
        ]
        var expected = Dictionary(uniqueKeysWithValues: texts.map { ($0, "string") } + numbers.map { ($0, "number") })
        expected["isInBillingRetryPeriod"] = "bool"
        expected["commitmentInfo"] = "object"
        expected["eligibleWinBackOfferIds"] = "array"
        #expect(try JSONKind.kinds(SamplePayloads.renewalInfo.encoded()) == expected)
    }

    @Test func `what is not there is left out`() throws {
        let payload = TransactionPayload(
            transactionId: "1", originalTransactionId: "1", bundleId: "b", productId: "p", type: .consumable,
            purchaseDate: SamplePayloads.date, originalPurchaseDate: SamplePayloads.date,
            signedDate: SamplePayloads.date, environment: .production)
        let expected: Set = [
            "transactionId", "originalTransactionId", "bundleId", "productId", "purchaseDate", "originalPurchaseDate",
            "quantity", "type", "inAppOwnershipType", "signedDate", "environment",
        ]
        #expect(Set(try JSONKind.kinds(payload.encoded()).keys) == expected)
        #expect(Set(try JSONKind.kinds(Array(try JSONEncoder().encode(payload))).keys) == expected)
    }

    @Test func `dates are whole milliseconds, and fractions are read`() throws {
        let text = String(decoding: SamplePayloads.transaction.encoded(), as: UTF8.self)
        #expect(text.contains(#""purchaseDate":1792000000123,"#))
        let fraction = text.replacing("1792000000123", with: "1792000000123.75")
        let payload = try JSONDecoder().decode(TransactionPayload.self, from: Data(fraction.utf8))
        #expect(abs(payload.purchaseDate.timeIntervalSince(SamplePayloads.date)) < 0.001)
    }

    @Test func `names of tomorrow survive`() throws {
        let text = String(decoding: SamplePayloads.transaction.encoded(), as: UTF8.self)
            .replacing("REFUND_PRORATED", with: "REFUND_IN_KIND")
        let payload = try JSONDecoder().decode(TransactionPayload.self, from: Data(text.utf8))
        #expect(payload.revocationType?.rawValue == "REFUND_IN_KIND")
        #expect(String(decoding: payload.encoded(), as: UTF8.self).contains("REFUND_IN_KIND"))
    }

    @Test func `no payload has a claim that JWT libraries check`() throws {
        let claims: Set = ["iat", "nbf", "exp", "aud", "sub", "iss", "jti"]
        for json in [
            SamplePayloads.transaction.encoded(), SamplePayloads.renewalInfo.encoded(),
            SamplePayloads.appTransaction.encoded(),
        ] {
            #expect(claims.isDisjoint(with: try JSONKind.kinds(json).keys))
        }
    }
}
