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
        /// End of the paid period, of the grace period, or of a non-renewing subscription's term; `nil` for a purchase without an end,
        /// and for a non-renewing subscription without a known term, whose end the app decides.
        public var expirationDate: Date?
        /// True if a family member bought it.
        public var isFamilyShared: Bool
    }

    /// The customer's entitlements at this time, by purchase date, without a network.
    ///
    /// A subscription ends with its paid period or its grace period, also if the store has renewed it meanwhile. A non-renewing
    /// subscription ends with its term by the connection's ``NonRenewingTermRules``. A refund arrives with the store's next answer;
    /// ``lastConfirmed`` says how old the last one is. The store's clock counts, from its difference to the device's at that answer.
    /// A device's clock that was set back extends nothing; one that was set forward ends periods until the store's next answer.
    public var entitlements: [Entitlement] {
        let now = storeTime
        let contents = contents
        return contents.currentEntitlements(at: now, includingUnverified: false).compactMap { transaction in
            let end = end(of: transaction, in: contents)
            if transaction.kind == .nonRenewing, let end, end <= now { return nil }
            return Entitlement(
                productID: transaction.productID, transactionID: transaction.id,
                originalTransactionID: transaction.originalID, subscriptionGroupID: transaction.groupID,
                purchaseDate: transaction.purchaseDate.date,
                expirationDate: end?.date,
                isFamilyShared: transaction.isFamilyShared)
        }
    }

    /// Returns the end of an entitlement; `nil` if it has none, or the app decides about it.
    private func end(of transaction: VaultTransaction, in contents: VaultContents) -> Instant? {
        switch transaction.kind {
        case .autoRenewable: contents.end(of: transaction)
        case .nonRenewing:
            transaction.expirationDate
                ?? nonRenewingTerms?.end(of: transaction.productID, boughtAt: transaction.purchaseDate)
        case .nonConsumable, .consumable, .other: nil
        }
    }

    /// Returns the entitlement to a product, the newest of several; `nil` without one.
    public func entitlement(to productID: String) -> Entitlement? {
        entitlements.last { $0.productID == productID }
    }

    /// Time of the store's last answer about all purchases; `nil` before the first.
    public var lastConfirmed: Date? { contents.confirmedAt?.date }
}
