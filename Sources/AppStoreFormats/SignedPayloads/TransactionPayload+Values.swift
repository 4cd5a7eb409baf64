import FastJSON
import Foundation

extension TransactionPayload {
    /// The kind of product, in the words of signed transactions.
    public struct ProductType: RawRepresentable, Hashable, Sendable, Codable {
        /// The name on the wire.
        public let rawValue: String

        /// Takes any name, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A subscription that the store renews.
        public static let autoRenewableSubscription = Self(rawValue: "Auto-Renewable Subscription")
        /// A product that is bought once and kept.
        public static let nonConsumable = Self(rawValue: "Non-Consumable")
        /// A product that is used up and bought again.
        public static let consumable = Self(rawValue: "Consumable")
        /// A subscription whose term the seller keeps.
        public static let nonRenewingSubscription = Self(rawValue: "Non-Renewing Subscription")
    }

    /// The reason of a refund.
    public struct RevocationReason: RawRepresentable, Hashable, Sendable, Codable {
        /// The number on the wire.
        public let rawValue: Int32

        /// Takes any number, known or not.
        public init(rawValue: Int32) { self.rawValue = rawValue }

        /// Another reason than an issue with the app.
        public static let other = Self(rawValue: 0)
        /// An issue with the app.
        public static let issueWithApp = Self(rawValue: 1)
    }

    /// The kind of a revocation.
    public struct RevocationType: RawRepresentable, Hashable, Sendable, Codable {
        /// The name on the wire.
        public let rawValue: String

        /// Takes any name, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// A full refund.
        public static let refundFull = Self(rawValue: "REFUND_FULL")
        /// A prorated refund.
        public static let refundProrated = Self(rawValue: "REFUND_PRORATED")
        /// Family Sharing ended.
        public static let familyRevoke = Self(rawValue: "FAMILY_REVOKE")
    }

    /// The cause of a transaction.
    public struct TransactionReason: RawRepresentable, Hashable, Sendable, Codable {
        /// The name on the wire.
        public let rawValue: String

        /// Takes any name, known or not.
        public init(rawValue: String) { self.rawValue = rawValue }

        /// The customer; an upgrade, too.
        public static let purchase = Self(rawValue: "PURCHASE")
        /// The store; a downgrade that takes effect, too.
        public static let renewal = Self(rawValue: "RENEWAL")
    }

    /// The commitment that a monthly billing plan is part of.
    public struct CommitmentInfo: Hashable, Sendable, Codable {
        /// The number of this part, from 1.
        public var billingPeriodNumber: Int32?
        /// The number of parts.
        public var totalBillingPeriods: Int32?
        /// The date on which the commitment ends.
        @OptionalMilliseconds public var commitmentExpiresDate: Date?
        /// The price of all parts together, in thousandths of the currency's unit.
        public var commitmentPrice: Int64?

        /// Makes an empty one.
        public init() {}

        func write(to json: inout JSONWriter) {
            json.beginObject("commitmentInfo")
            json.number("billingPeriodNumber", billingPeriodNumber.map(Int64.init))
            json.number("totalBillingPeriods", totalBillingPeriods.map(Int64.init))
            json.milliseconds("commitmentExpiresDate", commitmentExpiresDate)
            json.number("commitmentPrice", commitmentPrice)
            json.endObject()
        }
    }
}
