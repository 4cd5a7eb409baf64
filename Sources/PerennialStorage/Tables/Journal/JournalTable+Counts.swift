import Perennial

extension JournalTable {
    /// How many entries of each kind lie between two positions.
    package static func counts(
        after first: Int64, through last: Int64, app: Int64, _ environment: StoreEnvironment.ID,
        on connection: any Connection
    ) throws -> [String: Int64] {
        let counts = try connection.query(
            """
            SELECT kind, COUNT(*) FROM journal
            WHERE environment = $1 AND app = $2 AND position > $3 AND position <= $4 GROUP BY kind
            """, [.integer(environment.rawValue), .integer(app), .integer(first), .integer(last)]
        ) { (try $0.text(0), try $0.integer(1)) }
        return Dictionary(uniqueKeysWithValues: counts)
    }
}
