/// The rules that decide which customers are eligible for an offer.
package enum OfferEligibility {
    /// Returns true if the customer is eligible for an introductory offer: once in a group, whichever of its products
    /// the offer was for, and also through the family. Product information and purchases both follow this rule.
    ///
    /// Source: receipts. A trial or introductory period among the customer's transactions, shared ones included,
    /// rules out another in the group.
    package static func introductory(_ subscriptions: GroupSubscriptions) -> Bool {
        !subscriptions.all.contains(where: \.usedIntroductoryOffer)
    }

    /// Returns true for current and former subscribers. The seller decides about the rest by signing.
    package static func promotional(_ subscription: Subscription?) -> Bool {
        subscription != nil
    }

    /// Returns the win-back offers of a product that a customer is eligible for now, in the seller's order: best
    /// first.
    /// - Parameter storefront: `nil` for offers of any storefront.
    package static func winBack(
        _ product: Product, _ subscription: Subscription?, in storefront: Storefront? = nil, at now: Instant,
        _ timing: SubscriptionTiming
    ) -> [Offer] {
        product.subscription?.winBackOffers.filter { offer in
            if let availability = offer.availability {
                guard availability.includes(now), storefront.map(availability.includes) ?? true else { return false }
            }
            let rules = offer.winBackRules ?? WinBackRules()
            return offer.id.map { rules.admits(subscription, offer: $0, at: now, timing) } ?? false
        } ?? []
    }

    /// Returns the first instant after `now` at which the answer of ``winBack(_:_:in:at:_:)`` may be another one, if nothing but time
    /// changes; `nil` for never.
    package static func nextWinBackChange(
        _ product: Product, _ subscription: Subscription, after now: Instant, _ timing: SubscriptionTiming
    ) -> Instant? {
        let offers = product.subscription?.winBackOffers ?? []
        let changes = offers.flatMap { offer in
            (offer.winBackRules ?? WinBackRules()).changes(subscription, timing)
                + [offer.availability?.starts, offer.availability?.ends].compactMap(\.self)
        }
        return changes.filter { $0 > now }.min()
    }

    /// Returns true if the customer belongs to an offer code's groups.
    /// - Parameter groups: The eligible groups; empty for all customers.
    package static func code(_ groups: Set<Offer.Eligibility>, _ subscription: Subscription?) -> Bool {
        groups.isEmpty || groups.contains(eligibility(of: subscription))
    }

    static func isUsed(_ kind: AppliedOffer.Kind, _ id: String, _ subscription: Subscription?) -> Bool {
        subscription?.offersUsed.contains { $0.kind == kind && $0.id == id } ?? false
    }

    /// Returns the customer's group for offer codes: new, existing or expired.
    static func eligibility(of subscription: Subscription?) -> Offer.Eligibility {
        switch subscription?.state {
        case nil: .new
        case .active, .gracePeriod, .billingRetry: .existing
        case .expired, .revoked: .expired
        }
    }
}

/// A customer's present and past subscriptions in one group.
package struct GroupSubscriptions: Hashable, Sendable {
    /// The purchased subscription: at most one in a group.
    package var own: Subscription?
    /// The member subscriptions of the customer.
    package var shared: [Subscription]

    package init(own: Subscription? = nil, shared: [Subscription] = []) {
        self.own = own
        self.shared = shared
    }

    /// Selects the subscriptions of a group.
    /// - Parameter subscriptions: All of the customer's subscriptions, in any group.
    package init(_ subscriptions: [Subscription], group: String?) {
        let inGroup = subscriptions.filter { $0.groupID == group }
        self.init(
            own: inGroup.last { $0.ownership == .purchased }, shared: inGroup.filter { $0.ownership == .familyShared })
    }

    package var all: [Subscription] { shared + (own.map { [$0] } ?? []) }
}

extension Subscription {
    /// True if an introductory offer was used. Older member subscriptions have it in their periods only.
    var usedIntroductoryOffer: Bool {
        offersUsed.contains { $0.kind == .introductory }
            || [current, previous].contains { $0?.offer?.terms.kind == .introductory }
    }
}
