/// Applies one journal entry to a lifecycle.
struct LifecycleWriter {
    private let entry: JournalEntry
    private let transaction: Transaction?
    private let products: [Product.ID: Product]
    private let before: SubscriptionLifecycle?
    private(set) var events: [SubscriptionReportEvent] = []

    /// The kinds of entries that sell a period.
    static let sales: Set<DomainEvent.Kind> = [
        .subscribed, .resubscribed, .upgraded, .upgradedWithOffer, .renewed, .recovered,
    ]

    init(
        _ entry: JournalEntry, _ transaction: Transaction?, _ products: [Product.ID: Product],
        _ before: SubscriptionLifecycle?
    ) {
        self.entry = entry
        self.transaction = transaction
        self.products = products
        self.before = before
    }

    /// Returns the lifecycle after the entry; `nil` if it isn't known how the subscription began.
    mutating func apply(_ kind: DomainEvent.Kind) -> SubscriptionLifecycle? {
        if Self.sales.contains(kind) { return sell(isRenewal: kind == .renewed || kind == .recovered) }
        guard var lifecycle = before else { return nil }
        lifecycle.day = max(lifecycle.day, PacificDay(entry.at))
        change(&lifecycle, kind)
        return lifecycle
    }

    private mutating func change(_ lifecycle: inout SubscriptionLifecycle, _ kind: DomainEvent.Kind) {
        switch kind {
        case .autoRenewEnabled: (lifecycle.isRenewing, lifecycle.turnedOff) = (true, nil)
        case .autoRenewDisabled, .autoRenewEnded: (lifecycle.isRenewing, lifecycle.turnedOff) = (false, entry.at)
        case .renewalExtended: (lifecycle.isExtended, lifecycle.refundedAhead) = (true, nil)
        case .renewalFailedWithGrace: lifecycle.state = .gracePeriod
        case .renewalFailed, .gracePeriodEnded:
            events.append(makeEvent(lifecycle.retryEventName, lifecycle))
            lifecycle.state = .billingRetry
        case .expiredByChoice, .expiredAfterBillingRetry, .expiredForPriceIncrease, .expiredProductNotForSale, .expired:
            expire(&lifecycle, ExpirationIntent(kind))
        case .subscriptionRefunded: refund(&lifecycle)
        case .subscriptionRefundReversed: reverse(&lifecycle)
        default: break
        }
    }

    // MARK: - Sales

    private mutating func sell(isRenewal: Bool) -> SubscriptionLifecycle {
        let sale = makeSale(fallback: before?.current)
        var lifecycle = before ?? SubscriptionLifecycle(sale, at: entry.at)
        let name = sale.eventName(after: before)
        let hadEnded = before?.state == .ended
        lifecycle.day = max(lifecycle.day, PacificDay(entry.at))
        if hadEnded { (lifecycle.serviceStart, lifecycle.consecutivePaidPeriods) = (sale.start, 0) }
        if sale.price.milliunits > 0 {
            lifecycle.consecutivePaidPeriods += 1
        }
        lifecycle.previous = before?.state == .active && isRenewal ? before?.current : nil
        lifecycle.current = sale
        lifecycle.state = .active
        (lifecycle.end, lifecycle.refundedAhead, lifecycle.isExtended) = (nil, nil, false)
        if !isRenewal { (lifecycle.isRenewing, lifecycle.turnedOff) = (true, nil) }
        lifecycle.device = entry.facts?.device ?? lifecycle.device
        lifecycle.appVersion = entry.facts?.appVersion ?? lifecycle.appVersion
        if sale.price.milliunits > 0, lifecycle.cohort == nil {
            lifecycle.cohort = SubscriptionLifecycle.Cohort(start: sale.start, traits: lifecycle.traits)
        }
        lifecycle.updateTrial(isRunning: before != nil && !hadEnded)
        var event = makeEvent(name, lifecycle)
        if let before, sale.planChange(from: before.current) != .same {
            event.previousProduct = before.current.product
        }
        if let end = before?.end, hadEnded {
            event.daysCanceled = PacificDay(end.at).days(until: PacificDay(entry.at))
        }
        if before?.state == .gracePeriod || before?.state == .billingRetry, sale.price.milliunits > 0 {
            event.paidServiceDaysRecovered = sale.days
        }
        events.append(event)
        return lifecycle
    }

    /// Returns the entry's transaction as a sale, with the properties of another one where it doesn't say them.
    private func makeSale(fallback: SubscriptionLifecycle.Sale?) -> SubscriptionLifecycle.Sale {
        let id = transaction?.productID ?? entry.productID ?? fallback?.product ?? Product.ID(rawValue: "")
        let subscription = products[id]?.subscription
        func sum(_ account: Posting.Account) -> Int64 {
            entry.postings.reduce(0) { $1.account == account ? $0 + $1.amount.milliunits : $0 }
        }
        let currency =
            transaction?.price.currency ?? entry.postings.first?.amount.currency ?? fallback?.price.currency ?? .usd
        let paid = Money(milliunits: -sum(.customer), currency)
        return SubscriptionLifecycle.Sale(
            transactionID: entry.transactionID, product: id, level: subscription?.level,
            group: transaction?.subscriptionGroupID ?? subscription?.groupID, period: subscription?.period,
            storefront: transaction?.storefront ?? fallback?.storefront ?? Storefront(rawValue: ""),
            offer: transaction?.offer, price: transaction?.price ?? paid,
            proceeds: Money(milliunits: sum(.proceeds), entry.postings.first?.amount.currency ?? currency),
            isPricePreserved: entry.facts?.isPricePreserved ?? false, proceedsReason: entry.facts?.proceedsReason,
            start: transaction?.purchaseDate ?? entry.at)
    }

