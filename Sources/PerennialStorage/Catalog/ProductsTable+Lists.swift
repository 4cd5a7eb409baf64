import Perennial

/// Lists of products and of their Apple IDs.
extension ProductsTable {
    /// The number of products that one statement reads.
    private static let batch = 50
    /// `$1, $2, …`: one statement for all batches.
    private static let placeholders = (1...batch).map { "$\($0)" }.joined(separator: ", ")

    /// Returns products by their Apple IDs, without deleted ones, in no order.
    package static func records(_ ids: [Int64], on connection: any Connection) throws -> [Record] {
        var records: [Record] = []
        for start in stride(from: 0, to: ids.count, by: batch) {
            var part = ids[start..<min(start + batch, ids.count)].map(SQLValue.integer)
            // The last batch repeats its last ID.
            while part.count < batch, let last = part.last { part.append(last) }
            records += try connection.query(
                SQL(
                    """
                    SELECT id, app, product_id, renews, subscription_group, revision, is_deleted, definition, listing
                    FROM products WHERE id IN (\(placeholders)) AND is_deleted = 0
                    """), part, Record.init)
        }
        return records
    }

    /// Returns the Apple IDs of the products that have changed after a revision, also of deleted ones.
    package static func ids(changedAfter revision: Int64, on connection: any Connection) throws -> [Int64] {
        try connection.query("SELECT id FROM products WHERE revision > $1", [.integer(revision)]) {
            try $0.integer(0)
        }
    }

    /// Returns the Apple IDs of an app's products in ascending order.
    package static func ids(app: Int64, renewing: Bool, on connection: any Connection) throws -> [Int64] {
        try connection.query(
            "SELECT id FROM products WHERE app = $1 AND is_deleted = 0 AND renews = $2 ORDER BY id",
            [.integer(app), .integer(renewing ? 1 : 0)]
        ) { try $0.integer(0) }
    }

    /// Returns the Apple IDs of a subscription group's products in ascending order.
    package static func ids(group: String, app: Int64, on connection: any Connection) throws -> [Int64] {
        try connection.query(
            "SELECT id FROM products WHERE app = $1 AND subscription_group = $2 AND is_deleted = 0 ORDER BY id",
            [.integer(app), .text(group)]
        ) { try $0.integer(0) }
    }
}
