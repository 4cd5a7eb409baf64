import Foundation
import Perennial

/// Moves the products in the apps' definitions to rows of their own, with their subscription groups.
///
/// It reads the JSON of migration 25 without the types of today, so that they may change.
enum ProductsOfApps {
    static func run(on connection: any Connection) throws {
        let revision =
            try connection.first("SELECT revision FROM catalog_head WHERE id = 1") { try $0.integer(0) } ?? 1
        let apps = try connection.query("SELECT id, definition FROM apps ORDER BY id") {
            (id: try $0.integer(0), definition: try $0.text(1))
        }
        for app in apps {
            // A definition that can't be read stays as it is: its app is left out of sales, as before.
            guard var definition = object(app.definition), let products = definition["products"] as? [Any] else {
                continue
            }
            for product in products {
                guard let product = product as? [String: Any], let id = product["id"] as? String else { continue }
                try move(product, id, app.id, revision, on: connection)
            }
            definition["products"] = [Any]()
            try connection.execute(
                "UPDATE apps SET definition = $1, revision = $2 WHERE id = $3",
                [.text(try text(definition)), .integer(revision), .integer(app.id)])
        }
    }

    private static func move(
        _ definition: [String: Any], _ id: String, _ app: Int64, _ revision: Int64, on connection: any Connection
    ) throws {
        let isKnown = try connection.first(
            "SELECT id FROM products WHERE app = $1 AND product_id = $2", [.integer(app), .text(id)]
        ) { _ in true }
        guard isKnown == nil else { return }
        var product = definition
        let number = try freeNumber(
            (definition["appleID"] as? NSNumber)?.int64Value ?? 0, of: app, on: connection)
        product["appleID"] = NSNumber(value: number)
        let type = product["type"] as? String
        let group = (product["subscription"] as? [String: Any])?["groupID"] as? String
        let json = try text(product)
        try connection.execute(
            """
            INSERT INTO products (id, app, product_id, renews, subscription_group, revision, is_deleted, definition, listing)
            VALUES ($1, $2, $3, $4, $5, $6, 0, $7, '')
            """,
            [
                .integer(number), .integer(app), .text(id),
                .integer(type == "autoRenewable" || type == "free" ? 1 : 0), SQLValue(group), .integer(revision),
                .text(json),
            ])
        try connection.execute(
            "INSERT INTO catalog_imports (app, subject, id, definition) VALUES ($1, 'product', $2, $3)",
            [.integer(app), .text(id), .text(json)])
        if let group { try addGroup(group, app, revision, on: connection) }
    }

    /// Returns the product's Apple ID, or a free one if it has none or another product has it: two apps' files could have
    /// the same ID before.
    private static func freeNumber(_ wanted: Int64, of app: Int64, on connection: any Connection) throws -> Int64 {
        func isFree(_ number: Int64) throws -> Bool {
            try connection.first("SELECT id FROM products WHERE id = $1", [.integer(number)]) { _ in true } == nil
        }
        if wanted > 0, try isFree(wanted) { return wanted }
        var number = max(1, app.clampedMultiplied(by: 1_000_000).clampedAdding(1) % (.max - 1_000_000_000))
        while try !isFree(number) { number += 1 }
        return number
    }

    private static func addGroup(
        _ id: String, _ app: Int64, _ revision: Int64, on connection: any Connection
    ) throws {
        let owners = try connection.query("SELECT app FROM subscription_groups WHERE id = $1", [.text(id)]) {
            try $0.integer(0)
        }
        guard !owners.contains(app) else { return }
        let definition: [String: Any] = [
            "id": id, "referenceName": id, "versions": [Any](), "revision": NSNumber(value: 0),
        ]
        try connection.execute(
            """
            INSERT INTO subscription_groups (app, id, group_key, revision, definition) VALUES ($1, $2, $3, $4, $5)
            """,
            [
                .integer(app), .text(id), .text(owners.isEmpty ? id : "\(app).\(id)"), .integer(revision),
                .text(try text(definition)),
            ])
    }

    private static func object(_ text: String) -> [String: Any]? {
        try? JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
    }

    private static func text(_ object: [String: Any]) throws -> String {
        let data = try JSONSerialization.data(withJSONObject: object, options: [.sortedKeys, .withoutEscapingSlashes])
        return String(decoding: data, as: UTF8.self)
    }
}
