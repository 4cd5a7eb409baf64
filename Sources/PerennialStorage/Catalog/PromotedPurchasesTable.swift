/// The order of an app's promoted purchases. Their properties are in the products' listings.
package enum PromotedPurchasesTable {
    /// Returns the Apple IDs of the promoted products in order.
    package static func products(app: Int64, on connection: any Connection) throws -> [Int64] {
        try connection.query(
            "SELECT product FROM promoted_purchases WHERE app = $1 ORDER BY position", [.integer(app)]
        ) { try $0.integer(0) }
    }

    /// Replaces the list.
    package static func replace(_ products: [Int64], app: Int64, on connection: any Connection) throws {
        try connection.send("DELETE FROM promoted_purchases WHERE app = $1", [.integer(app)])
        for (position, product) in products.enumerated() {
            try connection.send(
                "INSERT INTO promoted_purchases (product, app, position) VALUES ($1, $2, $3)",
                [.integer(product), .integer(app), .integer(Int64(position))])
        }
    }
}
