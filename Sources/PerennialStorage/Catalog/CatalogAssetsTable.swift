/// The bytes of screenshots and images, in the parts in which they were uploaded.
package enum CatalogAssetsTable {
    /// Writes a part. It replaces one at the same offset.
    package static func put(_ bytes: [UInt8], at start: Int64, of id: String, on connection: any Connection) throws {
        try connection.send(
            """
            INSERT INTO catalog_assets (id, start, bytes) VALUES ($1, $2, $3)
            ON CONFLICT (id, start) DO UPDATE SET bytes = excluded.bytes
            """, [.text(id), .integer(start), .blob(bytes)])
    }

    /// Returns the parts in the order of their offsets.
    package static func parts(
        of id: String, on connection: any Connection
    ) throws -> [(start: Int64, bytes: [UInt8])] {
        try connection.query(
            "SELECT start, bytes FROM catalog_assets WHERE id = $1 ORDER BY start", [.text(id)]
        ) { (start: try $0.integer(0), bytes: try $0.blob(1)) }
    }

    package static func delete(_ id: String, on connection: any Connection) throws {
        try connection.send("DELETE FROM catalog_assets WHERE id = $1", [.text(id)])
    }
}
