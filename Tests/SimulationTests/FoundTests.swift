import Perennial
import PerennialSimulation
import Testing

/// Histories that once broke a rule, as short as the simulator could make them (docs/simulation.md tells of each).
struct FoundTests {
    struct History: Sendable, CustomTestStringConvertible {
        var name: String
        var setting = SimulationPlan.Setting()
        var actions: [Action]
        /// Steps that the second node makes, by number.
        var second: Set<Int> = []

        var testDescription: String { name }
    }

    static let silver = Product.ID(rawValue: "silver.month")
    static let copper = Product.ID(rawValue: "copper.month")
    static let weekly = Product.ID(rawValue: "bronze.week")
    static let gold = Product.ID(rawValue: "gold.month")
    static let year = Product.ID(rawValue: "gold.year")
    static let quarter = Product.ID(rawValue: "silver.quarter")
    static let halfYear = Product.ID(rawValue: "silver.halfyear")
    static let twoMonths = Product.ID(rawValue: "bronze.twomonths")
    static let germany = Storefront(rawValue: "DEU")

    static let histories = [
        History(
            name: "a change that waits keeps the currency of what runs, also for a customer who moved",
            actions: [
                .buy(3, quarter, key: 1), .move(3, germany), .buy(3, halfYear, key: 2),
                .advance(.days(200), works: true),
            ]),
        History(
            name: "an offer that waits does too",
            actions: [
                .buy(3, silver, key: 1), .move(3, germany), .buy(3, silver, offer: "loyal", key: 2),
                .advance(.days(80), works: true),
            ]),
        History(
            name: "an upgrade in the list of subscriptions isn't charged to a card that is declined",
            actions: [
                .buy(0, silver, key: 1), .advance(.days(10), works: true), .pay(0, .declined), .change(0, 0, gold),
            ]
        ),
        History(
            name: "an offer that runs stays with its product when a downgrade takes effect",
            actions: [
                .buy(4, copper, key: 1), .buy(4, weekly, key: 2), .advance(.days(60), works: true),
            ]),
        History(
            name: "renewing now doesn't end what was cancelled before its time",
            actions: [.buy(0, silver, key: 1), .setAutoRenew(0, 0, false), .renew(0, 0)]),
        History(
            name: "renewing now with a card that is declined takes nothing away",
            setting: .init(kind: .sandbox),
            actions: [.buy(0, silver, key: 1), .pay(0, .declined), .renew(0, 0)]),
        History(
            name: "renewing now twice doesn't charge for the day after tomorrow",
            actions: [
                .buy(0, silver, key: 1), .renew(0, 0), .renew(0, 0), .buy(0, gold, key: 2),
                .advance(.days(100), works: true),
            ]),
        History(
            name: "who has something shared again has it from where it was bought, also of a purchaser who moved",
            actions: [
                .foundFamily(1), .joinFamily(0, 0), .buy(0, gold, key: 1), .refund(0, -1, .full), .move(0, germany),
                .buy(0, gold, key: 2),
            ]),
        History(
            name: "a refund undone after its period gives way to what was bought instead",
            actions: [
                .buy(0, year, key: 1), .refund(0, -1, .full), .buy(0, gold, key: 2),
                .advance(.days(400), works: true), .reverseRefund(0, 0),
            ]),
        History(
            name: "a downgrade to what isn't shared ends members' access when it begins, however far time jumps",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, gold, key: 1), .change(0, 0, silver),
                .advance(.days(45), works: true),
            ]),
        History(
            name: "members wait for no charge any more when what is paid at last isn't shared",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, year, key: 1), .change(0, 0, copper), .pay(0, .declined),
                .advance(.days(370), works: true), .pay(0, .valid), .advance(.days(30), works: true),
                .change(0, 0, weekly), .advance(.days(60), works: true),
            ]),
        History(
            name: "who leaves while a charge is retried waits for it no longer, and what is shared later begins anew",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, year, key: 1), .change(0, 0, copper), .pay(0, .declined),
                .advance(.days(370), works: true), .leaveFamily(1), .pay(0, .valid), .advance(.days(30), works: true),
                .joinFamily(1, 0), .change(0, 0, weekly), .advance(.days(60), works: true),
            ]),
        History(
            name: "a refund of what runs ends members' access, also when what isn't shared was charged ahead",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, year, key: 1), .change(0, 0, copper), .renew(0, 0),
                .refund(0, 0, .full),
            ]),
        History(
            name: "an upgrade to what isn't shared does, too",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, weekly, key: 1), .change(0, 0, twoMonths), .renew(0, 0),
                .buy(0, halfYear, key: 2),
            ]),
        History(
            name: "a period that was ended before it began is in nobody's force, and isn't shared",
            actions: [
                .buy(0, year, key: 1), .renew(0, 0), .expire(0, 0), .foundFamily(0), .joinFamily(1, 0),
            ]),
        History(
            name: "a product taken off sale runs to its end, though renewing now is tried",
            setting: .init(clock: .real),
            actions: [
                .buy(0, silver, key: 1), .setForSale(silver, false),
                .advanceTo(.due, 0, offset: 1, within: .days(365)), .renew(0, 0),
            ]),
        History(
            name: "what is bought again begins no sooner than what an operator ended, by a clock that is ahead",
            setting: .init(kind: .sandbox, clock: .real, lag: 1500),
            actions: [.buy(4, halfYear, key: 1), .expire(4, 0), .buy(4, twoMonths, key: 2)], second: [0, 2]),
        History(
            name: "a refund undone brings back the product that was refunded, and members keep what runs",
            actions: [
                .foundFamily(0), .buy(0, year, key: 1), .buy(0, twoMonths, key: 2), .renew(0, 0), .refund(0, -1, .full),
                .joinFamily(1, 0), .reverseRefund(0, 0),
            ]),
        History(
            name: "also where what runs was refunded",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, year, key: 1), .buy(0, twoMonths, key: 2), .renew(0, 0),
                .refund(0, 0, .full), .reverseRefund(0, 0),
            ]),
        History(
            name: "a period that was refunded before it began may stand apart, where an operator ends the one before",
            setting: .init(kind: .sandbox),
            actions: [
                .buy(0, copper, key: 1), .renew(0, 0), .refund(0, -1, .percentage(milliunits: 49_706)), .expire(0, 0),
                .reverseRefund(0, 0),
            ]),
    ]

    @Test(arguments: histories)
    func `what was found stays mended`(history: History) async throws {
        let steps = history.actions.enumerated().map { Step($1, node: history.second.contains($0) ? 1 : 0) }
        let plan = SimulationPlan(history.setting, steps: steps)
        let outcome = try await Simulating.with { try await $0.run(plan) }
        #expect(outcome.failure == nil, "\(outcome.failure?.words ?? "")")
    }
}
