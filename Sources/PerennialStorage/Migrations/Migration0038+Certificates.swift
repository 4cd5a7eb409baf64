extension Migration {
    /// The certificates that nodes have issued, and the revoked ones: nodes need not share a folder of keys.
    ///
    /// Earlier versions go on beside it, and learn of a revocation from their folder only.
    package static let certificates = Migration(
        number: 38, name: "certificates", allowsEarlierNodes: true,
        statements: [
            """
            CREATE TABLE certificates (
                serial_number TEXT PRIMARY KEY,
                issuer TEXT NOT NULL,
                key_digest BYTEA NOT NULL,
                revoked BIGINT,
                reason BIGINT)
            """
        ])
}
