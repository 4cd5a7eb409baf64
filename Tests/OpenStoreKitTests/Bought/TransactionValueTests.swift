import AppStoreFormats
import Foundation
import OpenStoreKit
import Perennial
import Testing

@Suite struct TransactionValueTests {
    private func transaction(_ payload: TransactionPayload) throws -> Transaction {
        let fixture = try BoughtFixture()
        return try Transaction.verified(signed: fixture.store.signed(payload), on: fixture.connection).payloadValue
    }

    @Test func aPurchaseHasThePayloadsValues() throws {
        let token = UUID()
        let value = try transaction(
            .sold(7, "coins", .consumable) { payload in
                payload.quantity = 3
                payload.price = 29_970
                payload.currency = "EUR"
                payload.storefront = "DEU"
                payload.storefrontId = "143443"
                payload.appAccountToken = token
                payload.transactionReason = .purchase
                payload.appTransactionId = "704"
            })
        #expect(value.id == 7 && value.originalID == 7 && value.productID == "coins")
        #expect(value.productType == .consumable && value.purchasedQuantity == 3)
        #expect(value.price == Decimal(string: "29.97"))
        #expect(value.currency?.identifier == "EUR" && value.currencyCode == "EUR")
        #expect(value.storefront.countryCode == "DEU" && value.storefront.id == "143443")
        #expect(value.storefrontCountryCode == "DEU")
        #expect(value.appAccountToken == token && value.appTransactionID == "704")
        #expect(value.environment == .xcode && value.environmentStringRepresentation == "Xcode")
        #expect(value.reason == .purchase && value.ownershipType == .purchased)
        #expect(value.purchaseDate == SignedStore.start.date && value.expirationDate == nil)
        #expect(value.offer == nil && value.revocationDate == nil && !value.isUpgraded)
        #expect(value.advancedCommerceInfo == nil && value.multiSeatInfo == nil && value.commitmentInfo == nil)
        #expect(value.debugDescription.contains("\"productId\":\"coins\""))
    }

    @Test func aSubscriptionHasItsOfferAndPeriod() throws {
        let value = try transaction(
            .period(8, original: 3) { payload in
                payload.offerType = .promotional
                payload.offerIdentifier = "spring"
                payload.offerDiscountType = .payAsYouGo
                payload.offerPeriod = "P1M"
                payload.transactionReason = .renewal
                payload.inAppOwnershipType = .familyShared
            })
        #expect(value.originalID == 3 && value.subscriptionGroupID == "news")
        #expect(value.expirationDate == (SignedStore.start + .days(30)).date)
        #expect(value.offer?.id == "spring" && value.offer?.type == .promotional)
        #expect(value.offer?.paymentMode == .payAsYouGo)
        #expect(value.offer?.period?.unit == .month && value.offer?.period?.value == 1)
        #expect(value.offerPeriodStringRepresentation == "P1M")
        #expect(value.reason == .renewal && value.ownershipType == .familyShared)
    }

    @Test func aRevocationHasReasonTypeAndPercentage() throws {
        let value = try transaction(
            .sold(9, "atlas") { payload in
                payload.revocationDate = SignedStore.start.date
                payload.revocationReason = .issueWithApp
                payload.revocationType = .refundProrated
                payload.revocationPercentage = 50_000
            })
        #expect(value.revocationReason == .developerIssue && value.revocationType == .proratedRefund)
        #expect(value.revocationPercentage == 50)
    }

    @Test func equalPayloadsAreEqualTransactions() throws {
        let fixture = try BoughtFixture()
        let one = try Transaction.verified(signed: fixture.store.signed(.sold(1, "atlas")), on: fixture.connection)
        let same = try Transaction.verified(signed: fixture.store.signed(.sold(1, "atlas")), on: fixture.connection)
        let other = try Transaction.verified(
            signed: fixture.store.signed(.sold(1, "atlas") { $0.isUpgraded = true }), on: fixture.connection)
        #expect(one == same && one.hashValue == same.hashValue)
        #expect(one != other)
        #expect(Set([one, same, other]).count == 2)
    }

    @Test func detailsOfAdvancedCommerceAreRead() throws {
        let fixture = try BoughtFixture()
        var json = try #require(
            JSONSerialization.jsonObject(with: Data(TransactionPayload.sold(1, "atlas").encoded())) as? [String: Any])
        json["advancedCommerceInfo"] = [
            "requestReferenceId": "ref", "taxCode": "C003", "taxRate": "0.19", "taxExclusivePrice": 8_390,
            "estimatedTax": 1_600, "period": "P1M",
            "items": [
                [
                    "SKU": "basic", "displayName": "Basic", "description": "All", "price": 9_990,
                    "offer": ["period": "P1W", "periodCount": 2, "price": 990, "reason": "ACQUISITION"],
                    "refunds": [
                        ["refundAmount": 500, "refundDate": 1000, "refundReason": "LEGAL", "refundType": "CUSTOM"]
                    ],
                ]
            ],
        ]
        json["multiSeatInfo"] = ["invitationManagement": "DEVELOPER", "priceTiers": [["price": 4_990, "quantity": 5]]]
        json["bundleProductId"] = "bundle"
        let jws = try fixture.store.signer.sign(payload: Array(JSONSerialization.data(withJSONObject: json)))
        let value = try Transaction.verified(signed: jws, on: fixture.connection).payloadValue
        let info = try #require(value.advancedCommerceInfo)
        #expect(info.requestReferenceID == "ref" && info.taxRate == Decimal(string: "0.19"))
        #expect(info.taxExclusivePrice == Decimal(string: "8.39") && info.estimatedTax == Decimal(string: "1.6"))
        #expect(info.period?.unit == .month)
        let item = try #require(info.items.first)
        #expect(item.details.sku == "basic" && item.details.price == Decimal(string: "9.99"))
        #expect(item.details.offer?.reason == .acquisition && item.details.offer?.periodCount == 2)
        #expect(item.refunds?.first?.type == .custom && item.refunds?.first?.amount == Decimal(string: "0.5"))
        #expect(value.multiSeatInfo?.invitationManagement == .developer)
        #expect(value.multiSeatInfo?.priceTiers.first?.quantity == 5)
        #expect(value.bundleProductID == "bundle")
    }
}
