import Foundation
import Perennial
import PerennialSimulation
import Testing

/// Edits of the catalog, audited after each: prices without gaps, the catalog exportable, its journal complete.
struct CatalogEditTests {
    private static let seeds = UInt64(1)...(isLong ? 40 : 2)
    private static let isLong = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] != nil

    private static let film = Product.ID(rawValue: "film")
    private static let silver = Product.ID(rawValue: "silver.month")
    private static let poster = Product.ID(rawValue: "poster")
    private static let zine = Product.ID(rawValue: "zine.month")
    private static let germany = Storefront(rawValue: "DEU")

    @Test(arguments: seeds)
    func `any sequence of edits leaves prices gapless and the catalog exportable`(seed: UInt64) async throws {
        try await expectRulesHold(.edits(seed: seed, count: 120))
    }

    @Test func `customers pay scheduled prices from their day on`() async throws {
        try await expectRulesHold([
            .buy(0, Self.film, key: 1),
            .edit(.price(Self.film, point: 5, Self.germany, days: 2, preserves: false)),
            .buy(1, Self.film, key: 2), .advance(.days(3), works: true), .buy(0, Self.film, key: 3),
            .buy(1, Self.film, key: 4), .buy(2, Self.film, key: 5),
        ])
    }

    @Test(arguments: [false, true])
    func `subscribers follow a new price, or keep theirs`(preserves: Bool) async throws {
        try await expectRulesHold([
            .buy(1, Self.silver, key: 1), .advance(.days(20), works: true),
            .edit(.price(Self.silver, point: 9, Self.germany, days: 1, preserves: preserves)),
            .advance(.days(2), works: true), .consent(1, 0, true), .advance(.days(80), works: true),
            .buy(4, Self.silver, key: 2), .advance(.days(80), works: true),
        ])
    }

    @Test func `a product is published, sold, limited to storefronts and deleted`() async throws {
        try await expectRulesHold([
            .buy(0, Self.poster, key: 1), .edit(.publish(Self.poster)), .edit(.publish(Self.zine)),
            .buy(0, Self.poster, key: 2), .buy(1, Self.zine, key: 3), .advance(.days(40), works: true),
            .edit(.availability(Self.film, [Self.germany])), .buy(0, Self.film, key: 4), .buy(1, Self.film, key: 5),
            .edit(.delete(Self.zine)), .advance(.days(40), works: true), .buy(2, Self.zine, key: 6),
            .edit(.publish(Self.zine)), .edit(.delete(Self.poster)), .restore(0), .refund(0, 0, .full),
        ])
    }

    private func expectRulesHold(_ actions: [SimulatedAction]) async throws {
        try await expectRulesHold(SimulationPlan(steps: actions.map { SimulatedStep($0) }))
    }

    private func expectRulesHold(_ plan: SimulationPlan) async throws {
        let outcome = try await Simulating.with { try await $0.run(plan) }
        #expect(outcome.failure == nil, "\(outcome.failure?.words ?? "")")
        #expect(outcome.steps == plan.steps.count)
    }
}