    /// Returns the sale of a period whose refund was reversed. Its proceeds follow from those of the reversal.
    private func restoredSale() -> SubscriptionLifecycle.Sale {
        var sale = makeSale(fallback: before?.current)
        let returned = -entry.postings.reduce(0) { $1.account == .customer ? $0 + $1.amount.milliunits : $0 }
        if returned > 0, returned != sale.price.milliunits {
            let whole = sale.proceeds.milliunits.clampedMultiplied(by: sale.price.milliunits) / returned
            sale.proceeds = Money(milliunits: whole, sale.proceeds.currency)
        }
        return sale
    }

    // MARK: - Ends and refunds

    private mutating func expire(_ lifecycle: inout SubscriptionLifecycle, _ intent: ExpirationIntent) {
        guard lifecycle.state != .ended else { return }
        let canceled = intent == .customerCancelled ? lifecycle.turnedOff ?? entry.at : entry.at
        var event = makeEvent(lifecycle.cancelEventName, lifecycle)
        event.cancellationReason = SubscriptionReportEvent.CancellationReason(intent)
        event.daysBeforeCanceling = PacificDay(lifecycle.serviceStart).days(until: PacificDay(canceled))
        events.append(event)
        if let ahead = lifecycle.refundedAhead, entry.at.wholeSeconds < ahead { lifecycle.refundedAhead = nil }
        end(&lifecycle, isRevocation: false)
        (lifecycle.isRenewing, lifecycle.turnedOff) = (false, lifecycle.turnedOff ?? entry.at)
    }

    private func end(_ lifecycle: inout SubscriptionLifecycle, isRevocation: Bool) {
        lifecycle.end = SubscriptionLifecycle.End(
            at: lifecycle.end?.at ?? entry.at, isRevocation: isRevocation, wasActive: lifecycle.state == .active)
        lifecycle.state = .ended
        if lifecycle.trial?.isConverted == false { lifecycle.trial?.hasLapsed = true }
    }

    private mutating func refund(_ lifecycle: inout SubscriptionLifecycle) {
        let isNewest = entry.transactionID == lifecycle.current.transactionID
        var refunded = lifecycle
        if !isNewest { refunded.current = makeSale(fallback: lifecycle.current) }
        events.append(makeEvent(.refund, refunded))
        if !isNewest {
            if entry.transactionID == lifecycle.previous?.transactionID { lifecycle.previous = nil }
        } else if lifecycle.state == .active, entry.at < lifecycle.current.start, let running = lifecycle.previous {
            if lifecycle.current.price.milliunits > 0 { lifecycle.consecutivePaidPeriods -= 1 }
            lifecycle.refundedAhead = lifecycle.current.start
            (lifecycle.current, lifecycle.previous) = (running, nil)
        } else if lifecycle.end?.isRevocation != true {
            end(&lifecycle, isRevocation: true)
        }
    }

    private func reverse(_ lifecycle: inout SubscriptionLifecycle) {
        let expires = transaction?.expiresDate ?? entry.at
        if entry.transactionID == lifecycle.current.transactionID {
            guard let end = lifecycle.end, end.isRevocation else { return }
            lifecycle.end?.isRevocation = false
            if end.wasActive, entry.at < expires { (lifecycle.state, lifecycle.end) = (.active, nil) }
        } else if entry.at < expires {
            let canFollow =
                lifecycle.state == .active || lifecycle.state == .ended && lifecycle.end?.isRevocation == false
            let restored = restoredSale()
            if restored.start == lifecycle.refundedAhead, canFollow {
                if restored.price.milliunits > 0 { lifecycle.consecutivePaidPeriods += 1 }
                (lifecycle.previous, lifecycle.current) = (lifecycle.current, restored)
                (lifecycle.state, lifecycle.end, lifecycle.refundedAhead) = (.active, nil, nil)
            } else if expires == lifecycle.current.start {
                lifecycle.previous = restored
            }
        }
    }

    private func makeEvent(
        _ name: SubscriptionReportEvent.Name, _ lifecycle: SubscriptionLifecycle
    ) -> SubscriptionReportEvent {
        let sale = lifecycle.current
        return SubscriptionReportEvent(
            name, product: sale.product, group: sale.group, period: sale.period, offer: sale.offer,
            isPricePreserved: sale.isPricePreserved, proceedsReason: sale.proceedsReason,
            consecutivePaidPeriods: lifecycle.consecutivePaidPeriods,
            originalStart: PacificDay(lifecycle.originalStart),
            device: lifecycle.device, storefront: sale.storefront)
    }
}

extension SubscriptionLifecycle {
    /// Begins a free trial with the service, or converts it. A free period of a running subscription begins none.
    fileprivate mutating func updateTrial(isRunning: Bool) {
        if current.isFreeTrial {
            if !isRunning { trial = Trial(day: day, traits: traits) }
        } else if isRunning, current.price.milliunits > 0, trial?.hasLapsed == false {
            trial?.isConverted = true
        }
    }
}

extension SubscriptionLifecycle.Sale {
    /// Days that the sale pays for, by the calendar.
    fileprivate var days: Int? {
        guard let span = offer?.period ?? period else { return nil }
        return Int(clamping: (span.end(after: start) - start) / .days(1))
    }
}

extension PacificDay {
    fileprivate func days(until other: PacificDay) -> Int { Int(clamping: max(0, other.number - number)) }
}

extension ExpirationIntent {
    /// Creates the intent of an event that ends a subscription.
    fileprivate init(_ kind: DomainEvent.Kind) {
        self = Self.allCases.first { $0.event == kind } ?? .other
    }
}
