import Perennial

/// How a subscription stands, as the journal alone tells of it.
struct Standing: Hashable, Sendable {
    /// One, or several where entries leave it open: they carry no periods.
    var states: Set<Subscription.StateName>
    var isRenewing: Bool
    var productID: Product.ID?
    /// The transaction of the newest period; `nil` where entries leave it open.
    var newest: TransactionID?
    /// Renewals since the last purchase.
    var renewals = 0

    /// What the first purchase makes.
    fileprivate init(soldBy entry: JournalEntry) {
        states = [.active]
        isRenewing = true
        productID = entry.productID
        newest = entry.transactionID
    }

    fileprivate mutating func follow(_ fact: Fact.Kind, _ entry: JournalEntry) {
        switch fact {
        case .subscribed, .resubscribed, .upgraded, .upgradedWithOffer: self = Standing(soldBy: entry)
        case .renewed, .recovered:
            let before = renewals
            self = Standing(soldBy: entry)
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
            // A period that was charged ahead leaves the running one in force.
            states = states == [.active] ? [.revoked, .active] : states.union([.revoked])
            (newest, productID) = (nil, nil)
        case .subscriptionRefundReversed: (states, newest, productID) = (Self.any, nil, nil)
        default: break
        }
    }

    private static let any = Set(Subscription.StateName.allCases)

    /// - Throws: ``Violation`` where the table says something else.
    func compare(with subscription: Subscription) throws(Violation) {
        func disagree(_ what: String) -> Violation {
            Violation(.journalAndTables, "the subscription \(subscription.id): \(what)")
        }
        guard states.contains(subscription.stateName) else {
            let told = states.sorted().map(\.rawValue).joined(separator: " or ")
            throw disagree("the journal says \(told), the table \(subscription.stateName)")
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
    /// Goes on with the story of the subscription that an entry is about.
    mutating func tell(_ entry: JournalEntry) {
        guard case .subscription(let fact) = entry.kind, let id = entry.originalID else { return }
        if standings[id] == nil {
            standings[id] = Standing(soldBy: entry)
        } else {
            standings[id]?.follow(fact, entry)
        }
    }
}
