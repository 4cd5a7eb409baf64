import Foundation

/// Moves the changes of products in environments' settings to rows of their own.
///
/// It reads the JSON of migration 30 without the types of today, so that they may change.
enum ProductChangesOfSettings {
    private static let key = "products"

    static func run(on connection: any Connection) throws {
        let revision =
            try connection.first("SELECT revision FROM catalog_head WHERE id = 1") { try $0.integer(0) } ?? 1
        let stored = try connection.query(
            "SELECT environment, app, document FROM environment_settings ORDER BY environment, app"
        ) { (environment: try $0.integer(0), app: try $0.integer(1), document: try $0.text(2)) }
        for (environment, app, document) in stored {
            // Settings that can't be read stay as they are: they are left out of sales, as before.
            guard var settings = try? JSONSerialization.jsonObject(with: Data(document.utf8)) as? [String: Any],
                let products = settings.removeValue(forKey: key) as? [String: Any]
            else { continue }
            for (product, change) in products {
                try connection.execute(
                    """
                    INSERT INTO product_changes (environment, app, product, revision, document)
                    VALUES ($1, $2, $3, $4, $5)
                    """,
                    [
                        .integer(environment), .integer(app), .text(product), .integer(revision),
                        .text(try text(change)),
                    ])
            }
            try connection.execute(
                "UPDATE environment_settings SET document = $1 WHERE environment = $2 AND app = $3",
                [.text(try text(settings)), .integer(environment), .integer(app)])
        }
    }

    private static func text(_ json: Any) throws -> String {
        let options: JSONSerialization.WritingOptions = [.sortedKeys, .withoutEscapingSlashes, .fragmentsAllowed]
        return String(decoding: try JSONSerialization.data(withJSONObject: json, options: options), as: UTF8.self)
    }
}
