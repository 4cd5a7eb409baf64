import Foundation

extension Product.SubscriptionInfo {
    /// Statuses of the subscriptions in the product's group: the customer's own, and those shared by the family.
    ///
    /// - Throws: ``StoreKitError`` if the store can't be reached and this device knows nothing of it yet.
    ///
    /// Source: Apple, StoreKit documentation, "status".
    public var status: [Status] {
        get async throws { try await Self.status(for: subscriptionGroupID) }
    }

    /// Statuses of the subscriptions in a group.
    ///
    /// - Throws: ``StoreKitError`` if the store can't be reached and this device knows nothing of it yet.
    ///
    /// Source: Apple, StoreKit documentation, "status(for:)".
    public static func status(for groupID: String) async throws -> [Status] {
        guard let sync = try await TransactionSync.currentForStatuses() else { return [] }
        return sync.statuses(inGroup: groupID)
    }

    /// Status of the subscription that a transaction belongs to; `nil` for a transaction without a subscription.
    ///
    /// - Throws: ``StoreKitError`` if the store can't be reached and this device knows nothing of it yet.
    ///
    /// Source: Apple, StoreKit documentation, "status(transactionID:)".
    public static func status(transactionID: UInt64) async throws -> SubscriptionStatus? {
        guard let sync = try await TransactionSync.currentForStatuses() else { return nil }
        return sync.status(ofTransaction: transactionID)
    }

    /// True if the customer may use the introductory offers of the product's group.
    ///
    /// Source: Apple, StoreKit documentation, "isEligibleForIntroOffer".
    public var isEligibleForIntroOffer: Bool {
        get async { await Self.isEligibleForIntroOffer(for: subscriptionGroupID) }
    }

    /// Returns true if the customer may use the introductory offers of a group: they never used one of the group.
    ///
    /// Source: Apple, StoreKit documentation, "isEligibleForIntroOffer(for:)".
    public static func isEligibleForIntroOffer(for groupID: String) async -> Bool {
        guard let sync = CurrentStore.connection?.transactionSync else { return false }
        await sync.waitUntilCurrent()
        // A device that knows nothing of the customer promises nothing.
        return sync.hasAnswer && sync.isEligibleForIntroductoryOffer(inGroup: groupID)
    }
}

extension TransactionSync {
    /// Returns the current store's transactions, up to date, for a request that can fail.
    ///
    /// - Throws: The session's simulated error; ``StoreKitError`` if the store never answered and no backup was imported.
    fileprivate static func currentForStatuses() async throws -> TransactionSync? {
        guard let connection = CurrentStore.connection else { return nil }
        try connection.simulatedErrors.check(.subscriptionStatus)
        let sync = connection.transactionSync
        await sync.waitUntilCurrent()
        if !sync.knowsPurchases, let failure = sync.lastFailure { throw StoreKitError(wrapping: failure) }
        return sync
    }
}
