import Foundation

/// The payload of signed renewal information (`JWSRenewalInfoDecodedPayload`): what happens at a subscription's next
/// renewal.
///
/// Names are those on the wire; what is `nil` is left out. Money is in thousandths of the currency's unit.
public struct RenewalInfoPayload: Hashable, Sendable, Codable {
    /// The subscription.
    public var originalTransactionId: String
    /// The product that will renew.
    public var autoRenewProductId: String
    /// The product now.
    public var productId: String
    /// Whether it will renew.
    public var autoRenewStatus: AutoRenewStatus
    /// Why it expired; only when it has.
    public var expirationIntent: ExpirationIntent?
    /// Whether the store still tries to charge for it.
    public var isInBillingRetryPeriod: Bool?
    /// The end of the grace period; only in one.
    @OptionalMilliseconds public var gracePeriodExpiresDate: Date?
    /// The customer's answer to a price increase.
    public var priceIncreaseStatus: PriceIncreaseStatus?
    /// The kind of offer of the next renewal.
    public var offerType: OfferType?
    /// The offer of the next renewal.
    public var offerIdentifier: String?
    /// How the offer of the next renewal is paid.
    public var offerDiscountType: OfferDiscountType?
    /// How long the offer of the next renewal lasts, as an ISO 8601 duration.
    public var offerPeriod: String?
    /// When this payload was signed.
    @Milliseconds public var signedDate: Date
    /// The side of the store.
    public var environment: AppStoreEnvironment
    /// When the newest run of the subscription began.
    @OptionalMilliseconds public var recentSubscriptionStartDate: Date?
    /// When it renews, or should have.
    @OptionalMilliseconds public var renewalDate: Date?
    /// What the next renewal costs, in thousandths of the currency's unit.
    public var renewalPrice: Int64?
    /// The currency of the price, in three letters (ISO 4217).
    public var currency: String?
    /// The win-back offers open to the customer, the best first.
    public var eligibleWinBackOfferIds: [String]?
    /// The app's own name for the customer.
    public var appAccountToken: UUID?
    /// The customer's download of the app.
    public var appTransactionId: String?
    /// How the next period is billed.
    public var renewalBillingPlanType: BillingPlanType?
    /// The commitment that a monthly billing plan is part of.
    public var commitmentInfo: CommitmentInfo?

    /// Makes a payload; what is optional is set afterwards.
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
        json.endObject()
        return json.finished()
    }
}

extension RenewalInfoPayload {
    /// Whether a subscription renews.
    public struct AutoRenewStatus: RawRepresentable, Hashable, Sendable, Codable {
        /// The number on the wire.
        public let rawValue: Int32

        /// Takes any number, known or not.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// The customer turned renewal off.
        public static let off = Self(rawValue: 0)
        /// It renews at the end of the period.
        public static let on = Self(rawValue: 1)
    }

    /// Why a subscription expired.
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
        /// Something else.
        public static let other = Self(rawValue: 5)
    }

    /// The customer's answer to a price increase.
    public struct PriceIncreaseStatus: RawRepresentable, Hashable, Sendable, Codable {
        /// The number on the wire.
        public let rawValue: Int32

        /// Takes any number, known or not.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Not answered.
        public static let pending = Self(rawValue: 0)
        /// Agreed, or told of an increase that needs no consent.
        public static let consented = Self(rawValue: 1)
    }

    /// The commitment that a monthly billing plan is part of.
    public struct CommitmentInfo: Hashable, Sendable, Codable {
        /// The product that the commitment renews into.
        public var commitmentAutoRenewProductId: String?
        /// Whether the commitment renews.
        public var commitmentAutoRenewStatus: AutoRenewStatus?
        /// How the renewed commitment is billed.
        public var commitmentRenewalBillingPlanType: BillingPlanType?
        /// When the commitment renews.
        @OptionalMilliseconds public var commitmentRenewalDate: Date?
        /// What the renewed commitment costs, in thousandths of the currency's unit.
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
