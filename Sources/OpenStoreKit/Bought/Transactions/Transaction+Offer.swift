import AppStoreFormats
import Foundation

extension Transaction {
    /// Kind of an offer.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.OfferType".
    public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// An offer for new customers of the group.
        public static let introductory = OfferType(rawValue: 1)
        /// An offer that the seller signed.
        public static let promotional = OfferType(rawValue: 2)
        /// An offer redeemed with a code.
        public static let code = OfferType(rawValue: 3)
        /// An offer for customers who left.
        public static var winBack: OfferType { OfferType(rawValue: 4) }

        /// A description for people, in English.
        public var localizedDescription: String {
            switch self {
            case .introductory: "Introductory"
            case .promotional: "Promotional"
            case .code: "Offer Code"
            case .winBack: "Win-Back"
            default: "\(rawValue)"
            }
        }
    }

    /// The offer that set the price of a transaction.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.Offer".
    public struct Offer: Equatable, Hashable, Sendable {
        /// Identifier of the offer; `nil` for introductory offers.
        public let id: String?
        /// Kind of offer.
        public let type: OfferType
        /// Payment mode; `nil` if the store doesn't say it.
        public let paymentMode: PaymentMode?
        /// Duration; `nil` if the store doesn't say it.
        public let period: Product.SubscriptionPeriod?

        /// Payment mode of an offer.
        ///
        /// Source: Apple, StoreKit documentation, "Transaction.Offer.PaymentMode".
        public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
            public let rawValue: String

            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// Free of charge.
            public static let freeTrial = PaymentMode(rawValue: "FREE_TRIAL")
            /// A lower price in each period.
            public static let payAsYouGo = PaymentMode(rawValue: "PAY_AS_YOU_GO")
            /// One price for all periods.
            public static let payUpFront = PaymentMode(rawValue: "PAY_UP_FRONT")
            /// One price for a product that isn't a subscription.
            public static var oneTime: PaymentMode { PaymentMode(rawValue: "ONE_TIME") }
        }

        init?(
            _ type: AppStoreFormats.OfferType?, id: String?, mode: OfferDiscountType?, period: String?
        ) {
            guard let type else { return nil }
            self.id = id
            self.type = OfferType(rawValue: Int(type.rawValue))
            self.paymentMode = mode.map { PaymentMode(rawValue: $0.rawValue) }
            self.period = period.flatMap { Product.SubscriptionPeriod(iso8601: $0) }
        }
    }

    /// Offer of the transaction; `nil` at the regular price.
    public var offer: Offer? {
        let payload = content.payload
        return Offer(
            payload.offerType, id: payload.offerIdentifier, mode: payload.offerDiscountType, period: payload.offerPeriod
        )
    }

    /// Kind of ``offer``.
    @available(iOS, introduced: 15.0, deprecated: 17.2, renamed: "offer.type")
    public var offerType: OfferType? { content.payload.offerType.map { OfferType(rawValue: Int($0.rawValue)) } }
    /// Identifier of ``offer``.
    @available(iOS, introduced: 15.0, deprecated: 17.2, renamed: "offer.id")
    public var offerID: String? { content.payload.offerIdentifier }
    /// Raw value of the payment mode of ``offer``.
    @available(iOS, introduced: 15.0, deprecated: 17.2, renamed: "offer.paymentMode")
    public var offerPaymentModeStringRepresentation: String? { content.payload.offerDiscountType?.rawValue }
    /// Duration of ``offer`` in ISO 8601.
    @available(iOS, introduced: 15.0, deprecated: 18.4, renamed: "offer.period")
    public var offerPeriodStringRepresentation: String? { content.payload.offerPeriod }
}
