import Foundation

extension Transaction.AdvancedCommerceInfo {
    /// Offer of an item.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.AdvancedCommerceInfo.Offer".
    public struct Offer: Equatable, Hashable, Sendable {
        /// Duration of a period of the offer.
        public let period: Product.SubscriptionPeriod
        /// Number of periods.
        public let periodCount: Int
        /// Price of a period.
        public let price: Decimal
        /// Purpose of the offer.
        public let reason: Reason

        /// Purpose of an offer.
        public struct Reason: Equatable, Hashable, RawRepresentable, Sendable {
            public let rawValue: String

            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// New customers.
            public static let acquisition = Reason(rawValue: "ACQUISITION")
            /// Customers who are about to leave.
            public static let retention = Reason(rawValue: "RETENTION")
            /// Customers who left.
            public static let winBack = Reason(rawValue: "WIN_BACK")
        }

        struct Message: Decodable, Sendable {
            var period: String
            var periodCount: Int
            var price: Int64
            var reason: String
        }

        /// Returns `nil` for an unknown period.
        init?(_ message: Message) {
            guard let period = Product.SubscriptionPeriod(iso8601: message.period) else { return nil }
            self.period = period
            periodCount = message.periodCount
            price = Decimal(milliunits: message.price)
            reason = Reason(rawValue: message.reason)
        }
    }

    /// Partner of an item.
    public struct Partner: Equatable, Hashable, Sendable {
        /// Identifier of the partner.
        public let id: String
        /// Name of the partner.
        public let name: String?

        struct Message: Decodable, Sendable {
            var id: String
            var name: String?
        }
    }

    /// Price of seats.
    public struct SeatPriceTier: Equatable, Hashable, Sendable {
        /// Largest number of seats at this price; `nil` without a limit.
        public let maximumSeatQuantity: Int?
        /// Price of a seat.
        public let price: Decimal

        struct Message: Decodable, Sendable {
            var maximumSeatQuantity: Int?
            var price: Int64
        }

        init(_ message: Message) {
            maximumSeatQuantity = message.maximumSeatQuantity
            price = Decimal(milliunits: message.price)
        }
    }

    /// Refund of an item.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.AdvancedCommerceInfo.Refund".
    public struct Refund: Equatable, Hashable, Sendable {
        /// Refunded amount.
        public let amount: Decimal
        /// Date of the refund.
        public let date: Date
        /// Reason of the refund.
        public let reason: Reason
        /// Kind of refund.
        public let type: RefundType

        /// Reason of a refund.
        public struct Reason: Equatable, Hashable, RawRepresentable, Sendable {
            public let rawValue: String

            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// Legal reasons.
            public static let legal = Reason(rawValue: "LEGAL")
            /// Items were changed.
            public static let modifyItems = Reason(rawValue: "MODIFY_ITEMS_REFUND")
            /// Another reason.
            public static let other = Reason(rawValue: "OTHER")
            /// The item wasn't delivered.
            public static let unfulfilled = Reason(rawValue: "FULFILLMENT_ISSUE")
            /// Bought by mistake.
            public static let unintended = Reason(rawValue: "UNINTENDED_PURCHASE")
            /// The customer isn't satisfied.
            public static let unsatisfied = Reason(rawValue: "UNSATISFIED_WITH_PURCHASE")
        }

        /// Kind of refund.
        public struct RefundType: Equatable, Hashable, RawRepresentable, Sendable {
            public let rawValue: String

            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// A chosen amount.
            public static let custom = RefundType(rawValue: "CUSTOM")
            /// The whole price.
            public static let full = RefundType(rawValue: "FULL")
            /// The part of the price for the rest of the period.
            public static let proRated = RefundType(rawValue: "PRORATED")
        }

        struct Message: Decodable, Sendable {
            var refundAmount: Int64
            var refundDate: Double
            var refundReason: String
            var refundType: String
        }

        init(_ message: Message) {
            amount = Decimal(milliunits: message.refundAmount)
            date = Date(milliseconds: message.refundDate)
            reason = Reason(rawValue: message.refundReason)
            type = RefundType(rawValue: message.refundType)
        }
    }
}
