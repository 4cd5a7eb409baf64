import Perennial

/// The state machine of subscriptions alone, on one core: no clock, no database, no network.
enum RulesMeasure: Measure {
    static let name = "rules"
    private static let requiredPerSecond = 1_000_000.0
    private static let transitions = 2_000_000
    /// Walks are kept short, as a subscription's life is.
    private static let transitionsInLife = 60

    static func measure(_ bench: Bench) throws -> [Figure] {
        var rates: [Double] = []
        for _ in 0..<bench.rounds {
            let count = bench.count(transitions) / transitionsInLife * transitionsInLife
            rates.append(Double(count) / (try Stopwatch.seconds { try live(count / transitionsInLife) }))
        }
        return [
            Figure(
                "transitions of subscriptions, one core", "1/s", ours: rates.median, limit: requiredPerSecond,
                .atLeast(1.0),
                notes: [
                    "renewals, declined charges, billing retry, recoveries and changes of mind, each with its "
                        + "transaction, facts and postings"
                ])
        ]
    }

    /// Lets so many subscriptions live for ``transitionsInLife`` transitions.
    private static func live(_ lives: Int) throws {
        let product = BenchmarkCatalog.app.products.first { $0.id == BenchmarkCatalog.subscription }
        guard let plan = product.flatMap({ SubscriptionPlan($0, in: .usa) }) else {
            throw BenchmarkError("the catalog has no subscription")
        }
        let context = SubscriptionContext(
            timing: .calendar, billing: BillingPolicy(grace: .init(.sixteenDays)), renewalPlan: plan)
        var facts = 0
        for life in 0..<lives {
            var number: Int64 = 0
            let id: () -> Int64 = {
                number += 1
                return number
            }
            var subscription = try Subscription.first(
                plan, for: Subscriber(Account.ID(rawValue: Int64(life))), at: Instant(seconds: 1_767_225_600),
                in: context, id: id
            ).subscription
            for step in 0..<transitionsInLife {
                let decision = try next(step, subscription, in: context, id: id)
                facts += decision.events.count
                subscription = decision.subscription
            }
        }
        guard facts == lives * transitionsInLife else { throw BenchmarkError("\(facts) facts") }
    }

    /// Ten transitions that bring a subscription back to where it was.
    private static func next(
        _ step: Int, _ subscription: Subscription, in context: SubscriptionContext, id: () throws -> Int64
    ) throws -> SubscriptionDecision {
        let now = subscription.nextDue ?? subscription.paidUntil
        let period = subscription.current.number + 1
        let event: SubscriptionEvent =
            switch step % 10 {
            case 4: .setAutoRenew(false)
            case 5: .setAutoRenew(true)
            // Ahead of the period's end, then at its end; the next one succeeds in the grace period.
            case 7, 8: .chargeDeclined(period: period)
            default: .charged(period: period)
            }
        return try subscription.decide(event, at: event.isChoice ? now + -1 : now, in: context, id: id)
    }
}

extension SubscriptionEvent {
    /// True for an event that a customer causes at any time.
    fileprivate var isChoice: Bool {
        if case .setAutoRenew = self { true } else { false }
    }
}
