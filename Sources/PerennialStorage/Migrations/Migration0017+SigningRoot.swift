extension Migration {
    /// The SHA-256 of the root certificate whose keys sign for this database, in one row.
    package static let signingRoot = Migration(
        number: 17, name: "signingRoot",
        statements: [
            "CREATE TABLE signing_root (id BIGINT NOT NULL PRIMARY KEY, digest BYTEA NOT NULL) /*WITHOUT ROWID*/"
        ])
}
