import Perennial

/// The life of one subscription in a test, driven as the store drives it.
///
/// Due work is done at the instant at which it is due. A charge succeeds while the card works.
struct Life {
    private(set) var subscription: Subscription
    private(set) var transactions: [Transaction]
    private(set) var events: [DomainEvent]
    private(set) var last: SubscriptionDecision
    var context: SubscriptionContext
    var onSale: [Product.ID: SubscriptionPlan]
    var cardWorks = true
    /// The instants of the due work done.
    private(set) var worked: [Instant] = []
    private var lastID: Int64 = 1000

    static let start = Instant(CivilDate(year: 2025, month: 1, day: 31), millisecondOfDay: .hours(10))

    init(
        _ plan: SubscriptionPlan = .monthly, offers: [OfferTerms] = [], at start: Instant = Life.start,
        timing: SubscriptionTiming = .calendar, billing: BillingPolicy = BillingPolicy(chargeLead: 0)
    ) throws {
        context = SubscriptionContext(timing: timing, billing: billing, terms: .standard, renewalPlan: plan)
        onSale = Dictionary(uniqueKeysWithValues: SubscriptionPlan.all.map { ($0.productID, $0) })
        onSale[plan.productID] = plan
        var number: Int64 = 1000
        last = try Subscription.first(
            plan, offers: offers, for: Subscriber(Account.ID(rawValue: 7), applicationUsername: "ann"), at: start,
            in: context
        ) {
            number += 1
            return number
        }
        lastID = number
        subscription = last.subscription
        transactions = last.transactions
        events = last.events
    }

    /// The newest transaction.
    var newest: Transaction { transactions[transactions.count - 1] }

    /// Returns the kinds of the events after the first `count`.
    func kinds(after count: Int = 0) -> [DomainEvent.Kind] { events.dropFirst(count).map(\.kind) }

    @discardableResult
    mutating func happen(_ event: SubscriptionEvent, at now: Instant) throws -> [DomainEvent.Kind] {
        context.renewalPlan = onSale[subscription.renewal.productID]
        var number = lastID
        let decision = try subscription.decide(event, at: now, in: context) {
            number += 1
            return number
        }
        lastID = number
        take(decision)
        return decision.events.map(\.kind)
    }

    /// Returns the event that reverses a transaction's refund.
    func reversal(of transaction: Transaction) -> SubscriptionEvent {
        let refund = events.last { $0.kind == .subscriptionRefunded && $0.transactionID == transaction.id }
        return .refundReversed(transaction, refund?.postings ?? [], of: onSale[transaction.productID])
    }

    mutating func take(_ decision: SubscriptionDecision) {
        last = decision
        subscription = decision.subscription
        transactions = transactions.map { decision.changes.reduce($0) { $0.applying($1) } } + decision.transactions
        events += decision.events
    }

    /// A number of events above that of any life. Beyond them, the same work is due again and again.
    private static let maximumFactsInAdvance = 10_000

    struct Endless: Error {
        var subscription: Subscription
        var newest: [DomainEvent.Kind]
    }

    /// Does all due work up to an instant, in order.
    ///
    /// - Throws: ``Endless`` if it doesn't end.
    @discardableResult
    mutating func advance(to instant: Instant) throws -> [DomainEvent.Kind] {
        let count = events.count
        while let due = subscription.nextDue, due <= instant {
            guard events.count - count < Self.maximumFactsInAdvance else {
                throw Endless(subscription: subscription, newest: Array(kinds().suffix(4)))
            }
            context.renewalPlan = onSale[subscription.renewal.productID]
            guard let work = subscription.dueWork(at: due, in: context) else { break }
            worked.append(due)
            switch work {
            case .charge(let charge):
                let isPaid = cardWorks || charge.price.milliunits == 0
                try happen(isPaid ? .charged(period: charge.period) : .chargeDeclined(period: charge.period), at: due)
            case .event(let event): try happen(event, at: due)
            }
        }
        return kinds(after: count)
    }
}

extension SubscriptionPlan {
    static func plan(_ name: String, level: Int, _ period: Period, _ price: Int64, shared: Bool = false)
        -> SubscriptionPlan
    {
        SubscriptionPlan(
            productID: Product.ID(rawValue: name), groupID: "magazine", level: level, period: period,
            price: Money(milliunits: price, .usd), storefront: .usa, isFamilyShareable: shared)
    }

    static let weekly = plan("weekly", level: 2, .week, 990)
    static let monthly = plan("monthly", level: 2, .month, 4990)
    /// The same level and duration as `monthly`.
    static let monthlyOther = plan("monthly.other", level: 2, .month, 5990)
    /// The same level as `monthly`, another duration.
    static let yearly = plan("yearly", level: 2, .year, 39990)
    static let basic = plan("basic", level: 3, .month, 1990)
    static let premium = plan("premium", level: 1, .month, 9990)
    static let family = plan("family", level: 1, .month, 14990, shared: true)
    static let all = [weekly, monthly, monthlyOther, yearly, basic, premium, family]
}

extension OfferTerms {
    static let trial = OfferTerms(.introductory, .freeTrial, period: .week, price: .zero(.usd))
    static let introductoryMonths = OfferTerms(
        .introductory, .payAsYouGo, period: .month, periodCount: 3, price: Money(milliunits: 990, .usd))
    static let introductoryUpFront = OfferTerms(
        .introductory, .payUpFront, period: Period(3, .month), price: Money(milliunits: 2990, .usd))
    static let promotion = OfferTerms(
        .promotional, id: "spring", .payAsYouGo, period: .month, periodCount: 2, price: Money(milliunits: 1990, .usd))
    static let codeOffer = OfferTerms(.code, id: "radio", .freeTrial, period: .month, price: .zero(.usd))
}

extension Instant {
    /// Creates an instant from its RFC 3339 text; the beginning of time if it is malformed.
    init(_ text: String) {
        self = Instant(rfc3339: text) ?? Instant(milliseconds: .min)
    }
}
