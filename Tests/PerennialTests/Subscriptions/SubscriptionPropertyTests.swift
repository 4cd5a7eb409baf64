import Foundation
import Perennial
import Testing

/// Invariants on random walks, which replay from their seed.
struct SubscriptionPropertyTests {
    /// The number of walks; `make test-long` has more.
    private static let seeds: ClosedRange<UInt64> =
        1...(ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil ? 100 : 1000)
    private static let steps = 60

    private static func walk(_ seed: UInt64, _ check: (RandomWalk) -> Void) throws {
        var walk = try RandomWalk(seed: seed, isPunctual: true)
        for _ in 0..<steps {
            try walk.step()
            check(walk)
        }
    }

    @Test func `periods are contiguous, or an event explains the gap`() throws {
        let explaining: Set<DomainEvent.Kind> = [.resubscribed, .recovered, .upgraded, .upgradedWithOffer]
        for seed in Self.seeds {
            try Self.walk(seed) { walk in
                let decision = walk.life.last
                guard let sold = decision.transactions.first, walk.life.transactions.count > 1 else { return }
                let isContiguous = walk.life.transactions.contains {
                    $0.expiresDate == sold.purchaseDate && $0.revocation == nil
                }
                #expect(
                    isContiguous || decision.events.contains { explaining.contains($0.kind) },
                    "seed \(seed): \(decision.events.map(\.kind))")
            }
        }
    }

    @Test func `at most one transaction is in force at any instant`() throws {
        for seed in Self.seeds {
            try Self.walk(seed) { walk in
                let running = walk.life.transactions.filter {
                    $0.purchaseDate <= walk.now && $0.isInForce(at: walk.now)
                }
                #expect(running.count <= 1, "seed \(seed): \(running.map(\.id))")
            }
        }
    }

    @Test func `access equals a transaction in force or a grace period`() throws {
        for seed in Self.seeds {
            try Self.walk(seed) { walk in
                let subscription = walk.life.subscription
                let isInForce = walk.life.transactions.contains {
                    $0.purchaseDate <= walk.now && $0.isInForce(at: walk.now)
                }
                let isGrace = subscription.status(at: walk.now) == .gracePeriod
                // A refund of the period before one that was charged ahead leaves less than a day without a
                // transaction; one of that ahead leaves the running one in force.
                let isAhead = walk.now < subscription.current.start
                #expect(
                    subscription.isEntitled(at: walk.now) == (isInForce || isGrace) || isAhead,
                    "seed \(seed) at \(walk.now.rfc3339()): \(subscription.state)")
            }
        }
    }

    @Test func `the next paid period ends after the grace period`() throws {
        for seed in Self.seeds {
            try Self.walk(seed) { walk in
                let subscription = walk.life.subscription
                guard let grace = subscription.gracePeriodExpires, subscription.stateName == .gracePeriod,
                    let plan = SubscriptionPlan.all.first(where: { $0.productID == subscription.renewal.productID })
                else { return }
                let span = subscription.nextOffer?.terms.span ?? plan.period
                let end = subscription.anchor.end(of: span, from: subscription.paidUntil, walk.life.context.timing).0
                let isChosenLate = grace == walk.now.wholeSeconds
                #expect(grace <= end || isChosenLate, "seed \(seed): \(subscription.renewal.productID)")
            }
        }
    }

    @Test func `a recovery in grace leaves no gap`() throws {
        for seed in Self.seeds {
            var walk = try RandomWalk(seed: seed, isPunctual: true)
            for _ in 0..<Self.steps {
                let before = walk.life.subscription
                try walk.step()
                guard before.stateName == .gracePeriod, walk.life.last.events.first?.kind == .recovered,
                    walk.life.subscription.current.number == before.current.number + 1
                else { continue }
                let wasInGrace = walk.life.last.events[0].at <= before.gracePeriodExpires ?? Life.start
                #expect(
                    !wasInGrace || walk.life.newest.purchaseDate == before.paidUntil,
                    "seed \(seed): \(before.renewal.productID)")
            }
        }
    }

    @Test func `postings balance`() throws {
        for seed in Self.seeds {
            try Self.walk(seed) { walk in
                #expect(walk.life.last.events.allSatisfy { $0.postings.balances }, "seed \(seed)")
            }
        }
    }

    @Test func `a transaction's postings add up to its price`() throws {
        for seed in Self.seeds {
            try Self.walk(seed) { walk in
                guard let sold = walk.life.last.transactions.first else { return }
                let charged = walk.life.last.events.filter { $0.transactionID == sold.id }.flatMap(\.postings)
                    .filter { $0.account == .customer }.reduce(0) { $0 - $1.amount.milliunits }
                #expect(charged == sold.price.milliunits, "seed \(seed)")
            }
        }
    }

    @Test func `refunds never exceed the price`() throws {
        for seed in Self.seeds {
            var walk = try RandomWalk(seed: seed, isPunctual: true)
            for _ in 0..<Self.steps { try walk.step() }
            let giving: Set<DomainEvent.Kind> = [.subscriptionRefunded, .upgradeRefunded]
            for transaction in walk.life.transactions {
                let events = walk.life.events.filter { $0.transactionID == transaction.id }
                guard !events.contains(where: { $0.kind == .subscriptionRefundReversed }) else { continue }
                let given = events.filter { giving.contains($0.kind) }.flatMap(\.postings)
                    .filter { $0.account == .customer }.reduce(0) { $0 + $1.amount.milliunits }
                #expect(given <= transaction.price.milliunits, "seed \(seed): transaction \(transaction.id)")
            }
        }
    }

    @Test func `no period is charged twice, and period numbers have no gap`() throws {
        for seed in Self.seeds {
            var walk = try RandomWalk(seed: seed, isPunctual: true)
            for _ in 0..<Self.steps {
                let before = walk.life
                try walk.step()
                let made = walk.life.transactions.count - before.transactions.count
                #expect(
                    walk.life.subscription.current.number == before.subscription.current.number + made, "seed \(seed)")
            }
            #expect(Set(walk.life.transactions.map(\.id)).count == walk.life.transactions.count)
            #expect(Set(walk.life.transactions.map(\.webOrderLineItemID)).count == walk.life.transactions.count)
        }
    }

    @Test func `due work leaves later due work`() throws {
        for seed in Self.seeds {
            var walk = try RandomWalk(seed: seed, isPunctual: true)
            for _ in 0..<Self.steps {
                let worked = walk.life.worked.count
                try walk.step()
                let dues = walk.life.worked.dropFirst(worked)
                #expect(zip(dues, dues.dropFirst()).allSatisfy { $0 < $1 }, "seed \(seed)")
                // An updated payment method makes the next attempt due at once; all else is later.
                let isMended = walk.life.events.last?.kind == .paymentMethodUpdated
                let next = walk.life.subscription.nextDue ?? Instant(milliseconds: .max)
                #expect(isMended ? walk.now <= next : walk.now < next, "seed \(seed): \(walk.life.subscription.state)")
            }
        }
    }

    @Test func `an ended subscription has no due work`() throws {
        for seed in Self.seeds {
            try Self.walk(seed) { walk in
                switch walk.life.subscription.stateName {
                case .expired, .revoked: #expect(walk.life.subscription.nextDue == nil)
                default: #expect(walk.life.subscription.nextDue != nil)
                }
            }
        }
    }

    @Test func `auto-renew is on during billing retry and off after the end`() throws {
        for seed in Self.seeds {
            try Self.walk(seed) { walk in
                switch walk.life.subscription.stateName {
                case .gracePeriod, .billingRetry: #expect(walk.life.subscription.renewal.isOn)
                case .expired, .revoked: #expect(!walk.life.subscription.renewal.isOn)
                default: break
                }
            }
        }
    }

    @Test(arguments: [UInt64(1), 42, 4711])
    func `equal seeds give equal walks`(seed: UInt64) throws {
        var one = try RandomWalk(seed: seed, isPunctual: true)
        var other = try RandomWalk(seed: seed, isPunctual: true)
        for _ in 0..<200 {
            try one.step()
            try other.step()
        }
        #expect(one.life.subscription == other.life.subscription)
        #expect(one.life.events == other.life.events)
        #expect(one.life.transactions == other.life.transactions)
    }

    @Test func `refused events change nothing`() throws {
        var walk = try RandomWalk(seed: 3)
        for _ in 0..<300 { try walk.step() }
        #expect(walk.refused > 20)
        #expect(walk.life.events.count > 50)
    }

    /// Prints the throughput of renewals through the whole decision. It has no threshold.
    @Test func `transitions a second are measured`() throws {
        let context = SubscriptionContext(timing: .calendar, renewalPlan: .monthly)
        var subscription = try Life(.monthly).subscription
        let count = 20_000
        var id: Int64 = 0
        let elapsed = try ContinuousClock().measure {
            for _ in 0..<count {
                subscription = try subscription.decide(
                    .charged(period: subscription.current.number + 1), at: subscription.paidUntil, in: context
                ) {
                    id += 1
                    return id
                }.subscription
            }
        }
        let perSecond =
            Double(count) / (Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18)
        print("transitions a second: \(Int(perSecond))")
        #expect(subscription.current.number == count + 1)
        #expect(perSecond > 1_000)
    }
}
