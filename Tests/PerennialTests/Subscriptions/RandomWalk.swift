import Perennial
import TestRandomness

/// A subscription with random events: of customers, declined cards, sellers and parents.
///
/// Refused events are part of the walk. They must not change anything.
struct RandomWalk {
    private(set) var life: Life
    private(set) var transitions: Set<Subscription.Transition> = []
    /// The number of refused events.
    private(set) var refused = 0
    private(set) var now = Life.start
    private var random: SeededGenerator
    /// True if due work is always done in time.
    private let isPunctual: Bool

    init(seed: UInt64, isPunctual: Bool = false) throws {
        random = SeededGenerator(seed: seed)
        self.isPunctual = isPunctual
        let timing: SubscriptionTiming = random.pick([.calendar, .calendar, .session(.monthlyRenewalEveryHour)])
        let grace: BillingPolicy.Grace? = random.pick([
            nil, .init(.threeDays), .init(.sixteenDays, scope: .paidToPaidOnly), .init(.twentyEightDays),
        ])
        let lead: Int64 = random.pick([0, .hours(24)])
        life = try Life(
            random.pick([.monthly, .weekly, .yearly, .basic]),
            offers: random.pick([[], [.trial], [.introductoryMonths]]),
            timing: timing, billing: BillingPolicy(grace: grace, chargeLead: lead))
    }

    mutating func step() throws {
        life.cardWorks = random.next() % 3 > 0
        if random.next() % 12 == 0 { life.onSale = [:] } else { restock() }
        let due = life.subscription.nextDue
        if let due, isPunctual || random.next() % 2 == 0, random.next() % 2 == 0 {
            now = max(now, due)
            try work(upTo: now)
        } else {
            let span = life.context.timing.end(of: random.pick([.week, .month, Period(1, .day)]), after: now) - now
            now = now + Int64(random.next() % UInt64(span)) + 1
            if isPunctual { try work(upTo: now) }
            try attempt(randomEvent())
        }
    }

    private mutating func work(upTo instant: Instant) throws {
        while let due = life.subscription.nextDue, due <= instant {
            let from = life.subscription.stateName
            let before = life.events.count
            try life.advance(to: due)
            record(from, before)
        }
    }

    private mutating func attempt(_ event: SubscriptionEvent) throws {
        let before = life
        do {
            try life.happen(event, at: now)
            transitions.insert(
                Subscription.Transition(before.subscription.stateName, event.name, life.subscription.stateName))
        } catch is SubscriptionError {
            refused += 1
        } catch is RefundError {
            refused += 1
        }
    }

    /// The event behind due work, by the kind of its domain event.
    private mutating func record(_ from: Subscription.StateName, _ count: Int) {
        guard let first = life.events.dropFirst(count).first else { return }
        let event: SubscriptionEvent.Name? =
            switch first.kind {
            case .renewed, .recovered: .charged
            case .renewalFailed, .renewalFailedWithGrace, .attemptDeclined: .chargeDeclined
            case .gracePeriodEnded: .graceEnded
            case .expiredAfterBillingRetry: .retryEnded
            case .expiredProductNotForSale: .productUnavailable
            case .expiredByChoice, .expiredForPriceIncrease: .periodEnded
            default: nil
            }
        guard let event else { return }
        transitions.insert(Subscription.Transition(from, event, life.subscription.stateName))
    }

    private mutating func restock() {
        life.onSale = Dictionary(uniqueKeysWithValues: SubscriptionPlan.all.map { ($0.productID, $0) })
    }

    private mutating func randomEvent() -> SubscriptionEvent {
        let next = life.subscription.current.number + 1
        let transaction = random.next() % 3 > 0 ? life.newest : random.pick(life.transactions)
        switch random.next() % 26 {
        case 0...2:
            return .purchase(random.pick(SubscriptionPlan.all), offers: random.pick([[], [.promotion], [.codeOffer]]))
        case 3, 4: return .change(random.pick(SubscriptionPlan.all))
        case 5, 6: return .setAutoRenew(random.next() % 2 == 0)
        case 7: return .charged(period: next)
        case 8, 9: return .chargeDeclined(period: next)
        case 10: return .productUnavailable
        case 11: return .periodEnded
        case 12: return .graceEnded
        case 13: return .retryEnded
        case 14: return .paymentMethodUpdated
        case 15:
            let price = Money(milliunits: 1000 * Int64(random.next() % 30), .usd)
            return .priceChanged(price, needsConsent: random.next() % 2 == 0)
        case 16: return .priceAnswered(accepted: random.next() % 2 == 0)
        case 17: return .refundRequested(transaction.id)
        case 18: return .refundDeclined(transaction.id)
        case 19, 20:
            let share: Refund.Share = random.pick([.full, .prorated, .percentage(milliunits: 33_333)])
            return .refunded(transaction, Refund(share, refundedBefore: life.given(for: transaction)))
        case 21, 22: return life.reversal(of: transaction)
        case 23: return .accessRevoked
        case 24:
            return .extended(
                RenewalExtension(days: Int64(random.next() % 100), reason: .other, requestID: "\(random.next())"))
        default: return random.next() % 4 == 0 ? .expireNow : .charged(period: next)
        }
    }
}

extension Life {
    /// Returns the amount that upgrades refunded for a transaction.
    func given(for transaction: Transaction) -> Money {
        let postings = events.filter { $0.transactionID == transaction.id && $0.kind == .upgradeRefunded }.flatMap(
            \.postings)
        let sum = postings.filter { $0.account == .customer }.reduce(0) { $0 + $1.amount.milliunits }
        return Money(milliunits: sum, transaction.price.currency)
    }
}

extension SeededGenerator {
    mutating func pick<Element>(_ elements: [Element]) -> Element {
        elements[Int(next() % UInt64(elements.count))]
    }
}
