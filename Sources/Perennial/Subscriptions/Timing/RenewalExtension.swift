/// A request to move a subscription's renewal date, as the App Store Server API takes it.
package struct RenewalExtension: Hashable, Sendable {
    package enum Reason: Int64, Sendable, Codable, CaseIterable {
        case undeclared = 0
        case customerSatisfaction = 1
        case other = 2
        case serviceIssue = 3
    }

    package static let days: ClosedRange<Int64> = 1...90
    package static let maximumIdentifierLength = 128
    /// So many extensions in ``window`` days.
    package static let maximumCount = 2
    package static let windowDays: Int64 = 365

    package var days: Int64
    package var reason: Reason
    package var requestID: String

    package init(days: Int64, reason: Reason, requestID: String) {
        self.days = days
        self.reason = reason
        self.requestID = requestID
    }
}

/// An extension that was granted.
package struct GrantedExtension: Hashable, Sendable, Codable {
    package let at: Instant
    package let requestID: String
    package let until: Instant
}

extension Subscription {
    /// Why an extension can't be granted; `nil` if it can. A free period, a retried charge or an end makes it
    /// impossible, and a family member's copy is covered by the purchaser's (App Store Server API: Extend a
    /// Subscription Renewal Date).
    package func refusal(of request: RenewalExtension, at now: Instant, _ timing: SubscriptionTiming)
        -> SubscriptionError?
    {
        func refusal(_ code: SubscriptionError.Code, _ reason: String) -> SubscriptionError {
            SubscriptionError(code, id, reason)
        }
        guard RenewalExtension.days.contains(request.days) else {
            return refusal(.invalidExtensionDays, "an extension is 1 to 90 days")
        }
        guard ownership == .purchased else {
            return refusal(.familySharedExtensionIneligible, "extend the purchaser's subscription")
        }
        guard case .active(let until, _) = state, now < until else {
            return refusal(.extensionIneligible, "the subscription isn't active")
        }
        guard paidDays > 0, current.offer?.terms.paymentMode != .freeTrial else {
            return refusal(.extensionIneligible, "nothing is paid for: the subscription is in a free offer")
        }
        let window =
            timing == .calendar ? Int64.days(RenewalExtension.windowDays) : timing.end(of: .year, after: now) - now
        guard extensions.count(where: { now - $0.at < window }) < RenewalExtension.maximumCount else {
            return refusal(.maximumExtensions, "it was extended twice within a year")
        }
        return nil
    }
}

extension SubscriptionDecision {
    mutating func extended(_ request: RenewalExtension, _ now: Instant, _ context: SubscriptionContext) throws {
        if let refusal = subscription.refusal(of: request, at: now, context.timing) { throw refusal }
        let until = subscription.paidUntil + context.timing.length(ofDays: request.days)
        if until > subscription.paidUntil { subscription.anchor = PeriodAnchor(until) }
        subscription.state = .running(until: until, now, context)
        // Older ones don't count any more; the limit keeps the list short.
        subscription.extensions = subscription.extensions.suffix(RenewalExtension.maximumCount - 1)
        subscription.extensions.append(GrantedExtension(at: now, requestID: request.requestID, until: until))
        changes.append(.expires(subscription.current.transactionID, until))
        note(.renewalExtended, at: now)
    }
}

/// An extension for every active subscriber of a product.
package struct MassExtension: Hashable, Sendable {
    package var productID: Product.ID
    /// Empty: all of them.
    package var storefronts: Set<Storefront>
    package var request: RenewalExtension

    package private(set) var succeededCount: Int
    package private(set) var failedCount: Int

    /// - Parameters:
    ///   - succeededCount: How many have been extended before, where a request is taken up again.
    ///   - failedCount: How many could not be.
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

    /// Counts a subscription that can't be worked on as one whose extension failed.
    package mutating func leaveOut() {
        failedCount += 1
    }

    /// Whether a subscription is meant: an active one, bought by its owner, of this product, in one of these
    /// storefronts.
    package func concerns(_ subscription: Subscription, at now: Instant) -> Bool {
        guard subscription.product.id == productID, subscription.ownership == .purchased,
            storefronts.isEmpty || storefronts.contains(subscription.storefront), subscription.isEntitled(at: now)
        else { return false }
        return !subscription.extensions.contains { $0.requestID == request.requestID }
    }

    /// Extends one subscription, or tells that it could not be: never throws, so that the others are not kept waiting.
    package mutating func extend(
        _ subscription: Subscription, at now: Instant, in context: SubscriptionContext
    ) -> SubscriptionDecision {
        var decision = SubscriptionDecision(subscription)
        do {
            try decision.extended(request, now, context)
            succeededCount += 1
        } catch {
            decision = SubscriptionDecision(subscription)
            decision.note(.renewalExtensionFailed, at: now)
            failedCount += 1
        }
        return decision
    }

    /// The fact that ends the request.
    package func completed(at now: Instant) -> Fact {
        Fact(.renewalExtensionCompleted, at: now, nil, productID)
    }
}
