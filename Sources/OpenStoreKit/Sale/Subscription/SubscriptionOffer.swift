import Foundation

extension Product {
    /// An introductory, promotional or win-back offer of a subscription.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionOffer".
    public struct SubscriptionOffer: Equatable, Hashable, Sendable {
        /// Offer identifier; `nil` for an introductory offer.
        public let id: String?
        /// Type of the offer.
        public let type: OfferType
        /// Price of a period, in the storefront's currency.
        public let price: Decimal
        /// Price of a period, as text.
        public let displayPrice: String
        /// Length of one period of the offer.
        public let period: SubscriptionPeriod
        /// Number of periods that the offer lasts.
        public let periodCount: Int
        /// Payment mode of the offer.
        public let paymentMode: PaymentMode

        /// Reads an offer of the store; `nil` for an unknown period.
        init?(_ offer: ProductsAnswer.Offer, type: OfferType, currency: String, locale: Locale) {
            guard let period = SubscriptionPeriod(iso8601: offer.period) else { return nil }
            let price = Decimal(milliunits: offer.price)
            self.id = offer.offerId
            self.type = type
            self.price = price
            self.displayPrice =
                offer.displayPrice ?? price.formatted(Decimal.FormatStyle.Currency(code: currency, locale: locale))
            self.period = period
            self.periodCount = offer.periodCount ?? 1
            self.paymentMode = PaymentMode(storeName: offer.paymentMode)
        }

        /// Types of offers: the known ones, or a later one.
        public struct OfferType: RawRepresentable, Equatable, Hashable, Sendable {
            /// Name of the type.
            public let rawValue: String

            /// Makes a type from its name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// An offer for new subscribers.
            public static let introductory = OfferType(rawValue: "Introductory")
            /// An offer that the seller signs for present and former subscribers.
            public static let promotional = OfferType(rawValue: "Promotional")
            /// An offer for former subscribers.
            public static let winBack = OfferType(rawValue: "WinBack")

            /// Name of the type in the language of the process.
            public var localizedDescription: String {
                switch self {
                case .winBack: "Win-Back"
                default: rawValue
                }
            }
        }

        /// Payment modes of offers: the known ones, or a later one.
        public struct PaymentMode: RawRepresentable, Equatable, Hashable, Sendable {
            /// Name of the payment mode.
            public let rawValue: String

            /// Makes a payment mode from its name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The price is charged for each period of the offer.
            public static let payAsYouGo = PaymentMode(rawValue: "PayAsYouGo")
            /// The price is charged once for the whole offer.
            public static let payUpFront = PaymentMode(rawValue: "PayUpFront")
            /// The offer is free.
            public static let freeTrial = PaymentMode(rawValue: "FreeTrial")

            /// Name of the payment mode in the language of the process.
            public var localizedDescription: String {
                switch self {
                case .payAsYouGo: "Pay As You Go"
                case .payUpFront: "Pay Up Front"
                case .freeTrial: "Free Trial"
                default: rawValue
                }
            }

            /// Reads the name of a payment mode in store/v1.
            init(storeName: String) {
                switch storeName {
                case "payAsYouGo": self = .payAsYouGo
                case "payUpFront": self = .payUpFront
                case "freeTrial": self = .freeTrial
                default: self.init(rawValue: storeName)
                }
            }
        }

        /// The seller's signature of a promotional offer, in its original form.
        public struct Signature: Equatable, Hashable, Sendable {
            /// Identifier of the signing key.
            public var keyID: String
            /// One-time UUID of the signature.
            public var nonce: UUID
            /// Signing time in milliseconds since 1970.
            public var timestamp: Int
            /// Signature in DER.
            public var signature: Data

            /// Makes a signature from its parts.
            public init(keyID: String, nonce: UUID, timestamp: Int, signature: Data) {
                self.keyID = keyID
                self.nonce = nonce
                self.timestamp = timestamp
                self.signature = signature
            }
        }
    }
}
