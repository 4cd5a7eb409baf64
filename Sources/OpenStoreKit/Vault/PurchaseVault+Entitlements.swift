import Foundation
import Perennial

extension PurchaseVault {
    /// A right to content or a service, by a verified transaction.
    public struct Entitlement: Sendable, Hashable {
        /// Product identifier.
        public var productID: String
        /// Transaction that grants it.
        public var transactionID: UInt64
        /// Original transaction ID.
        public var originalTransactionID: UInt64
        /// Subscription group of an auto-renewable subscription.
        public var subscriptionGroupID: String?
        /// Purchase date by the store's clock.
        public var purchaseDate: Date
        /// End of the paid period, or of the grace period; `nil` for a purchase without an end, and for a non-renewing subscription,
        /// whose end the app decides.
        public var expirationDate: Date?
        /// True if a family member bought it.
        public var isFamilyShared: Bool
    }

    /// The customer's entitlements at this time, by purchase date, without a network.
    ///
    /// A subscription ends with its paid period or its grace period, also if the store has renewed it meanwhile. A refund arrives with
    /// the store's next answer; ``lastConfirmed`` says how old the last one is. The store's clock counts, from its
    /// difference to the device's at that answer; a device's clock that was set back behind it counts as the answer's time.
    public var entitlements: [Entitlement] {
        let contents = contents
        let now = contents.storeTime(at: dependencies.now())
        return contents.currentEntitlements(at: now, includingUnverified: false).map { transaction in
            Entitlement(
                productID: transaction.productID, transactionID: transaction.id,
                originalTransactionID: transaction.originalID, subscriptionGroupID: transaction.groupID,
                purchaseDate: transaction.purchaseDate.date,
                expirationDate: transaction.kind == .autoRenewable ? contents.end(of: transaction)?.date : nil,
                isFamilyShared: transaction.isFamilyShared)
        }
    }

    /// Returns the entitlement to a product, the newest of several; `nil` without one.
    public func entitlement(to productID: String) -> Entitlement? {
        entitlements.last { $0.productID == productID }
    }

    /// Time of the store's last answer about all purchases; `nil` before the first.
    public var lastConfirmed: Date? { contents.confirmedAt?.date }
}
