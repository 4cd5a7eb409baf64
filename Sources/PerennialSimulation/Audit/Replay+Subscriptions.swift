import Perennial

/// The state of a subscription that follows from the journal alone.
struct ReplayedSubscription: Hashable, Sendable {
    /// Possible states: several where the entries, which carry no periods, don't say more.
    var states: Set<Subscription.StateName>
    var isRenewing: Bool
    var productID: Product.ID?
    /// Transaction of the newest period; `nil` where the entries don't say it.
    var newest: TransactionID?
    /// Renewals since the last purchase.
    var renewals = 0

    /// Makes the state after a purchase.
    fileprivate init(soldBy entry: JournalEntry) {
        states = [.active]
        isRenewing = true
        productID = entry.productID
        newest = entry.transactionID
    }

    fileprivate mutating func apply(_ event: DomainEvent.Kind, _ entry: JournalEntry) {
        switch event {
        case .subscribed, .resubscribed, .upgraded, .upgradedWithOffer: self = ReplayedSubscription(soldBy: entry)
        case .renewed, .recovered:
            let before = renewals
            self = ReplayedSubscription(soldBy: entry)
            renewals = before + 1
        case .autoRenewEnabled: isRenewing = true
        case .autoRenewDisabled, .autoRenewEnded: isRenewing = false
        case .renewalFailedWithGrace: states = [.gracePeriod]
        case .renewalFailed, .gracePeriodEnded: states = [.billingRetry]
        case .expired, .expiredByChoice, .expiredAfterBillingRetry, .expiredForPriceIncrease,
            .expiredProductNotForSale:
            states = [.expired]
            isRenewing = false
        case .familyAccessRevoked: states = [.revoked]
        case .subscriptionRefunded where newest == nil || newest == entry.transactionID:
            // The refund of a period charged ahead leaves the running one in force.
            states = states == [.active] ? [.revoked, .active] : states.union([.revoked])
            (newest, productID) = (nil, nil)
        case .subscriptionRefundReversed: (states, newest, productID) = (Self.any, nil, nil)
        default: break
        }
    }

    private static let any = Set(Subscription.StateName.allCases)

    /// Compares with the table.
    ///
    /// - Throws: ``Violation``.
    func compare(with subscription: Subscription) throws(Violation) {
        func disagree(_ what: String) -> Violation {
            Violation(.journalAndTables, "the subscription \(subscription.id): \(what)")
        }
        guard states.contains(subscription.stateName) else {
            let expected = states.sorted().map(\.rawValue).joined(separator: " or ")
            throw disagree("the journal says \(expected), the table \(subscription.stateName)")
        }
        guard isRenewing == subscription.renewal.isOn else {
            throw disagree("auto-renew is \(isRenewing) in the journal, and not in the table")
        }
        guard newest ?? subscription.current.transactionID == subscription.current.transactionID,
            productID ?? subscription.product.id == subscription.product.id
        else { throw disagree("another transaction or product than the journal's newest") }
        guard renewals == subscription.renewals else {
            throw disagree("renewed \(renewals) times in the journal, \(subscription.renewals) in the table")
        }
    }
}

extension Replay {
    /// Applies an entry to its subscription.
    mutating func applyToSubscription(_ entry: JournalEntry) {
        guard case .subscription(let event) = entry.kind, let id = entry.originalID else { return }
        if subscriptions[id] == nil {
            subscriptions[id] = ReplayedSubscription(soldBy: entry)
        } else {
            subscriptions[id]?.apply(event, entry)
        }
    }
}
