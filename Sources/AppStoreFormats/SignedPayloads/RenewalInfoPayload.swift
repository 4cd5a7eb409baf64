import FastJSON
import Foundation

/// The payload of signed renewal information (`JWSRenewalInfoDecodedPayload`) about a subscription's next renewal.
///
/// Names are those on the wire; `nil` is left out. Money is in thousandths of the currency's unit.
public struct RenewalInfoPayload: Hashable, Sendable, Codable {
    /// The subscription.
    public var originalTransactionId: String
    /// The product that will renew.
    public var autoRenewProductId: String
    /// The product now.
    public var productId: String
    /// The renewal status.
    public var autoRenewStatus: AutoRenewStatus
    /// The reason of the expiry; only after one.
    public var expirationIntent: ExpirationIntent?
    /// True while the store still tries to charge for it.
    public var isInBillingRetryPeriod: Bool?
    /// The end of the grace period; only in one.
    @OptionalMilliseconds public var gracePeriodExpiresDate: Date?
    /// The customer's answer to a price increase.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// The kind of offer of the next renewal.
    public var offerType: OfferType?
    /// The offer of the next renewal.
    public var offerIdentifier: String?
    /// The payment mode of the offer of the next renewal.
    public var offerDiscountType: OfferDiscountType?
    /// The duration of the offer of the next renewal (ISO 8601).
    public var offerPeriod: String?
    /// The date on which the payload was signed.
    @Milliseconds public var signedDate: Date
    /// The environment of the store.
    public var environment: AppStoreEnvironment
    /// The first date in a series of purchases that ignores lapses of at most 60 days.
    @OptionalMilliseconds public var recentSubscriptionStartDate: Date?
    /// The date of the next renewal, or of the one that is overdue.
    @OptionalMilliseconds public var renewalDate: Date?
    /// The price of the next renewal, in thousandths of the currency's unit.
    public var renewalPrice: Int64?
    /// The currency of the price, in three letters (ISO 4217).
    public var currency: String?
    /// The win-back offers open to the customer, the best first.
    public var eligibleWinBackOfferIds: [String]?
    /// The app's own identifier of the customer.
    public var appAccountToken: UUID?
    /// The identifier of the customer's download of the app.
    public var appTransactionId: String?
    /// The billing plan of the next period.
    public var renewalBillingPlanType: BillingPlanType?
    /// The commitment that a monthly billing plan is part of.
    public var commitmentInfo: CommitmentInfo?
    /// The device that StoreKit runs on: SHA-384 over the nonce and the device verification ID, in base64. Not in answers of the App
    /// Store Server API.
    public var deviceVerification: String?
    /// The nonce of ``deviceVerification``.
    public var deviceVerificationNonce: UUID?

    /// Makes a payload; optional properties are set afterwards.
    public init(
        originalTransactionId: String, productId: String, autoRenewProductId: String,
        autoRenewStatus: AutoRenewStatus, signedDate: Date, environment: AppStoreEnvironment
    ) {
        self.originalTransactionId = originalTransactionId
        self.productId = productId
        self.autoRenewProductId = autoRenewProductId
        self.autoRenewStatus = autoRenewStatus
        self.signedDate = signedDate
        self.environment = environment
    }
}

