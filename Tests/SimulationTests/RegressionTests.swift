import Perennial
import PerennialSimulation
import Testing

/// Shortened histories that once broke a rule (docs/simulation.md, "Defects found").
struct RegressionTests {
    struct History: Sendable, CustomTestStringConvertible {
        var name: String
        var setting = SimulationPlan.Setting()
        var actions: [SimulatedAction]
        /// Indices of the steps on the second node.
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
            name: "a pending change keeps the storefront of the running period",
            actions: [
                .buy(3, quarter, key: 1), .move(3, germany), .buy(3, halfYear, key: 2),
                .advance(.days(200), works: true),
            ]),
        History(
            name: "a pending offer keeps the storefront of the running period",
            actions: [
                .buy(3, silver, key: 1), .move(3, germany), .buy(3, silver, offer: "loyal", key: 2),
                .advance(.days(80), works: true),
            ]),
        History(
            name: "an upgrade isn't charged to a declined card",
            actions: [
                .buy(0, silver, key: 1), .advance(.days(10), works: true), .pay(0, .declined), .change(0, 0, gold),
            ]
        ),
        History(
            name: "a running offer stays with its product when a downgrade takes effect",
            actions: [
                .buy(4, copper, key: 1), .buy(4, weekly, key: 2), .advance(.days(60), works: true),
            ]),
        History(
            name: "renewing now doesn't end a subscription with auto-renew off",
            actions: [.buy(0, silver, key: 1), .setAutoRenew(0, 0, false), .renew(0, 0)]),
        History(
            name: "renewing now with a declined card ends nothing",
            setting: .init(kind: .sandbox),
            actions: [.buy(0, silver, key: 1), .pay(0, .declined), .renew(0, 0)]),
        History(
            name: "renewing now twice charges one period ahead",
            actions: [
                .buy(0, silver, key: 1), .renew(0, 0), .renew(0, 0), .buy(0, gold, key: 2),
                .advance(.days(100), works: true),
            ]),
        History(
            name: "a share that starts again has the storefront of the purchase",
            actions: [
                .foundFamily(1), .joinFamily(0, 0), .buy(0, gold, key: 1), .refund(0, -1, .full), .move(0, germany),
                .buy(0, gold, key: 2),
            ]),
        History(
            name: "a refund reversed after its period gives way to a later purchase",
            actions: [
                .buy(0, year, key: 1), .refund(0, -1, .full), .buy(0, gold, key: 2),
                .advance(.days(400), works: true), .reverseRefund(0, 0),
            ]),
        History(
            name: "a downgrade to an unshared product ends members' access when it begins",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, gold, key: 1), .change(0, 0, silver),
                .advance(.days(45), works: true),
            ]),
        History(
            name: "billing retry of members ends when an unshared product is charged",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, year, key: 1), .change(0, 0, copper), .pay(0, .declined),
                .advance(.days(370), works: true), .pay(0, .valid), .advance(.days(30), works: true),
                .change(0, 0, weekly), .advance(.days(60), works: true),
            ]),
        History(
            name: "billing retry ends for a member who leaves, and a later share is new",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, year, key: 1), .change(0, 0, copper), .pay(0, .declined),
                .advance(.days(370), works: true), .leaveFamily(1), .pay(0, .valid), .advance(.days(30), works: true),
                .joinFamily(1, 0), .change(0, 0, weekly), .advance(.days(60), works: true),
            ]),
        History(
            name: "a refund ends members' access with an unshared period charged ahead",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, year, key: 1), .change(0, 0, copper), .renew(0, 0),
                .refund(0, 0, .full),
            ]),
        History(
            name: "an upgrade to an unshared product ends members' access",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, weekly, key: 1), .change(0, 0, twoMonths), .renew(0, 0),
                .buy(0, halfYear, key: 2),
            ]),
        History(
            name: "a period that an operator ended before its start isn't shared",
            actions: [
                .buy(0, year, key: 1), .renew(0, 0), .expire(0, 0), .foundFamily(0), .joinFamily(1, 0),
            ]),
        History(
            name: "renewing now doesn't end a product taken off sale",
            setting: .init(clock: .real),
            actions: [
                .buy(0, silver, key: 1), .edit(.setForSale(silver, false)),
                .advanceTo(.due, 0, offset: 1, within: .days(365)), .renew(0, 0),
            ]),
        History(
            name: "a purchase on a slower clock begins no sooner than the last period ended",
            setting: .init(kind: .sandbox, clock: .real, lag: 1500),
            actions: [.buy(4, halfYear, key: 1), .expire(4, 0), .buy(4, twoMonths, key: 2)], second: [0, 2]),
        History(
            name: "a reversed refund restores the refunded product for the purchaser only",
            actions: [
                .foundFamily(0), .buy(0, year, key: 1), .buy(0, twoMonths, key: 2), .renew(0, 0), .refund(0, -1, .full),
                .joinFamily(1, 0), .reverseRefund(0, 0),
            ]),
        History(
            name: "a reversed refund of the running period restores members' access",
            actions: [
                .foundFamily(0), .joinFamily(1, 0), .buy(0, year, key: 1), .buy(0, twoMonths, key: 2), .renew(0, 0),
                .refund(0, 0, .full), .reverseRefund(0, 0),
            ]),
        History(
            name: "a period refunded before its start may leave a gap",
            setting: .init(kind: .sandbox),
            actions: [
                .buy(0, copper, key: 1), .renew(0, 0), .refund(0, -1, .percentage(milliunits: 49_706)), .expire(0, 0),
                .reverseRefund(0, 0),
            ]),
    ]

    @Test(arguments: histories)
    func `no rule is broken`(history: History) async throws {
        let steps = history.actions.enumerated().map { SimulatedStep($1, node: history.second.contains($0) ? 1 : 0) }
        let plan = SimulationPlan(history.setting, steps: steps)
        let outcome = try await Simulating.with { try await $0.run(plan) }
        #expect(outcome.failure == nil, "\(outcome.failure?.words ?? "")")
    }
}
