import Perennial

/// The newest signed app receipt of each device, so that reading it again costs no signature.
package enum SignedReceiptsTable {
    /// Returns the receipt signed at a revision of the customer's purchases; `nil` if it isn't stored.
    package static func receipt(
        of customer: CustomerKey, device: String, revision: Int64, on connection: any Connection
    ) throws -> [UInt8]? {
        try connection.first(
            """
            SELECT receipt FROM signed_receipts
            WHERE environment = $1 AND app = $2 AND account = $3 AND device = $4 AND revision = $5
            """, customer.values + [.text(device), .integer(revision)]
        ) { try $0.blob(0) }
    }

    /// Stores a receipt, unless a newer one is stored.
    package static func keep(
        _ receipt: [UInt8], of customer: CustomerKey, device: String, revision: Int64, on connection: any Connection
    ) throws {
        try connection.send(
            """
            INSERT INTO signed_receipts (environment, app, account, device, revision, receipt)
            VALUES ($1, $2, $3, $4, $5, $6)
            ON CONFLICT (environment, app, account, device)
            DO UPDATE SET revision = excluded.revision, receipt = excluded.receipt
            WHERE signed_receipts.revision <= excluded.revision
            """, customer.values + [.text(device), .integer(revision), .blob(receipt)])
    }
}
