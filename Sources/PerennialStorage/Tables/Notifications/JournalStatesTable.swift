import Perennial

/// How things stood when an entry was written to the journal, for as long as no reader has come by: what readers tell of an
/// entry later is what was true then.
package enum JournalStatesTable {
    package struct State: Sendable, Equatable {
        /// Of the subscription, by the Server API's numbers.
        package var status: Int64?
        /// The payload of a signed transaction: JSON.
        package var transactionInfo: String?
        /// The payload of signed renewal information: JSON.
        package var renewalInfo: String?
        /// What belongs to few kinds of entries only: JSON.
        package var details: String?

        package init(
            status: Int64? = nil, transactionInfo: String? = nil, renewalInfo: String? = nil, details: String? = nil
        ) {
            self.status = status
            self.transactionInfo = transactionInfo
            self.renewalInfo = renewalInfo
            self.details = details
        }
    }

    package static func insert(
        _ state: State, at position: Int64, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws {
        try connection.execute(
            """
            INSERT INTO journal_states (environment, app, position, status, transaction_info, renewal_info, details)
            VALUES ($1, $2, $3, $4, $5, $6, $7)
            """,
            [
                .integer(environment.rawValue), .integer(app), .integer(position), SQLValue(state.status),
                SQLValue(state.transactionInfo), SQLValue(state.renewalInfo), SQLValue(state.details),
            ])
    }

    package static func states(
        after position: Int64, through last: Int64, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [Int64: State] {
        let rows = try connection.query(
            """
            SELECT position, status, transaction_info, renewal_info, details FROM journal_states
            WHERE environment = $1 AND app = $2 AND position > $3 AND position <= $4
            """, [.integer(environment.rawValue), .integer(app), .integer(position), .integer(last)]
        ) { row in
            (
                try row.integer(0),
                State(
                    status: try row.optionalInteger(1), transactionInfo: try row.optionalText(2),
                    renewalInfo: try row.optionalText(3), details: try row.optionalText(4))
            )
        }
        return Dictionary(rows) { first, _ in first }
    }

    /// Forgets what was read.
    package static func remove(
        through position: Int64, app: Int64, _ environment: StoreEnvironment.ID, on connection: any Connection
    ) throws {
        try connection.execute(
            "DELETE FROM journal_states WHERE environment = $1 AND app = $2 AND position <= $3",
            [.integer(environment.rawValue), .integer(app), .integer(position)])
    }
}
