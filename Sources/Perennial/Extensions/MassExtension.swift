/// An extension for all active subscribers of a product.
package struct MassExtension: Hashable, Sendable {
    package var productID: Product.ID
    /// The storefronts to extend; empty for all.
    package var storefronts: Set<Storefront>
    package var request: RenewalExtension

    package private(set) var succeededCount: Int
    package private(set) var failedCount: Int

    /// Creates a request, or continues one after a restart with its earlier counts.
    package init(
        productID: Product.ID, storefronts: Set<Storefront> = [], request: RenewalExtension, succeededCount: Int = 0,
        failedCount: Int = 0
    ) {
        self.productID = productID
        self.storefronts = storefronts
        self.request = request
        self.succeededCount = succeededCount
        self.failedCount = failedCount
    }

    /// Counts a subscription that can't be processed as failed.
    package mutating func countFailure() {
        failedCount += 1
    }

    /// Returns true for a subscription to extend: active, purchased by its owner, of this product, in these
    /// storefronts, and not extended by this request before.
    package func concerns(_ subscription: Subscription, at now: Instant) -> Bool {
        guard subscription.product.id == productID, subscription.ownership == .purchased,
            storefronts.isEmpty || storefronts.contains(subscription.storefront), subscription.isEntitled(at: now)
        else { return false }
        return !subscription.extensions.contains { $0.requestID == request.requestID }
    }

    /// Extends one subscription, or emits that it failed. Never throws, so that one failure doesn't stop the others.
    package mutating func extend(
        _ subscription: Subscription, at now: Instant, in context: SubscriptionContext
    ) -> SubscriptionDecision {
        var decision = SubscriptionDecision(subscription)
        do {
            try decision.extended(request, now, context)
            succeededCount += 1
        } catch {
            decision = SubscriptionDecision(subscription)
            decision.emit(.renewalExtensionFailed, at: now)
            failedCount += 1
        }
        return decision
    }

    /// Returns the event that completes the request.
    package func completed(at now: Instant) -> DomainEvent {
        DomainEvent(.renewalExtensionCompleted, at: now, nil, productID)
    }
}
