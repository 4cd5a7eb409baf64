import AppStoreFormats
import Foundation

extension Product.SubscriptionInfo.RenewalInfo {
    /// Reason of a subscription's end.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo.RenewalInfo.ExpirationReason".
    public struct ExpirationReason: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// The customer turned renewal off.
        public static let autoRenewDisabled = ExpirationReason(rawValue: 1)
        /// The payment failed.
        public static let billingError = ExpirationReason(rawValue: 2)
        /// The customer didn't agree to a higher price.
        public static let didNotConsentToPriceIncrease = ExpirationReason(rawValue: 3)
        /// The product wasn't for sale at the renewal.
        public static let productUnavailable = ExpirationReason(rawValue: 4)
        /// Another reason.
        public static let unknown = ExpirationReason(rawValue: 5)
        /// The subscription left its bundle.
        public static var unbundled: ExpirationReason { ExpirationReason(rawValue: 6) }

        /// A description for people, in English.
        public var localizedDescription: String {
            switch self {
            case .autoRenewDisabled: "Auto-Renew Disabled"
            case .billingError: "Billing Error"
            case .didNotConsentToPriceIncrease: "Did Not Consent to Price Increase"
            case .productUnavailable: "Product Unavailable"
            case .unbundled: "Unbundled"
            default: "Unknown"
            }
        }
    }

    /// The customer's answer to a price increase.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo.RenewalInfo.PriceIncreaseStatus".
    @frozen public enum PriceIncreaseStatus: Equatable, Hashable, Sendable, BitwiseCopyable {
        /// The price doesn't increase.
        case noIncreasePending
        /// The customer has not answered.
        case pending
        /// The customer agreed, or was told of an increase that needs no consent.
        case agreed

        /// A description for people, in English.
        public var localizedDescription: String {
            switch self {
            case .noIncreasePending: "No Increase Pending"
            case .pending: "Pending"
            case .agreed: "Agreed"
            }
        }
    }

    // MARK: Offer

    /// Offer of the next renewal; `nil` at the regular price.
    public var offer: Transaction.Offer? {
        let payload = content.payload
        return Transaction.Offer(
            payload.offerType, id: payload.offerIdentifier, mode: payload.offerDiscountType, period: payload.offerPeriod
        )
    }

    /// Kind of ``offer``.
    @available(iOS, introduced: 15.0, deprecated: 18.0, renamed: "offer.type")
    public var offerType: Transaction.OfferType? {
        content.payload.offerType.map { Transaction.OfferType(rawValue: Int($0.rawValue)) }
    }
    /// Identifier of ``offer``.
    @available(iOS, introduced: 15.0, deprecated: 18.0, renamed: "offer.id")
    public var offerID: String? { content.payload.offerIdentifier }
    /// Raw value of the payment mode of ``offer``.
    @available(iOS, introduced: 15.0, deprecated: 18.0, renamed: "offer.paymentMode")
    public var offerPaymentModeStringRepresentation: String? { content.payload.offerDiscountType?.rawValue }
    /// Duration of ``offer`` in ISO 8601.
    @available(iOS, introduced: 15.0, deprecated: 18.4, renamed: "offer.period")
    public var offerPeriodStringRepresentation: String? { content.payload.offerPeriod }

    // MARK: Bundles

    /// Original transaction ID of the bundle that the subscription belongs to.
    public var bundleOriginalTransactionID: String? { content.details.bundleOriginalTransactionId }
    /// Product of the bundle that the subscription belongs to.
    public var bundleProductID: String? { content.details.bundleProductId }
    /// Subscription group of the bundle that the subscription belongs to.
    public var bundleSubscriptionGroupID: String? { content.details.bundleSubscriptionGroupIdentifier }
    /// True if the subscription leaves its bundle at the next renewal.
    public var willUnbundle: Bool { content.details.willUnbundle ?? false }

    // MARK: Commitment and seats

    /// Commitment that follows the present one.
    public var commitmentInfo: CommitmentInfo? { CommitmentInfo(content.payload.commitmentInfo) }

    /// Commitment that follows the present one.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo.RenewalInfo.CommitmentInfo".
    public struct CommitmentInfo: Sendable, Hashable {
        /// Product of the next commitment.
        public let autoRenewPreference: String
        /// Billing plan of the next commitment.
        public let renewalBillingPlanType: Product.SubscriptionInfo.BillingPlanType
        /// Date on which the commitment renews.
        public let renewalDate: Date
        /// Price of the next commitment.
        public let renewalPrice: Decimal
        /// True if the commitment renews.
        public let willAutoRenew: Bool

        /// Returns `nil` for an incomplete commitment.
        init?(_ message: RenewalInfoPayload.CommitmentInfo?) {
            guard let message, let product = message.commitmentAutoRenewProductId,
                let plan = message.commitmentRenewalBillingPlanType, let date = message.commitmentRenewalDate,
                let price = message.commitmentRenewalPrice, let status = message.commitmentAutoRenewStatus
            else { return nil }
            autoRenewPreference = product
            renewalBillingPlanType = Product.SubscriptionInfo.BillingPlanType(rawValue: plan.rawValue)
            renewalDate = date
            renewalPrice = Decimal(milliunits: price)
            willAutoRenew = status == .on
        }
    }

    /// Seats of the next renewal.
    public var multiSeatInfo: MultiSeatInfo? { content.details.multiSeatInfo.map { MultiSeatInfo($0) } }

    /// Seats of the next renewal.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo.RenewalInfo.MultiSeatInfo".
    public struct MultiSeatInfo: Equatable, Hashable, Sendable {
        /// Prices of seats at the next renewal.
        public let renewalPriceTiers: [Transaction.MultiSeatInfo.PriceTier]

        struct Message: Decodable, Sendable {
            var renewalPriceTiers: [Transaction.MultiSeatInfo.PriceTier.Message]?
        }

        init(_ message: Message) {
            renewalPriceTiers = message.renewalPriceTiers?.map { Transaction.MultiSeatInfo.PriceTier($0) } ?? []
        }
    }
}
