/// Applies one journal entry to a story.
struct StoryWriter {
    private let entry: JournalEntry
    private let transaction: Transaction?
    private let products: [Product.ID: Product]
    private let before: SubscriptionStory?
    private(set) var events: [SubscriptionReportEvent] = []

    /// The kinds of entries that sell a period.
    static let sales: Set<DomainEvent.Kind> = [
        .subscribed, .resubscribed, .upgraded, .upgradedWithOffer, .renewed, .recovered,
    ]

    init(
        _ entry: JournalEntry, _ transaction: Transaction?, _ products: [Product.ID: Product],
        _ before: SubscriptionStory?
    ) {
        self.entry = entry
        self.transaction = transaction
        self.products = products
        self.before = before
    }

    /// Returns the story after the entry; `nil` if it isn't known how the subscription began.
    mutating func apply(_ kind: DomainEvent.Kind) -> SubscriptionStory? {
        if Self.sales.contains(kind) { return sell(isRenewal: kind == .renewed || kind == .recovered) }
        guard var story = before else { return nil }
        story.day = max(story.day, PacificDay(entry.at))
        change(&story, kind)
        return story
    }

    private mutating func change(_ story: inout SubscriptionStory, _ kind: DomainEvent.Kind) {
        switch kind {
        case .autoRenewEnabled: (story.isRenewing, story.turnedOff) = (true, nil)
        case .autoRenewDisabled, .autoRenewEnded: (story.isRenewing, story.turnedOff) = (false, entry.at)
        case .renewalExtended: (story.isExtended, story.refundedAhead) = (true, nil)
        case .renewalFailedWithGrace: story.state = .gracePeriod
        case .renewalFailed, .gracePeriodEnded:
            events.append(makeEvent(story.retryEventName, story))
            story.state = .billingRetry
        case .expiredByChoice, .expiredAfterBillingRetry, .expiredForPriceIncrease, .expiredProductNotForSale, .expired:
            expire(&story, ExpirationIntent(kind))
        case .subscriptionRefunded: refund(&story)
        case .subscriptionRefundReversed: reverse(&story)
        default: break
        }
    }

    // MARK: - Sales

    private mutating func sell(isRenewal: Bool) -> SubscriptionStory {
        let sale = makeSale(fallback: before?.current)
        var story = before ?? SubscriptionStory(sale, at: entry.at)
        let name = sale.eventName(after: before)
        let hadEnded = before?.state == .ended
        story.day = max(story.day, PacificDay(entry.at))
        if hadEnded { (story.serviceStart, story.consecutivePaidPeriods) = (sale.start, 0) }
        if sale.price.milliunits > 0 {
            story.consecutivePaidPeriods += 1
        }
        story.previous = before?.state == .active && isRenewal ? before?.current : nil
        story.current = sale
        story.state = .active
        (story.end, story.refundedAhead, story.isExtended) = (nil, nil, false)
        if !isRenewal { (story.isRenewing, story.turnedOff) = (true, nil) }
        story.device = entry.facts?.device ?? story.device
        story.appVersion = entry.facts?.appVersion ?? story.appVersion
        if sale.price.milliunits > 0, story.cohort == nil {
            story.cohort = SubscriptionStory.Cohort(start: sale.start, traits: story.traits)
        }
        story.updateTrial(isRunning: before != nil && !hadEnded)
        var event = makeEvent(name, story)
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
        return story
    }

    /// Returns the entry's transaction as a sale, with the properties of another one where it doesn't say them.
    private func makeSale(fallback: SubscriptionStory.Sale?) -> SubscriptionStory.Sale {
        let id = transaction?.productID ?? entry.productID ?? fallback?.product ?? Product.ID(rawValue: "")
        let subscription = products[id]?.subscription
        func sum(_ account: Posting.Account) -> Int64 {
            entry.postings.reduce(0) { $1.account == account ? $0 + $1.amount.milliunits : $0 }
        }
        let currency =
            transaction?.price.currency ?? entry.postings.first?.amount.currency ?? fallback?.price.currency ?? .usd
        let paid = Money(milliunits: -sum(.customer), currency)
        return SubscriptionStory.Sale(
            transactionID: entry.transactionID, product: id, level: subscription?.level,
            group: transaction?.subscriptionGroupID ?? subscription?.groupID, period: subscription?.period,
            storefront: transaction?.storefront ?? fallback?.storefront ?? Storefront(rawValue: ""),
            offer: transaction?.offer, price: transaction?.price ?? paid,
            proceeds: Money(milliunits: sum(.proceeds), entry.postings.first?.amount.currency ?? currency),
            isPricePreserved: entry.facts?.isPricePreserved ?? false, proceedsReason: entry.facts?.proceedsReason,
            start: transaction?.purchaseDate ?? entry.at)
    }

