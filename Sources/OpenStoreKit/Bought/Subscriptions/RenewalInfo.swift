import AppStoreFormats
import Foundation

extension Product.SubscriptionInfo {
    /// The next renewal of a subscription, as the store signed it.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo.RenewalInfo".
    public struct RenewalInfo: Sendable {
        /// The decoded payload, shared by all copies.
        let content: RenewalContent

        private var payload: RenewalInfoPayload { content.payload }

        // MARK: Identity

        /// Original transaction ID of the subscription.
        public var originalTransactionID: UInt64 { content.originalTransactionID }
        /// Product of the current period.
        public var currentProductID: String { payload.productId }
        /// ID of the customer's download of the app; empty if the store doesn't say it.
        public var appTransactionID: String { payload.appTransactionId ?? "" }
        /// The app's own identifier of the customer.
        public var appAccountToken: UUID? { payload.appAccountToken }

        // MARK: Renewal

        /// True if the subscription renews at the end of its period.
        public var willAutoRenew: Bool { payload.autoRenewStatus == .on }
        /// Product of the next period; `nil` if the subscription doesn't renew.
        public var autoRenewPreference: String? { willAutoRenew ? payload.autoRenewProductId : nil }
        /// Date of the next renewal; `nil` if the subscription doesn't renew.
        public var renewalDate: Date? { payload.renewalDate }
        /// Price of the next renewal, in units of ``currency``.
        public var renewalPrice: Decimal? { payload.renewalPrice.map { Decimal(milliunits: $0) } }
        /// Currency of ``renewalPrice``.
        public var currency: Locale.Currency? { payload.currency.map { Locale.Currency($0) } }
        /// Code of ``currency`` in ISO 4217.
        @available(iOS, introduced: 15.0, deprecated: 16.0, renamed: "currency.identifier")
        public var currencyCode: String? { payload.currency }
        /// Number of seats of the next renewal.
        public var renewalQuantity: Int? { content.details.renewalQuantity }
        /// The first date in a series of periods that ignores lapses of at most 60 days.
        public var recentSubscriptionStartDate: Date {
            payload.recentSubscriptionStartDate ?? payload.signedDate
        }
        /// Billing plan of the next period.
        public var renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType? {
            payload.renewalBillingPlanType.map { Product.SubscriptionInfo.BillingPlanType(rawValue: $0.rawValue) }
        }
        /// Win-back offers that the customer is eligible for, the best first.
        public var eligibleWinBackOfferIDs: [String] { payload.eligibleWinBackOfferIds ?? [] }

        // MARK: Problems

        /// True while the store tries to charge for a renewal that failed.
        public var isInBillingRetry: Bool { payload.isInBillingRetryPeriod ?? false }
        /// End of the grace period; `nil` outside of one.
        public var gracePeriodExpirationDate: Date? { payload.gracePeriodExpiresDate }
        /// Reason of the subscription's end; `nil` before it.
        public var expirationReason: ExpirationReason? {
            payload.expirationIntent.map { ExpirationReason(rawValue: Int($0.rawValue)) }
        }
        /// The customer's answer to a price increase.
        public var priceIncreaseStatus: PriceIncreaseStatus {
            switch payload.priceIncreaseStatus {
            case nil: .noIncreasePending
            case .consented?: .agreed
            default: .pending
            }
        }

        // MARK: Signing

        /// Date of signing.
        public var signedDate: Date { payload.signedDate }
        /// Environment of the store.
        public var environment: AppStore.Environment { AppStore.Environment(rawValue: payload.environment.rawValue) }
        /// Raw value of ``environment``.
        @available(iOS, introduced: 15.0, deprecated: 16.0, renamed: "environment")
        public var environmentStringRepresentation: String { payload.environment.rawValue }
        /// SHA-384 over the nonce and the device verification ID; empty if the store signed for no device.
        public var deviceVerification: Data {
            content.details.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
        }
        /// Nonce of ``deviceVerification``; zeros if the store signed for no device.
        public var deviceVerificationNonce: UUID { content.details.deviceVerificationNonce ?? .zero }
        /// The JWS payload.
        public var jsonRepresentation: Data { content.signed.payload }
    }
}

extension Product.SubscriptionInfo.RenewalInfo: Hashable {
    /// Returns true if both have the same signed payload.
    public static func == (one: Self, other: Self) -> Bool {
        one.content === other.content || one.content.signed.payload == other.content.signed.payload
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(originalTransactionID)
        hasher.combine(signedDate)
    }
}

extension Product.SubscriptionInfo.RenewalInfo: CustomDebugStringConvertible {
    /// The JWS payload as text.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}

/// The decoded payload of signed renewal information.
final class RenewalContent: Sendable {
    let signed: SignedText
    let payload: RenewalInfoPayload
    let originalTransactionID: UInt64

    /// Decodes a payload.
    ///
    /// - Returns: `nil` if it isn't renewal information.
    init?(_ signed: SignedText) {
        guard let payload = try? JSONDecoder().decode(RenewalInfoPayload.self, from: signed.payload),
            let id = UInt64(payload.originalTransactionId, radix: 10)
        else { return nil }
        self.signed = signed
        self.payload = payload
        self.originalTransactionID = id
    }

    /// Rarely used members of the payload, decoded at each use.
    var details: RenewalDetails {
        (try? JSONDecoder().decode(RenewalDetails.self, from: signed.payload)) ?? RenewalDetails()
    }
}

/// Members of the payload that few subscriptions have.
struct RenewalDetails: Decodable, Sendable {
    var advancedCommerceInfo: Product.SubscriptionInfo.RenewalInfo.AdvancedCommerceInfo.Message?
    var bundleOriginalTransactionId: String?
    var bundleProductId: String?
    var bundleSubscriptionGroupIdentifier: String?
    var deviceVerification: String?
    var deviceVerificationNonce: UUID?
    var multiSeatInfo: Product.SubscriptionInfo.RenewalInfo.MultiSeatInfo.Message?
    var renewalQuantity: Int?
    var willUnbundle: Bool?
}
