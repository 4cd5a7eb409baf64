import Foundation

extension Transaction {
    /// Ownership of a product.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.OwnershipType".
    public struct OwnershipType: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Bought by the customer.
        public static let purchased = OwnershipType(rawValue: "PURCHASED")
        /// Bought by a member of the customer's family.
        public static let familyShared = OwnershipType(rawValue: "FAMILY_SHARED")
        /// Assigned by an organisation.
        public static var assigned: OwnershipType { OwnershipType(rawValue: "ASSIGNED") }

        /// A description for people, in English.
        public var localizedDescription: String {
            switch self {
            case .purchased: "Purchased"
            case .familyShared: "Family Shared"
            case .assigned: "Assigned"
            default: rawValue
            }
        }
    }

    /// Cause of a transaction.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.Reason".
    public struct Reason: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// The customer; an upgrade, too.
        public static let purchase = Reason(rawValue: "PURCHASE")
        /// The store, which renewed a subscription.
        public static let renewal = Reason(rawValue: "RENEWAL")
    }

    /// Further cause of a transaction.
    public struct AdditionalTransactionReason: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// Seats were added to a subscription.
        public static let seatAddition = AdditionalTransactionReason(rawValue: "SEAT_ADDITION")
    }

    /// Reason of a refund.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.RevocationReason".
    public struct RevocationReason: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: Int

        public init(rawValue: Int) {
            self.rawValue = rawValue
        }

        /// An issue with the app.
        public static let developerIssue = RevocationReason(rawValue: 1)
        /// Another reason.
        public static let other = RevocationReason(rawValue: 0)
        /// The customer upgraded to a bundle.
        public static var upgradedToBundle: RevocationReason { RevocationReason(rawValue: 2) }

        /// A description for people, in English.
        public var localizedDescription: String {
            switch self {
            case .developerIssue: "Developer Issue"
            case .other: "Other"
            case .upgradedToBundle: "Upgraded to Bundle"
            default: "\(rawValue)"
            }
        }
    }

    /// Kind of revocation.
    ///
    /// Source: Apple, StoreKit documentation, "Transaction.RevocationType".
    public struct RevocationType: RawRepresentable, Equatable, Hashable, Sendable {
        public let rawValue: String

        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// A full refund.
        public static let fullRefund = RevocationType(rawValue: "REFUND_FULL")
        /// A prorated refund.
        public static let proratedRefund = RevocationType(rawValue: "REFUND_PRORATED")
        /// Family Sharing ended.
        public static let familyRevocation = RevocationType(rawValue: "FAMILY_REVOKE")
        /// An assignment ended.
        public static var assignmentRevocation: RevocationType { RevocationType(rawValue: "ASSIGNMENT_REVOKE") }
    }
}
