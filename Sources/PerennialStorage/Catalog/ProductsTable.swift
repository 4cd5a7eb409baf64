import Perennial

/// The products of all apps, each with its definition and the seller's listing as documents.
///
/// A deleted product keeps its row, so that its product ID is never used again.
package enum ProductsTable {
    package struct Record: Sendable {
        /// The Apple ID.
        package var id: Int64
        package var app: Int64
        package var productID: Product.ID
        /// True for subscriptions that the protocols treat as auto-renewable.
        package var renews: Bool
        package var group: String?
        /// The catalog's revision of the last change.
        package var revision: Int64
        package var isDeleted: Bool
        /// The product as JSON.
        package var definition: String
        /// The seller's listing as JSON; empty for an empty one.
        package var listing: String

        package init(
            _ product: Product, app: Int64, revision: Int64, isDeleted: Bool, definition: String, listing: String
        ) {
            id = product.appleID
            self.app = app
            productID = product.id
            renews = product.type.renews
            group = product.subscription?.groupID
            self.revision = revision
            self.isDeleted = isDeleted
            self.definition = definition
            self.listing = listing
        }

        init(_ row: any Row) throws {
            id = try row.integer(0)
            app = try row.integer(1)
            productID = Product.ID(rawValue: try row.text(2))
            renews = try row.bool(3)
            group = try row.optionalText(4)
            revision = try row.integer(5)
            isDeleted = try row.bool(6)
            definition = try row.text(7)
            listing = try row.text(8)
        }
    }

    /// Writes a product. The caller raises the catalog's revision.
    package static func upsert(_ record: Record, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO products (id, app, product_id, renews, subscription_group, revision, is_deleted, definition, listing)
            VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9)
            ON CONFLICT (id) DO UPDATE SET product_id = excluded.product_id, renews = excluded.renews,
            subscription_group = excluded.subscription_group, revision = excluded.revision,
            is_deleted = excluded.is_deleted, definition = excluded.definition, listing = excluded.listing
            """,
            [
                .integer(record.id), .integer(record.app), .text(record.productID.rawValue),
                .integer(record.renews ? 1 : 0), SQLValue(record.group), .integer(record.revision),
                .integer(record.isDeleted ? 1 : 0), .text(record.definition), .text(record.listing),
            ])
    }

    /// Returns a product, also a deleted one.
    package static func record(_ id: Int64, on connection: any Connection) throws -> Record? {
        try connection.first(
            """
            SELECT id, app, product_id, renews, subscription_group, revision, is_deleted, definition, listing
            FROM products WHERE id = $1
            """, [.integer(id)], Record.init)
    }

    /// Returns the Apple ID of a product ID, also of a deleted product.
    package static func number(
        of product: Product.ID, app: Int64, on connection: any Connection
    ) throws -> (id: Int64, isDeleted: Bool)? {
        try connection.first(
            "SELECT id, is_deleted FROM products WHERE app = $1 AND product_id = $2",
            [.integer(app), .text(product.rawValue)]
        ) { (try $0.integer(0), try $0.bool(1)) }
    }

    /// Returns true if a product has or had the Apple ID.
    package static func isTaken(_ id: Int64, on connection: any Connection) throws -> Bool {
        try connection.first("SELECT id FROM products WHERE id = $1", [.integer(id)]) { _ in true } ?? false
    }

    /// Returns the highest Apple ID of an app's products in a range, also of deleted ones.
    package static func highest(
        app: Int64, _ range: ClosedRange<Int64>, on connection: any Connection
    ) throws -> Int64? {
        try connection.first(
            "SELECT MAX(id) FROM products WHERE id >= $1 AND id <= $2 AND app = $3",
            [.integer(range.lowerBound), .integer(range.upperBound), .integer(app)]
        ) { try $0.optionalInteger(0) } ?? nil
    }

    /// A product as selling reads it.
    package struct Definition: Sendable {
        package var id: Int64
        package var app: Int64
        package var isDeleted: Bool
        /// The product as JSON.
        package var definition: String

        fileprivate init(_ row: any Row) throws {
            id = try row.integer(0)
            app = try row.integer(1)
            isDeleted = try row.bool(2)
            definition = try row.text(3)
        }
    }

    /// Returns an app's products for selling, also deleted ones, ordered by Apple ID.
    package static func definitions(app: Int64, on connection: any Connection) throws -> [Definition] {
        try connection.query(
            "SELECT id, app, is_deleted, definition FROM products WHERE app = $1 ORDER BY id",
            [.integer(app)], Definition.init)
    }

    /// Returns the products that have changed after a revision, also deleted ones, for selling.
    ///
    /// They are in the order of the index: for the order of IDs, SQLite would look at each product.
    package static func definitions(
        changedAfter revision: Int64, on connection: any Connection
    ) throws -> [Definition] {
        try connection.query(
            "SELECT id, app, is_deleted, definition FROM products WHERE revision > $1 ORDER BY revision, id",
            [.integer(revision)], Definition.init)
    }
}
