extension Migration {
    /// The facts of a sale that reports need: the device and its app's version, the reason of its proceeds, and whether its
    /// price was preserved. Entries of before have none.
    package static let saleFacts = Migration(
        number: 19, name: "saleFacts",
        statements: [
            "ALTER TABLE journal ADD COLUMN device TEXT",
            "ALTER TABLE journal ADD COLUMN app_version TEXT",
            "ALTER TABLE journal ADD COLUMN proceeds_reason TEXT",
            "ALTER TABLE journal ADD COLUMN is_price_preserved BIGINT",
            "ALTER TABLE devices ADD COLUMN family TEXT",
        ])
}
