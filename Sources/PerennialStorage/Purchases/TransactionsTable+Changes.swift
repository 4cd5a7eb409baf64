import Perennial

extension TransactionsTable {
    /// A transaction's place in the order in which its customer's devices are told of changes: by the last change or by
    /// the time of finishing, whichever is later.
    package struct ChangePlace: Hashable, Comparable, Sendable {
        /// The revision of the customer's purchases.
        package var revision: Int64
        package var id: TransactionID

        package init(revision: Int64, id: TransactionID) {
            (self.revision, self.id) = (revision, id)
        }

        /// The place after all changes up to a revision.
        package static func end(of revision: Int64) -> ChangePlace {
            ChangePlace(revision: revision, id: TransactionID(rawValue: .max))
        }

        package static func < (one: ChangePlace, other: ChangePlace) -> Bool {
            (one.revision, one.id) < (other.revision, other.id)
        }
    }

    /// A change of a transaction.
    package struct Change: Hashable, Sendable {
        package var place: ChangePlace
        /// The transaction's place in histories, which also identifies its state.
        package var history: Place
        package var isFinished: Bool
    }

    /// Returns a customer's changed transactions after a place, each once. Reads the customer's index, and no rows.
    package static func changes(
        of key: CustomerKey, after place: ChangePlace?, limit: Int, on connection: any Connection
    ) throws -> [Change] {
        let place = place ?? ChangePlace(revision: -1, id: TransactionID(rawValue: .min))
        return try connection.query(
            selectChanges,
            key.values + [.integer(place.revision), .integer(place.id.rawValue), .integer(Int64(limit))]
        ) { row in
            let id = TransactionID(rawValue: try row.integer(1))
            return Change(
                place: ChangePlace(revision: try row.integer(0), id: id),
                history: Place(modified: try row.integer(2), id: id), isFinished: try row.bool(3))
        }
    }

    /// Deletes a customer's transactions with an original, and all that names them but the journal.
    ///
    /// - Returns: The number of deleted transactions.
    package static func delete(
        originalID: TransactionID, of key: CustomerKey, on connection: any Connection
    ) throws -> Int {
        let values = key.values + [.integer(originalID.rawValue)]
        for statement in dependents { try connection.execute(statement, values) }
        return Int(try connection.execute(deleteTransactions, values))
    }

    /// Deletes one transaction.
    package static func delete(_ id: TransactionID, of key: CustomerKey, on connection: any Connection) throws {
        try connection.send(deleteOne, key.values + [.integer(id.rawValue)])
    }

    private static let changed = "CASE WHEN finished_revision > modified THEN finished_revision ELSE modified END"
    private static let selectChanges = SQL(
        """
        SELECT /*only $3*/ \(changed) AS changed, id, modified, is_finished FROM transactions
        WHERE environment = $1 AND app = $2 AND account = $3
        AND (\(changed) > $4 OR (\(changed) = $4 AND id > $5)) ORDER BY changed, id LIMIT $6
        """)
    private static let ofOriginal = "WHERE environment = $1 AND app = $2 AND account = $3 AND original_id = $4"
    private static let deleteTransactions = SQL("DELETE FROM transactions \(ofOriginal)")
    private static let deleteOne = SQL(
        "DELETE FROM transactions WHERE environment = $1 AND app = $2 AND account = $3 AND id = $4")
    private static let dependents: [SQL] = [
        SQL("DELETE FROM subscriptions \(ofOriginal)"),
        SQL(
            """
            DELETE FROM refund_requests WHERE environment = $1 AND app = $2 AND transaction_id IN
            (SELECT id FROM transactions \(ofOriginal))
            """),
    ]
}
