extension Migration {
    /// Whose keys sign for this database: one row, with the SHA-256 of the root certificate.
    package static let signingRoot = Migration(
        number: 17, name: "signingRoot",
        statements: [
            "CREATE TABLE signing_root (id BIGINT NOT NULL PRIMARY KEY, digest BYTEA NOT NULL) /*WITHOUT ROWID*/"
        ])
}
