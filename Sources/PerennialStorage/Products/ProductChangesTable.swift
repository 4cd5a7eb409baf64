import Perennial

/// The seller's changes of products in an environment, beside the catalog: one row for each product.
package enum ProductChangesTable {
    package struct Row: Sendable {
        package var environment: StoreEnvironment.ID
        package var app: Int64
        package var productID: Product.ID
        /// An error if the document can't be read.
        package var change: Result<ProductChange, any Error>
    }

    /// Writes a product's changes.
    ///
    /// - Parameter revision: The catalog's revision, which the caller has raised.
    package static func put(
        _ change: ProductChange, of product: Product.ID, app: Int64, _ environment: StoreEnvironment.ID,
        revision: Int64, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO product_changes (environment, app, product, revision, document) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (environment, app, product) DO UPDATE SET revision = excluded.revision,
            document = excluded.document
            """,
            [
                .integer(environment.rawValue), .integer(app), .text(product.rawValue), .integer(revision),
                .text(try CatalogDocument.encode(change)),
            ])
    }

    /// Returns a product's changes; empty ones if none are stored.
    package static func change(
        of product: Product.ID, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws -> ProductChange {
        try connection.first(
            "SELECT document FROM product_changes WHERE environment = $1 AND app = $2 AND product = $3",
            [.integer(environment.rawValue), .integer(app), .text(product.rawValue)]
        ) { try CatalogDocument.decode(from: try $0.text(0)) } ?? ProductChange()
    }

    /// Returns the changes of an app's products, ordered by product ID.
    package static func all(
        of environment: StoreEnvironment.ID, app: Int64, on connection: any Connection
    ) throws -> [(productID: Product.ID, change: ProductChange)] {
        try connection.query(
            "SELECT product, document FROM product_changes WHERE environment = $1 AND app = $2",
            [.integer(environment.rawValue), .integer(app)]
        ) { row in
            (Product.ID(rawValue: try row.text(0)), try CatalogDocument.decode(ProductChange.self, from: row.text(1)))
        }.sorted { $0.productID < $1.productID }
    }

    /// Returns the changes of all environments that were written after a revision.
    package static func all(changedAfter revision: Int64, on connection: any Connection) throws -> [Row] {
        try connection.query(
            "SELECT environment, app, product, document FROM product_changes WHERE revision > $1",
            [.integer(revision)]
        ) { row in
            let text = try row.text(3)
            return Row(
                environment: StoreEnvironment.ID(rawValue: try row.integer(0)), app: try row.integer(1),
                productID: Product.ID(rawValue: try row.text(2)),
                change: Result { try CatalogDocument.decode(from: text) })
        }
    }
}
