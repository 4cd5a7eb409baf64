import AppStoreFormats
import Foundation

/// Payloads with every field set.
enum SamplePayloads {
    static let date = Date(timeIntervalSince1970: 1_792_000_000.123)

    static var transaction: TransactionPayload {
        var payload = TransactionPayload(
            transactionId: "2000000000000002", originalTransactionId: "2000000000000001",
            bundleId: "com.example.magazine", productId: "com.example.monthly", type: .autoRenewableSubscription,
            purchaseDate: date, originalPurchaseDate: date - 86_400, signedDate: date + 1, environment: .sandbox)
        payload.webOrderLineItemId = "2000000012345678"
        payload.subscriptionGroupIdentifier = "21000000"
        payload.expiresDate = date + 86_400
        payload.quantity = 1
        payload.appAccountToken = UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138")
        payload.revocationReason = .issueWithApp
        payload.revocationDate = date + 2
        payload.revocationType = .refundProrated
        payload.revocationPercentage = 50_000
        payload.isUpgraded = true
        payload.offerType = .promotional
        payload.offerIdentifier = "spring"
        payload.offerDiscountType = .payAsYouGo
        payload.offerPeriod = "P1M"
        payload.storefront = "USA"
        payload.storefrontId = "143441"
        payload.transactionReason = .renewal
        payload.price = 1990
        payload.currency = "USD"
        payload.appTransactionId = "704897469903403021"
        payload.billingPlanType = .monthly
        var commitment = TransactionPayload.CommitmentInfo()
        commitment.billingPeriodNumber = 2
        commitment.totalBillingPeriods = 12
        commitment.commitmentExpiresDate = date + 30_000_000
        commitment.commitmentPrice = 23_880
        payload.commitmentInfo = commitment
        payload.previousOriginalTransactionId = "1000000000000001"
        payload.deviceVerification = "AAAA"
        payload.deviceVerificationNonce = UUID(uuidString: "48C8B92D-CE0D-4229-BEDF-E61B4F9CFC92")
        return payload
    }

    static var renewalInfo: RenewalInfoPayload {
        var payload = RenewalInfoPayload(
            originalTransactionId: "2000000000000001", productId: "com.example.monthly",
            autoRenewProductId: "com.example.yearly", autoRenewStatus: .on, signedDate: date, environment: .production)
        payload.expirationIntent = .billingError
        payload.isInBillingRetryPeriod = true
        payload.gracePeriodExpiresDate = date + 1
        payload.priceIncreaseStatus = .pending
        payload.offerType = .winBack
        payload.offerIdentifier = "comeback"
        payload.offerDiscountType = .payUpFront
        payload.offerPeriod = "P3M"
        payload.recentSubscriptionStartDate = date - 2
        payload.renewalDate = date + 3
        payload.renewalPrice = 9_990
        payload.currency = "EUR"
        payload.eligibleWinBackOfferIds = ["a", "b"]
        payload.appAccountToken = UUID(uuidString: "7E3FB20B-4CDB-47CC-936D-99D65F608138")
        payload.appTransactionId = "704897469903403021"
        payload.renewalBillingPlanType = .billedUpfront
        var commitment = RenewalInfoPayload.CommitmentInfo()
        commitment.commitmentAutoRenewProductId = "com.example.yearly"
        commitment.commitmentAutoRenewStatus = .off
        commitment.commitmentRenewalBillingPlanType = .monthly
        commitment.commitmentRenewalDate = date + 4
        commitment.commitmentRenewalPrice = 119_880
        payload.commitmentInfo = commitment
        return payload
    }

    static var appTransaction: AppTransactionPayload {
        var payload = AppTransactionPayload(
            receiptType: .production, bundleId: "com.example.magazine", applicationVersion: "42",
            receiptCreationDate: date, originalPurchaseDate: date - 1)
        payload.appAppleId = 1_234_567_890
        payload.versionExternalIdentifier = 870_000_001
        payload.deviceVerification = "AAAA"
        payload.deviceVerificationNonce = UUID(uuidString: "48C8B92D-CE0D-4229-BEDF-E61B4F9CFC92")
        payload.preorderDate = date - 2
        payload.appTransactionId = "704897469903403021"
        payload.originalPlatform = .iOS
        return payload
    }
}

/// The kind of a JSON value, as the type tables name it.
enum JSONKind: String {
    case string, number, bool, array, object, null

    init(_ value: Any) {
        switch value {
        case is String: self = .string
        case let number as NSNumber: self = CFBooleanKind.isBoolean(number) ? .bool : .number
        case is [Any]: self = .array
        case is [String: Any]: self = .object
        default: self = .null
        }
    }

    /// The kinds of an object's members.
    static func kinds(_ json: [UInt8]) throws -> [String: String] {
        let object = try JSONSerialization.jsonObject(with: Data(json)) as? [String: Any] ?? [:]
        return object.mapValues { JSONKind($0).rawValue }
    }
}

private enum CFBooleanKind {
    static func isBoolean(_ number: NSNumber) -> Bool { String(cString: number.objCType) == "c" }
}
