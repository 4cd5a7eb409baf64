/// The lifecycle of one auto-renewable subscription, as its journal entries tell it in order.
///
/// A pure fold: ``Step/init(_:_:after:_:)`` takes the lifecycle so far and the next entry. Reports need from it what the
/// newest entry doesn't say, such as the price of the period before or the day of the first purchase. A lifecycle never
/// fails: an entry of an older version, without facts or without its transaction, leaves columns empty.
///
/// A renewal counts from the entry of its charge on, which is up to a day before its period starts, so that the
/// reports of sales and of subscriptions agree.
package struct SubscriptionLifecycle: Hashable, Sendable {
    package enum State: String, Sendable, CaseIterable {
        case active
        case gracePeriod
        case billingRetry
        /// Expired or revoked.
        case ended
    }

    /// A period as it was sold.
    package struct Sale: Hashable, Sendable {
        package internal(set) var transactionID: TransactionID?
        package internal(set) var product: Product.ID
        /// The level of service; `nil` if the catalog doesn't know the product.
        package internal(set) var level: Int?
        package internal(set) var group: String?
        /// The standard duration; `nil` if the catalog doesn't know the product.
        package internal(set) var period: Period?
        package internal(set) var storefront: Storefront
        package internal(set) var offer: AppliedOffer?
        package internal(set) var price: Money
        package internal(set) var proceeds: Money
        package internal(set) var isPricePreserved: Bool
        package internal(set) var proceedsReason: ProceedsReason?
        package internal(set) var start: Instant

        package var isFreeTrial: Bool { offer?.paymentMode == .freeTrial }
    }

    /// The end of service.
    struct End: Hashable, Sendable {
        var at: Instant
        /// True after a refund, which a reversal may undo.
        var isRevocation: Bool
        /// True if the subscription was active before.
        var wasActive: Bool
    }

    /// The properties by which statistics group a subscription.
    package struct Traits: Hashable, Sendable {
        package var product: Product.ID
        package var storefront: Storefront
        package var device: DeviceFamily?
        package var appVersion: String?
    }

    /// The first paid period.
    package struct Cohort: Hashable, Sendable {
        package internal(set) var start: Instant
        package internal(set) var traits: Traits
    }

    /// The newest free trial.
    package struct Trial: Hashable, Sendable {
        package internal(set) var day: PacificDay
        package internal(set) var traits: Traits
        var isConverted = false
        /// True if service ended before the customer paid.
        var hasLapsed = false
    }

    package internal(set) var state: State = .active
    /// The newest period sold. It may lie ahead.
    package internal(set) var current: Sale
    /// The period before a renewal, to which the refund of a period that lies ahead leads back.
    var previous: Sale?
    /// The start of a refunded period that lay ahead. A reversal restores it.
    var refundedAhead: Instant?
    var end: End?
    /// The device of the last purchase, with the app's version.
    package internal(set) var device: DeviceFamily?
    package internal(set) var appVersion: String?
    package let originalStart: Instant
    /// The start of service after the last gap.
    package internal(set) var serviceStart: Instant
    /// The paid periods since service started last.
    package internal(set) var consecutivePaidPeriods = 0
    /// True if auto-renew is on.
    package internal(set) var isRenewing = true
    /// The instant at which auto-renew was turned off; `nil` while it is on.
    var turnedOff: Instant?
    /// True if the renewal date of the running period was moved.
    var isExtended = false
    /// The first paid period; `nil` before it.
    package internal(set) var cohort: Cohort?
    package internal(set) var trial: Trial?
    /// The day of the last entry.
    package internal(set) var day: PacificDay

    init(_ sale: Sale, at now: Instant) {
        current = sale
        originalStart = sale.start
        serviceStart = sale.start
        day = PacificDay(now)
    }

    package var traits: Traits {
        Traits(product: current.product, storefront: current.storefront, device: device, appVersion: appVersion)
    }

    /// The subscription's place in the Subscription report; `nil` after its end.
    package var snapshot: ReportSnapshot? {
        let state: ReportSnapshot.State
        switch self.state {
        case .active: state = .active
        case .gracePeriod: state = .gracePeriod
        case .billingRetry: state = .billingRetry
        case .ended: return nil
        }
        return ReportSnapshot(
            product: current.product, group: current.group, period: current.period, offer: current.offer,
            customerPrice: current.price, proceeds: current.proceeds, isPricePreserved: current.isPricePreserved,
            proceedsReason: current.proceedsReason, device: device, storefront: current.storefront, state: state)
    }
}

extension SubscriptionLifecycle.Trial {
    /// The outcomes of a free trial. Each trial has exactly one.
    package enum Outcome: Sendable, CaseIterable {
        /// The customer paid without a gap after it.
        case converted
        /// The first payment is still to come, and auto-renew is on.
        case pending
        /// Auto-renew is off, or service ended, before the customer paid.
        case abandoned
    }

    func outcome(isRenewing: Bool) -> Outcome {
        if isConverted { return .converted }
        return hasLapsed || !isRenewing ? .abandoned : .pending
    }
}

extension SubscriptionLifecycle {
    /// The outcome of the newest free trial; `nil` if there was none.
    package var trialOutcome: Trial.Outcome? { trial?.outcome(isRenewing: isRenewing) }
}

extension SubscriptionLifecycle {
    /// The effect of one journal entry.
    package struct Step: Sendable {
        /// The Pacific day on which the effect counts: the entry's, but no earlier than that of the entry before.
        package let day: PacificDay
        package let at: Instant
        /// The lifecycle before the entry; `nil` before the first.
        package let before: SubscriptionLifecycle?
        package let lifecycle: SubscriptionLifecycle
        /// True if the entry charged for a further period of a running subscription.
        package let isRenewal: Bool
        /// True if the entry started a free trial.
        package let startsTrial: Bool
        /// The rows that the entry adds to the Subscription Event report.
        package let events: [SubscriptionReportEvent]

        package var snapshotBefore: ReportSnapshot? { before?.snapshot }
        package var snapshot: ReportSnapshot? { lifecycle.snapshot }

        /// Applies the next entry.
        ///
        /// - Parameters:
        ///   - transaction: The entry's transaction. Only its properties that never change are read, except for the
        ///     expiry of a refunded period.
        ///   - lifecycle: The lifecycle so far; `nil` before the first entry.
        ///   - products: The products of the app by their IDs.
        /// - Returns: `nil` for an entry of a family member, of another kind of product, or of a subscription whose
        ///   purchase is unknown.
        package init?(
            _ entry: JournalEntry, _ transaction: Transaction?, after lifecycle: SubscriptionLifecycle?,
            _ products: [Product.ID: Product]
        ) {
            guard case .subscription(let kind) = entry.kind, transaction?.ownership != .familyShared else {
                return nil
            }
            before = lifecycle
            let isSale = LifecycleWriter.sales.contains(kind)
            var writer = LifecycleWriter(entry, transaction, products, lifecycle)
            guard let applied = writer.apply(kind) else { return nil }
            day = applied.day
            at = entry.at
            self.lifecycle = applied
            isRenewal = kind == .renewed || kind == .recovered
            startsTrial = isSale && applied.current.isFreeTrial && (lifecycle.map { $0.state == .ended } ?? true)
            events = writer.events
        }
    }
}
