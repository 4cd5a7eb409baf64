import Perennial

extension TransactionsTable {
    /// A position in a customer's refunds, which are ordered by revocation.
    package struct RefundPosition: Hashable, Sendable {
        package var revoked: Instant
        package var id: TransactionID

        package init(revoked: Instant, id: TransactionID) {
            self.revoked = revoked
            self.id = id
        }
    }

    /// Returns a customer's refunded transactions after a position, oldest revocation first.
    ///
    /// Transactions that a family member lost weren't refunded.
    package static func refunded(
        of key: CustomerKey, after place: RefundPosition?, limit: Int, on connection: any Connection
    ) throws -> [Transaction] {
        try connection.query(
            selectRefunded,
            key.values + [
                .text(RevocationTerms.Kind.familyRevoke.rawValue),
                .integer(place?.revoked.milliseconds ?? .min), .integer(place?.id.rawValue ?? .min),
                .integer(Int64(limit)),
            ], transaction)
    }

    /// Returns a customer's refunded transactions, newest revocation first.
    package static func lastRefunded(
        of key: CustomerKey, limit: Int, on connection: any Connection
    ) throws -> [Transaction] {
        try connection.query(
            selectLastRefunded,
            key.values + [.text(RevocationTerms.Kind.familyRevoke.rawValue), .integer(Int64(limit))], transaction)
    }

    private static let refunds = """
        SELECT \(columns) FROM transactions
        WHERE environment = $1 AND app = $2 AND account = $3 AND revoked IS NOT NULL AND revocation_kind <> $4
        """
    private static let selectRefunded = SQL(
        "\(refunds) AND (revoked > $5 OR (revoked = $5 AND id > $6)) ORDER BY revoked, id LIMIT $7")
    private static let selectLastRefunded = SQL("\(refunds) ORDER BY revoked DESC, id DESC LIMIT $5")
}