    /// Returns the sale of a period whose refund was reversed. Its proceeds follow from those of the reversal.
    private func restoredSale() -> SubscriptionStory.Sale {
        var sale = makeSale(fallback: before?.current)
        let returned = -entry.postings.reduce(0) { $1.account == .customer ? $0 + $1.amount.milliunits : $0 }
        if returned > 0, returned != sale.price.milliunits {
            let whole = sale.proceeds.milliunits.clampedMultiplied(by: sale.price.milliunits) / returned
            sale.proceeds = Money(milliunits: whole, sale.proceeds.currency)
        }
        return sale
    }

    // MARK: - Ends and refunds

    private mutating func expire(_ story: inout SubscriptionStory, _ intent: ExpirationIntent) {
        guard story.state != .ended else { return }
        let canceled = intent == .customerCancelled ? story.turnedOff ?? entry.at : entry.at
        var event = makeEvent(story.cancelEventName, story)
        event.cancellationReason = SubscriptionReportEvent.CancellationReason(intent)
        event.daysBeforeCanceling = PacificDay(story.serviceStart).days(until: PacificDay(canceled))
        events.append(event)
        if let ahead = story.refundedAhead, entry.at.wholeSeconds < ahead { story.refundedAhead = nil }
        end(&story, isRevocation: false)
        (story.isRenewing, story.turnedOff) = (false, story.turnedOff ?? entry.at)
    }

    private func end(_ story: inout SubscriptionStory, isRevocation: Bool) {
        story.end = SubscriptionStory.End(
            at: story.end?.at ?? entry.at, isRevocation: isRevocation, wasActive: story.state == .active)
        story.state = .ended
        if story.trial?.isConverted == false { story.trial?.hasLapsed = true }
    }

    private mutating func refund(_ story: inout SubscriptionStory) {
        let isNewest = entry.transactionID == story.current.transactionID
        var refunded = story
        if !isNewest { refunded.current = makeSale(fallback: story.current) }
        events.append(makeEvent(.refund, refunded))
        if !isNewest {
            if entry.transactionID == story.previous?.transactionID { story.previous = nil }
        } else if story.state == .active, entry.at < story.current.start, let running = story.previous {
            if story.current.price.milliunits > 0 { story.consecutivePaidPeriods -= 1 }
            story.refundedAhead = story.current.start
            (story.current, story.previous) = (running, nil)
        } else if story.end?.isRevocation != true {
            end(&story, isRevocation: true)
        }
    }

    private func reverse(_ story: inout SubscriptionStory) {
        let expires = transaction?.expiresDate ?? entry.at
        if entry.transactionID == story.current.transactionID {
            guard let end = story.end, end.isRevocation else { return }
            story.end?.isRevocation = false
            if end.wasActive, entry.at < expires { (story.state, story.end) = (.active, nil) }
        } else if entry.at < expires {
            let canFollow = story.state == .active || story.state == .ended && story.end?.isRevocation == false
            let restored = restoredSale()
            if restored.start == story.refundedAhead, canFollow {
                if restored.price.milliunits > 0 { story.consecutivePaidPeriods += 1 }
                (story.previous, story.current) = (story.current, restored)
                (story.state, story.end, story.refundedAhead) = (.active, nil, nil)
            } else if expires == story.current.start {
                story.previous = restored
            }
        }
    }

    private func makeEvent(
        _ name: SubscriptionReportEvent.Name, _ story: SubscriptionStory
    ) -> SubscriptionReportEvent {
        let sale = story.current
        return SubscriptionReportEvent(
            name, product: sale.product, group: sale.group, period: sale.period, offer: sale.offer,
            isPricePreserved: sale.isPricePreserved, proceedsReason: sale.proceedsReason,
            consecutivePaidPeriods: story.consecutivePaidPeriods, originalStart: PacificDay(story.originalStart),
            device: story.device, storefront: sale.storefront)
    }
}

extension SubscriptionStory {
    /// Begins a free trial with the service, or converts it. A free period of a running subscription begins none.
    fileprivate mutating func updateTrial(isRunning: Bool) {
        if current.isFreeTrial {
            if !isRunning { trial = Trial(day: day, traits: traits) }
        } else if isRunning, current.price.milliunits > 0, trial?.hasLapsed == false {
            trial?.isConverted = true
        }
    }
}

extension SubscriptionStory.Sale {
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
