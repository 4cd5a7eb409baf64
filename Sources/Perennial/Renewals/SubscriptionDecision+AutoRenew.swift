extension SubscriptionDecision {
    /// Turns auto-renew on or off. Without a change nothing happens. Turning it off while a charge is retried ends
    /// the subscription, because nothing is left to wait for.
    mutating func setAutoRenew(_ isOn: Bool, _ now: Instant) throws {
        guard subscription.ownership == .purchased else {
            throw refusal(.familyShared, "the purchaser decides about renewal")
        }
        switch subscription.state {
        case .active:
            if isOn { turnOn(now) } else { turnOff(now) }
        case .gracePeriod, .billingRetry:
            guard !isOn else { return }
            turnOff(now)
            expire(.customerCancelled, now)
            // A subscription that was cancelled in time also ends where grace begins. One millisecond tells the two
            // apart.
            let paidUntil = subscription.paidUntil
            subscription.state = .expired(
                at: max(now, paidUntil + 1), paidUntil: paidUntil, .customerCancelled)
        case .expired, .revoked: throw refusal(.wrongState, "the subscription has ended: buy it again")
        }
    }

    mutating func turnOn(_ now: Instant) {
        guard !subscription.renewal.isOn else { return }
        subscription.renewal.isOn = true
        reschedule(now)
        emit(.autoRenewEnabled, at: now)
    }

    mutating func turnOff(_ now: Instant) {
        guard subscription.renewal.isOn else { return }
        subscription.renewal.isOn = false
        emit(.autoRenewDisabled, at: now)
    }

    /// Moves a charge that became due meanwhile to now.
    mutating func reschedule(_ now: Instant) {
        if case .active(let until, let chargeAt) = subscription.state {
            subscription.state = .active(until: until, chargeAt: min(max(chargeAt, now + 1), until))
        }
    }

    /// Applies the seller's new price to the next renewal. A lower price needs no notice.
    mutating func priceChanged(_ price: Money, _ needsConsent: Bool, _ now: Instant) throws {
        guard case .active = subscription.state, subscription.ownership == .purchased else {
            throw refusal(.wrongState, "only an active subscription of the purchaser is told of a new price")
        }
        guard price != subscription.renewal.price else { return }
        // Compared with the price being paid, not with an increase that was announced but not charged.
        let isCurrent = subscription.renewal.productID == subscription.product.id
        let paid = isCurrent ? subscription.product.price : subscription.renewal.price
        let isIncrease = price.milliunits > paid.milliunits
        subscription.renewal.price = price
        guard isIncrease else {
            subscription.renewal.priceIncrease = nil
            reschedule(now)
            return emit(.priceLowered, at: now)
        }
        subscription.lastPriceIncrease = now
        subscription.renewal.priceIncrease = needsConsent ? .awaitingConsent : .announced
        reschedule(now)
        emit(needsConsent ? .priceIncreasePending : .priceIncreaseAccepted, at: now)
    }

    /// Records the customer's answer to a price increase. It may change until the renewal.
    mutating func priceAnswered(_ accepted: Bool, _ now: Instant) throws {
        guard case .active = subscription.state, let status = subscription.renewal.priceIncrease, status.asksForConsent,
            status != .accepted
        else { throw refusal(.noPriceIncrease, "no price increase awaits an answer") }
        subscription.renewal.priceIncrease = accepted ? .accepted : .declined
        if accepted { reschedule(now) }
        emit(accepted ? .priceIncreaseAccepted : .priceIncreaseDeclined, at: now)
    }

    /// Ends the subscription for an operator and cuts its period at `now`. A period that was charged ahead ends where
    /// it begins. The customer who turned auto-renew off has cancelled.
    mutating func expireNow(_ now: Instant) throws {
        guard subscription.ownership == .purchased else {
            throw refusal(.familyShared, "it ends with the purchaser's subscription")
        }
        switch subscription.state {
        case .active(let until, let chargeAt):
            let end = min(now.wholeSeconds, until)
            if end < subscription.current.start, let running = subscription.previous {
                changes.append(.expires(running.transactionID, end))
            }
            changes.append(.expires(subscription.current.transactionID, max(end, subscription.current.start)))
            subscription.state = .active(until: end, chargeAt: min(chargeAt, end))
        case .gracePeriod, .billingRetry: break
        case .expired, .revoked: throw refusal(.wrongState, "the subscription has ended")
        }
        expire(subscription.renewal.isOn ? .other : .customerCancelled, now)
    }
}
