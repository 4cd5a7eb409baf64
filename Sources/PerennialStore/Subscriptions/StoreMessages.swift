import Perennial
import PerennialStorage

/// A message of the App Store to a customer, shown in the app (StoreKit's `Message`).
package struct StoreMessage: Hashable, Sendable {
    package enum Reason: String, Sendable, CaseIterable {
        case billingIssue
        case priceIncreaseConsent
        case winBackOffer
        /// Any other message; this store has none.
        case generic
    }

    package var reason: Reason
    package var productID: Product.ID
    /// The subscription's original transaction.
    package var subscriptionID: TransactionID

    package init(reason: Reason, productID: Product.ID, subscriptionID: TransactionID) {
        (self.reason, self.productID, self.subscriptionID) = (reason, productID, subscriptionID)
    }
}

extension Subscriptions {
    /// Returns the messages that a customer should see in the app now: about payments that failed, prices that need
    /// consent, and offers to come back.
    package func messages(to customer: Customer) async throws -> [StoreMessage] {
        try await database.read { [self] connection in
            let now = try clock.now(on: connection)
            return try SubscriptionsTable.all(of: customer.key, on: connection).compactMap { subscription in
                guard subscription.ownership == .purchased,
                    let reason = try reason(of: subscription, at: now, on: connection)
                else { return nil }
                return StoreMessage(
                    reason: reason, productID: subscription.product.id, subscriptionID: subscription.id)
            }
        }
    }

    private func reason(
        of subscription: Subscription, at now: Instant, on connection: any Connection
    ) throws -> StoreMessage.Reason? {
        switch subscription.status(at: now) {
        case .active: subscription.renewal.priceIncrease == .awaitingConsent ? .priceIncreaseConsent : nil
        case .gracePeriod, .billingRetry: .billingIssue
        case .expired: try eligibleWinBackOffers(subscription, on: connection).isEmpty ? nil : .winBackOffer
        case .revoked: nil
        }
    }

    /// Answers a price increase for the app's customer.
    ///
    /// - Throws: ``StoreError`` `.transactionNotFound`, also for another customer's subscription; `SubscriptionError`
    ///   `.noPriceIncrease`.
    package func answerPriceIncrease(of id: TransactionID, accepted: Bool, by customer: Customer) async throws {
        try await database.read { [environment] connection in
            let found = try SubscriptionsTable.subscription(id, app: customer.key.app, environment.id, on: connection)
            guard found?.accountID == customer.key.account else {
                throw StoreError(
                    .transactionNotFound, id.description, "this customer has no subscription of that number")
            }
        }
        _ = try await perform(.answerPriceIncrease(accepted: accepted), on: id)
    }
}