extension RenewalInfoPayload {
    /// The JSON to sign, keys in a fixed order.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 768)
        json.beginObject()
        json.number("expirationIntent", (expirationIntent?.rawValue).map(Int64.init))
        json.string("originalTransactionId", originalTransactionId)
        json.string("autoRenewProductId", autoRenewProductId)
        json.string("productId", productId)
        json.number("autoRenewStatus", Int64(autoRenewStatus.rawValue))
        json.bool("isInBillingRetryPeriod", isInBillingRetryPeriod)
        json.number("priceIncreaseStatus", (priceIncreaseStatus?.rawValue).map(Int64.init))
        json.milliseconds("gracePeriodExpiresDate", gracePeriodExpiresDate)
        json.number("offerType", (offerType?.rawValue).map(Int64.init))
        json.string("offerIdentifier", offerIdentifier)
        json.string("offerDiscountType", offerDiscountType?.rawValue)
        json.string("offerPeriod", offerPeriod)
        json.milliseconds("signedDate", signedDate)
        json.string("environment", environment.rawValue)
        json.milliseconds("recentSubscriptionStartDate", recentSubscriptionStartDate)
        json.milliseconds("renewalDate", renewalDate)
        json.number("renewalPrice", renewalPrice)
        json.string("currency", currency)
        if let eligibleWinBackOfferIds {
            json.beginArray("eligibleWinBackOfferIds")
            for offer in eligibleWinBackOfferIds { json.element(offer) }
            json.endArray()
        }
        json.uuid("appAccountToken", appAccountToken)
        json.string("appTransactionId", appTransactionId)
        json.string("renewalBillingPlanType", renewalBillingPlanType?.rawValue)
        commitmentInfo?.write(to: &json)
        json.string("deviceVerification", deviceVerification)
        json.uuid("deviceVerificationNonce", deviceVerificationNonce)
        json.endObject()
        return json.finished()
    }
}

extension RenewalInfoPayload {
    /// The renewal status of a subscription.
    public struct AutoRenewStatus: RawRepresentable, Hashable, Sendable, Codable {
        /// The number on the wire.
        public let rawValue: Int32

        /// Takes any number, known or not.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The customer turned renewal off.
        public static let off = Self(rawValue: 0)
        /// The subscription renews at the end of the period.
        public static let on = Self(rawValue: 1)
    }

    /// The reason of a subscription's expiry.
    public struct ExpirationIntent: RawRepresentable, Hashable, Sendable, Codable {
        /// The number on the wire.
        public let rawValue: Int32

        /// Takes any number, known or not.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The customer cancelled.
        public static let customerCancelled = Self(rawValue: 1)
        /// The payment failed.
        public static let billingError = Self(rawValue: 2)
        /// The customer did not agree to a higher price.
        public static let priceIncrease = Self(rawValue: 3)
        /// The product was not for sale at the renewal.
        public static let productUnavailable = Self(rawValue: 4)
        /// Another reason.
        public static let other = Self(rawValue: 5)
    }

    /// The customer's answer to a price increase.
    public struct PriceIncreaseStatus: RawRepresentable, Hashable, Sendable, Codable {
        /// The number on the wire.
        public let rawValue: Int32

        /// Takes any number, known or not.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The customer has not answered.
        public static let pending = Self(rawValue: 0)
        /// Agreed, or told of an increase that needs no consent.
        public static let consented = Self(rawValue: 1)
    }

    /// The commitment that a monthly billing plan is part of.
    public struct CommitmentInfo: Hashable, Sendable, Codable {
        /// The product that the commitment renews into.
        public var commitmentAutoRenewProductId: String?
        /// The renewal status of the commitment.
        public var commitmentAutoRenewStatus: AutoRenewStatus?
        /// The billing plan of the renewed commitment.
        public var commitmentRenewalBillingPlanType: BillingPlanType?
        /// The date on which the commitment renews.
        @OptionalMilliseconds public var commitmentRenewalDate: Date?
        /// The price of the renewed commitment, in thousandths of the currency's unit.
        public var commitmentRenewalPrice: Int64?

        /// Makes an empty one.
        public init() {}

        func write(to json: inout JSONWriter) {
            json.beginObject("commitmentInfo")
            json.string("commitmentAutoRenewProductId", commitmentAutoRenewProductId)
            json.number("commitmentAutoRenewStatus", (commitmentAutoRenewStatus?.rawValue).map(Int64.init))
            json.string("commitmentRenewalBillingPlanType", commitmentRenewalBillingPlanType?.rawValue)
            json.milliseconds("commitmentRenewalDate", commitmentRenewalDate)
            json.number("commitmentRenewalPrice", commitmentRenewalPrice)
            json.endObject()
        }
    }
}
