import Foundation
import Perennial
import PerennialStorage
import TestSupport
import Testing

/// Changes of products in a database from before migration 31, where an app's settings had all of them.
struct ProductChangesMigrationTests {
    private static let environment = StoreEnvironment.ID(rawValue: 7)
    /// As version 30 wrote it: performed prices as texts, those before it as objects.
    private static let settings = #"""
        {"billing":{"gracePeriodDays":16},"following":[{"productID":"monthly","reached":12}],"products":{
        "monthly":{"performedPrices":["1798761600000 DEU EUR 1290 pc","1798761600000 - USD 1990 -"],
        "scheduledPrices":[{"at":{"milliseconds":1798761600000},"price":{"currency":"USD","milliunits":2990},"preserved":true}]},
        "coins/ü":{"isClearedForSale":{"catalog":true,"value":false},
        "prices":{"catalog":{"base":{"currency":"USD","milliunits":990},"own":[]},
        "value":{"base":{"currency":"USD","milliunits":1290},"own":["DEU",{"currency":"EUR","milliunits":1190}]}}}}}
        """#

    private func makeDatabase(_ engine: Engine) async throws -> Database {
        let before = Array(Migration.all.prefix { $0.name != "productChanges" })
        let database = try engine.makeDatabase(migrations: before)
        try await database.write { connection in
            for (environment, app, document) in [
                (7, 5, Self.settings), (7, 0, #"{"following":[],"products":{}}"#), (8, 5, "{"), (9, 5, #"["x"]"#),
            ] as [(Int64, Int64, String)] {
                try connection.execute(
                    "INSERT INTO environment_settings (environment, app, document) VALUES ($1, $2, $3)",
                    [.integer(environment), .integer(app), .text(document)])
            }
        }
        try database.migrate()
        return database
    }

    @Test(arguments: Engine.allCases)
    func `each product has its changes in a row`(engine: Engine) async throws {
        let database = try await makeDatabase(engine)
        let (all, recent, one, none) = try await database.read { connection in
            let revision = try CatalogHeadTable.revision(on: connection)
            return (
                try ProductChangesTable.all(of: Self.environment, app: 5, on: connection),
                try ProductChangesTable.all(changedAfter: revision - 1, on: connection).count,
                try ProductChangesTable.change(
                    of: Product.ID(rawValue: "monthly"), app: 5, Self.environment, on: connection),
                try ProductChangesTable.change(
                    of: Product.ID(rawValue: "monthly"), app: 6, Self.environment, on: connection)
            )
        }
        #expect(all.map(\.productID.rawValue) == ["coins/ü", "monthly"])
        #expect(recent == 2)
        #expect(none == ProductChange())
        let day = Instant(CivilDate(year: 2027, month: 1, day: 1))
        let performed = [
            ScheduledPrice(
                at: day, Money(milliunits: 1290, .eur), storefront: Storefront(rawValue: "DEU"), needsConsent: true,
                preservesSubscribers: true),
            ScheduledPrice(at: day, Money(milliunits: 1990, .usd)),
        ]
        #expect(one.performed == performed)
        #expect(
            one.scheduled == [ScheduledPrice(at: day, Money(milliunits: 2990, .usd), preservesSubscribers: true)])
        #expect(all[0].change.isClearedForSale?.value == false)
        #expect(all[0].change.ownPrices.count == 2)
    }

    @Test(arguments: Engine.allCases)
    func `the other settings stay, unreadable ones as they were`(engine: Engine) async throws {
        let database = try await makeDatabase(engine)
        let (settings, documents) = try await database.read { connection in
            (
                try EnvironmentSettingsTable.settings(app: 5, Self.environment, on: connection),
                try connection.query(
                    "SELECT document FROM environment_settings WHERE environment > 7 ORDER BY environment"
                ) { try $0.text(0) }
            )
        }
        #expect(settings.billing?.gracePeriodDays == 16)
        #expect(settings.following.map(\.productID.rawValue) == ["monthly"])
        #expect(documents == ["{", #"["x"]"#])
    }
}
