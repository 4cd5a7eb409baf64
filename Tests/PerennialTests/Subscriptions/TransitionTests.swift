import Foundation
import Perennial
import Testing

/// The table of transitions against random walks, and the documentation's diagram against the table.
struct TransitionTests {
    @Test func `random walks make exactly the listed transitions`() throws {
        var seen: Set<Subscription.Transition> = []
        for seed in UInt64(1)...400 {
            var walk = try RandomWalk(seed: seed)
            for _ in 0..<60 { try walk.step() }
            seen.formUnion(walk.transitions)
        }
        seen.insert(Subscription.Transition(.none, .purchase, .active))
        seen.formUnion(try Self.familyTransitions())
        seen.insert(try Self.lateReversal())
        let unlisted = seen.subtracting(Subscription.transitions).map(\.description).sorted()
        let unseen = Subscription.transitions.subtracting(seen).map(\.description).sorted()
        #expect(unlisted == [])
        #expect(unseen == [])
    }

    /// A sequence too rare for a short walk: a period is refunded before it began, and the refund is reversed after
    /// the period before it ended.
    private static func lateReversal() throws -> Subscription.Transition {
        var life = try Life(.monthly, billing: BillingPolicy())
        let end = life.subscription.paidUntil
        try life.advance(to: end + -.hours(20))
        try life.happen(.refunded(life.newest, Refund()), at: end + -.hours(19))
        try life.advance(to: end)
        let from = life.subscription.stateName
        try life.happen(life.reversal(of: life.newest), at: end + .days(1))
        return Subscription.Transition(from, .refundReversed, life.subscription.stateName)
    }

    /// A member subscription follows the purchaser's; only its revocation is an event of its own.
    private static func familyTransitions() throws -> Set<Subscription.Transition> {
        var seen: Set<Subscription.Transition> = []
        for days in [Int64(0), 1, 10] {
            var life = try Life(
                .family, billing: BillingPolicy(grace: BillingPolicy.Grace(.threeDays), chargeLead: 0))
            var id: Int64 = 9000
            let next: () -> Int64 = {
                id += 1
                return id
            }
            var member = try life.subscription.shared(with: Account.ID(rawValue: 8), at: Life.start, id: next)
                .subscription
            life.cardWorks = false
            let now = days == 0 ? Life.start : life.subscription.paidUntil + .days(days)
            while let due = life.subscription.nextDue, due <= now {
                let before = life.subscription
                try life.advance(to: due)
                member = try member.applyingPurchaserChange(life.last, from: before, at: due, id: next).subscription
            }
            let revoked = try member.decide(.accessRevoked, at: now, in: life.context, id: next).subscription
            seen.insert(Subscription.Transition(member.stateName, .accessRevoked, revoked.stateName))
        }
        return seen
    }

    @Test func `every state has an exit or is final, and every event is used`() {
        #expect(Set(Subscription.transitions.map(\.event)) == Set(SubscriptionEvent.Name.allCases))
        #expect(Set(Subscription.transitions.map(\.to)) == Set(Subscription.StateName.allCases).subtracting([.none]))
        #expect(Set(Subscription.transitions.map(\.from)) == Set(Subscription.StateName.allCases))
    }

    @Test func `the diagram in the documentation equals the code's`() throws {
        let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent()
        let page = try String(contentsOf: root.appending(path: "docs/subscriptions.md"), encoding: .utf8)
        let blocks = page.components(separatedBy: "```mermaid\n").dropFirst().compactMap {
            $0.components(separatedBy: "\n```").first
        }
        #expect(blocks.contains(Subscription.mermaid), "docs/subscriptions.md should have:\n\(Subscription.mermaid)")
    }
}
