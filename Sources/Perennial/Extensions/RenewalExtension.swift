/// A request of the App Store Server API to extend a subscription's renewal date.
package struct RenewalExtension: Hashable, Sendable {
    package enum Reason: Int64, Sendable, Codable, CaseIterable {
        case undeclared = 0
        case customerSatisfaction = 1
        case other = 2
        case serviceIssue = 3
    }

    package static let days: ClosedRange<Int64> = 1...90
    package static let maximumIdentifierLength = 128
    /// The most extensions within ``windowDays`` days.
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

/// A granted extension.
package struct GrantedExtension: Hashable, Sendable, Codable {
    package let at: Instant
    package let requestID: String
    package let until: Instant
}

extension Subscription {
    /// Returns the reason why an extension is refused; `nil` if it is granted.
    ///
    /// Refused in a free period, during billing retry and after the end. A family member's subscription is extended
    /// with the purchaser's (App Store Server API: Extend a Subscription Renewal Date).
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
        if until > subscription.paidUntil {
            subscription.anchor = PeriodAnchor(until)
            subscription.unpaidTime += until - subscription.paidUntil
        }
        subscription.state = .running(until: until, now, context)
        // Drops extensions beyond the limit, which no longer count.
        subscription.extensions = subscription.extensions.suffix(RenewalExtension.maximumCount - 1)
        subscription.extensions.append(GrantedExtension(at: now, requestID: request.requestID, until: until))
        changes.append(.expires(subscription.current.transactionID, until))
        emit(.renewalExtended, at: now)
    }
}
