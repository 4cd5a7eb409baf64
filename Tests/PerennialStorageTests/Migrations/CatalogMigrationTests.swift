import Foundation
import Perennial
import PerennialStorage
import TestSupport
import Testing

/// Apps in a database from before migration 26, whose definitions had their products.
struct CatalogMigrationTests {
    private static func product(_ id: String, _ number: Int64, _ type: ProductType, group: String? = nil) -> Product {
        Product(
            id: Product.ID(rawValue: id), appleID: number, type: type, referenceName: "Ä/\"\(id)\"",
            localizations: [Product.Localization(locale: "ja", displayName: "月", description: "毎月")],
            prices: [Storefront(rawValue: "DEU"): Money(milliunits: 1090, .eur)],
            basePrice: Money(milliunits: 990, .usd),
            subscription: group.map { Product.Subscription(groupID: $0, level: 1, period: .month) })
    }

    private static let apps: [App] = [77, 78].map { number in
        App(
            bundleID: App.BundleID(rawValue: "com.example.a\(number)"), appleID: number, name: "App",
            products: [
                product("coins", 5, .consumable), product("none", 0, .nonConsumable),
                product("monthly", number * 10, .autoRenewable, group: "g"), product("news", number * 10 + 1, .free),
            ])
    }

    private func makeDatabase(_ engine: Engine) async throws -> Database {
        let database = try engine.makeDatabase(migrations: Array(Migration.all.prefix { $0.name != "catalog" }))
        try await database.write { connection in
            for app in Self.apps {
                try Self.insert(
                    app.appleID, app.bundleID.rawValue,
                    String(decoding: try JSONEncoder().encode(app), as: UTF8.self), on: connection)
            }
            try Self.insert(79, "com.example.broken", "{", on: connection)
        }
        try database.migrate()
        return database
    }

    private static func insert(
        _ id: Int64, _ bundleID: String, _ definition: String, on connection: any Connection
    ) throws {
        try connection.execute(
            """
            INSERT INTO apps (id, bundle_id, revision, shared_secret, definition) VALUES ($1, $2, 3, 'secret', $3)
            """, [.integer(id), .text(bundleID), .text(definition)])
    }

    @Test(arguments: Engine.allCases)
    func `products become rows and stay as they were`(engine: Engine) async throws {
        let database = try await makeDatabase(engine)
        try await database.read { connection in
            for app in Self.apps {
                for wanted in app.products {
                    let number = try #require(try ProductsTable.number(of: wanted.id, app: app.appleID, on: connection))
                    let record = try #require(try ProductsTable.record(number.id, on: connection))
                    var product = try CatalogDocument.decode(Product.self, from: record.definition)
                    #expect(product.appleID == number.id)
                    #expect((record.renews, record.group) == (wanted.type.renews, wanted.subscription?.groupID))
                    #expect(record.listing.isEmpty && !record.isDeleted)
                    product.appleID = wanted.appleID
                    #expect(product == wanted)
                }
                let record = try #require(try AppsTable.record(app.appleID, on: connection))
                var left = app
                left.products = []
                #expect(try CatalogDocument.decode(App.self, from: record.definition) == left)
            }
            // Both apps' files had 5, and neither had one for "none".
            let ids = try Self.apps.flatMap { try ProductsTable.definitions(app: $0.appleID, on: connection).map(\.id) }
            #expect(Set(ids).count == 8 && ids.contains(5) && !ids.contains(0))
            let broken = try #require(try AppsTable.record(79, on: connection))
            #expect((broken.definition, broken.revision) == ("{", 3))
        }
    }

    @Test(arguments: Engine.allCases)
    func `groups, imports and counters are there`(engine: Engine) async throws {
        let database = try await makeDatabase(engine)
        try await database.read { connection in
            #expect(try SubscriptionGroupsTable.keys(app: 77, on: connection) == ["g"])
            #expect(try SubscriptionGroupsTable.keys(app: 78, on: connection) == ["78.g"])
            let group = try #require(try SubscriptionGroupsTable.record(key: "78.g", on: connection))
            #expect(
                try CatalogDocument.decode(SubscriptionGroup.self, from: group.definition)
                    == SubscriptionGroup(id: "g", referenceName: "g"))
            let imports = try CatalogImportsTable.definitions(.product, app: 77, on: connection)
            #expect(Set(imports.keys) == ["coins", "none", "monthly", "news"])
            #expect(try CatalogHeadTable.revision(on: connection) == 10)
        }
    }
}
