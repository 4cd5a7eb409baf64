import AppStoreFormats
import Foundation

extension Transaction {
    /// Original transaction ID of the bundle that the subscription belongs to.
    public var bundleOriginalTransactionID: String? { content.details.bundleOriginalTransactionId }
    /// Product of the bundle that the subscription belongs to.
    public var bundleProductID: String? { content.details.bundleProductId }
    /// Subscription group of the bundle that the subscription belongs to.
    public var bundleSubscriptionGroupID: String? { content.details.bundleSubscriptionGroupIdentifier }
    /// Transaction of the bundle that the subscription belongs to.
    public var bundleTransactionID: String? { content.details.bundleTransactionId }

    /// Commitment that a monthly billing plan is part of.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.CommitmentInfo".
    public struct CommitmentInfo: Equatable, Hashable, Sendable {
        /// Number of this part, from 1.
        public let billingPeriodNumber: UInt64
        /// Number of parts.
        public let totalBillingPeriods: UInt64
        /// End of the commitment.
        public let expirationDate: Date
        /// Price of all parts together.
        public let price: Decimal

        /// Returns `nil` for an incomplete commitment.
        init?(_ message: TransactionPayload.CommitmentInfo?) {
            guard let message, let number = message.billingPeriodNumber.flatMap({ UInt64(exactly: $0) }),
                let total = message.totalBillingPeriods.flatMap({ UInt64(exactly: $0) }),
                let date = message.commitmentExpiresDate, let price = message.commitmentPrice
            else { return nil }
            billingPeriodNumber = number
            totalBillingPeriods = total
            expirationDate = date
            self.price = Decimal(milliunits: price)
        }
    }

    /// Seats of a subscription with several seats.
    public var multiSeatInfo: MultiSeatInfo? { content.details.multiSeatInfo.map { MultiSeatInfo($0) } }

    /// Seats of a subscription with several seats.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.MultiSeatInfo".
    public struct MultiSeatInfo: Equatable, Hashable, Sendable {
        /// Side that invites members.
        public let invitationManagement: InvitationManagement
        /// Prices of seats, in no particular order.
        public let priceTiers: [PriceTier]
        /// Number of revoked seats.
        public let revokedSeatQuantity: Int?

        /// Side that invites members.
        public struct InvitationManagement: RawRepresentable, Equatable, Hashable, Sendable {
            public let rawValue: String

            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The store.
            public static let apple = InvitationManagement(rawValue: "APPLE")
            /// The seller.
            public static let developer = InvitationManagement(rawValue: "DEVELOPER")
        }

        /// Price of a number of seats.
        public struct PriceTier: Equatable, Hashable, Sendable {
            /// Price of a seat.
            public let price: Decimal
            /// Number of seats.
            public let quantity: Int

            init(_ message: Message) {
                price = Decimal(milliunits: message.price)
                quantity = message.quantity
            }

            struct Message: Decodable, Sendable {
                var price: Int64
                var quantity: Int
            }
        }

        init(_ message: Message) {
            invitationManagement = message.invitationManagement.map { InvitationManagement(rawValue: $0) } ?? .apple
            priceTiers = message.priceTiers?.map { PriceTier($0) } ?? []
            revokedSeatQuantity = message.revokedSeatQuantity
        }

        struct Message: Decodable, Sendable {
            var invitationManagement: String?
            var priceTiers: [PriceTier.Message]?
            var revokedSeatQuantity: Int?
        }
    }
}
