import Perennial
import Testing

@testable import PerennialSimulation

/// The invented histories of `perennial seed`.
struct HistoryPlanTests {
    private static let catalog = HistoryCatalog(
        consumables: ["coins"], nonConsumables: ["filter"], nonRenewing: ["pass"], free: ["letter"],
        subscriptions: [
            .init(id: "monthly", group: "g", level: 2, period: .month, introduction: .week, codeOffer: "radio"),
            .init(id: "yearly", group: "g", level: 1, period: .year),
        ])
    private static let start = PacificDay(CivilDate(year: 2025, month: 11, day: 1)).start
    private static let end = PacificDay(CivilDate(year: 2026, month: 11, day: 1)).start

    private static func plan(seed: UInt64 = 7, customers: Int = 400) -> HistoryPlan {
        HistoryPlan(seed: seed, customers: customers, start: start, end: end, catalog: catalog)
    }

    @Test func `the same seed makes the same history, another one another`() {
        let steps = Self.plan().steps()
        #expect(steps == Self.plan().steps())
        #expect(steps != Self.plan(seed: 8).steps())
    }

    @Test func `a history has everything that reports are about`() {
        let steps = Self.plan().steps()
        func count(_ isWanted: (HistoryAction) -> Bool) -> Int { steps.count { isWanted($0.action) } }
        #expect(count { if case .join = $0 { true } else { false } } == 400)
        #expect(count { if case .download = $0 { true } else { false } } > 800)
        #expect(count { if case .buy = $0 { true } else { false } } > 200)
        #expect(count { if case .subscribe = $0 { true } else { false } } > 100)
        #expect(count { if case .redeem = $0 { true } else { false } } > 0)
        for action in [HistoryAction.turnAutoRenewOff, .declinePayments, .acceptPayments, .refundPurchase] {
            #expect(count { $0 == action } > 0, "\(action)")
        }
        var storefronts: Set<Storefront> = []
        for case .join(let storefront) in steps.map(\.action) { storefronts.insert(storefront) }
        #expect(storefronts.count == 10)
        #expect(storefronts.allSatisfy { $0.currency != nil })
    }

    @Test func `steps are in order, within the time, and each customer joins first`() {
        let steps = Self.plan().steps()
        var joined: Set<Int> = []
        for (step, next) in zip(steps, steps.dropFirst()) {
            #expect(step.at <= next.at)
        }
        for step in steps {
            #expect(step.at >= Self.start && step.at < Self.end)
            if case .join = step.action { joined.insert(step.customer) }
            #expect(joined.contains(step.customer), "\(step)")
        }
    }

    @Test func `the app has more new customers at the end than at the start`() {
        let joins = Self.plan(customers: 2000).steps().filter { if case .join = $0.action { true } else { false } }
        let quarter = (Self.end - Self.start) / 4
        let first = joins.count { $0.at - Self.start < quarter }
        let last = joins.count { Self.end - $0.at < quarter }
        #expect(first > 100)
        #expect(last > first)
    }

    @Test func `devices have version 4 UUIDs of their own`() {
        var devices: [String: Int] = [:]
        for step in Self.plan().steps() {
            guard case .download(let device, _) = step.action else { continue }
            #expect(device.id.contains(/^[0-9A-F]{8}-[0-9A-F]{4}-4[0-9A-F]{3}-[89AB][0-9A-F]{3}-[0-9A-F]{12}$/))
            let owner = devices.updateValue(step.customer, forKey: device.id)
            #expect(owner == nil || owner == step.customer)
        }
        #expect(devices.count >= 400)
    }

    @Test func `a catalog without subscriptions has none in its history`() {
        let catalog = HistoryCatalog(consumables: ["coins"])
        let plan = HistoryPlan(seed: 1, customers: 50, start: Self.start, end: Self.end, catalog: catalog)
        for step in plan.steps() {
            if case .subscribe = step.action { Issue.record("\(step)") }
        }
    }
}
