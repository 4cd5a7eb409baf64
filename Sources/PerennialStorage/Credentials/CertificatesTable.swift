import Perennial

/// The certificates that the nodes of a database have issued from their folders of keys, and the revoked ones.
package enum CertificatesTable {
    package struct Certificate: Hashable, Sendable {
        /// The serial number in hexadecimal digits.
        package var serialNumber: String
        /// The name of the issuing certificate.
        package var issuer: String
        /// SHA-256 of the public key; empty if it isn't known.
        package var keyDigest: [UInt8]
        /// The time of the revocation, in real time; `nil` for a good certificate.
        package var revoked: Instant?
        /// The number of the revocation's reason (RFC 5280).
        package var reason: Int64?

        package init(
            serialNumber: String, issuer: String, keyDigest: [UInt8], revoked: Instant? = nil, reason: Int64? = nil
        ) {
            self.serialNumber = serialNumber
            self.issuer = issuer
            self.keyDigest = keyDigest
            self.revoked = revoked
            self.reason = reason
        }
    }

    /// Returns all certificates.
    package static func all(on connection: any Connection) throws -> [Certificate] {
        try connection.query(
            "SELECT serial_number, issuer, key_digest, revoked, reason FROM certificates ORDER BY serial_number"
        ) { row in
            Certificate(
                serialNumber: try row.text(0), issuer: try row.text(1), keyDigest: try row.blob(2),
                revoked: try row.optionalInteger(3).map(Instant.init(milliseconds:)), reason: try row.optionalInteger(4)
            )
        }
    }

    /// Adds a certificate, or revokes one that is there. A revocation stays as it was first.
    package static func put(_ certificate: Certificate, on connection: any Connection) throws {
        try connection.execute(
            """
            INSERT INTO certificates (serial_number, issuer, key_digest, revoked, reason) VALUES ($1, $2, $3, $4, $5)
            ON CONFLICT (serial_number) DO UPDATE SET revoked = excluded.revoked, reason = excluded.reason
            WHERE certificates.revoked IS NULL AND excluded.revoked IS NOT NULL
            """,
            [
                .text(certificate.serialNumber), .text(certificate.issuer), .blob(certificate.keyDigest),
                certificate.revoked.map { .integer($0.milliseconds) } ?? .null,
                certificate.reason.map { .integer($0) } ?? .null,
            ])
    }
}
