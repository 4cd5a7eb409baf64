import Perennial

/// Repairs databases that versions of 21 and 22 November 2026 created.
///
/// Until then some migrations were changed after databases had run them: tables got further columns, a column got another
/// name, idempotency keys became digests, and SQLite's tables lost their row IDs. Since migration 18 a migration never changes,
/// so a database that has run it is left alone. A repair detects each change by the schema itself and may run again.
struct EarlySchema {
    /// The last migration that was changed in place.
    static let lastMigration: Int64 = 17

    private let definitions: [String]
    private let connection: any Connection

    /// - Parameter migrations: Those that the database has run, in their present form.
    init(_ migrations: some Sequence<Migration>, on connection: any Connection) {
        definitions = migrations.flatMap(\.statements)
        self.connection = connection
    }

    /// Gives the tables their present form and keeps their rows.
    /// - Throws: ``StorageError`` with `differentSchema` if notifications would be lost.
    func repair() throws {
        try checkNotificationsAreWritten()
        for table in SchemaText.tables(in: definitions) {
            let columns = try columns(of: table)
            if columns.isEmpty {
                try create(table)
            } else if try isOutdated(table, columns) {
                try rebuild(table, columns)
            }
        }
        try createMissingIndexes()
        try connection.execute("DROP TABLE IF EXISTS journal_states")
        try convertSubscriptions()
    }

    // MARK: Tables

    private func isOutdated(_ table: String, _ columns: Set<String>) throws -> Bool {
        guard columns == SchemaText.columns(of: table, in: definitions) else { return true }
        guard connection.engine == .sqlite else { return false }
        let text = try connection.first(
            "SELECT sql FROM sqlite_schema WHERE type = 'table' AND name = $1", [.text(table)]
        ) { try $0.text(0) }
        return text?.hasSuffix("WITHOUT ROWID") != SchemaText.isWithoutRowID(table, in: definitions)
    }

    private func create(_ table: String) throws {
        for statement in SchemaText.statements(defining: table, in: definitions) {
            try connection.execute(SQL(statement))
        }
        guard table == "notification_contents", try columns(of: "notifications").contains("renewal_info") else {
            return
        }
        // The parts of a notification have the same contents.
        try connection.execute(
            """
            INSERT INTO notification_contents
            (environment, app, position, status, transaction_info, renewal_info, details)
            SELECT environment, app, position, status, transaction_info, renewal_info, details
            FROM notifications WHERE part = 0
            """)
    }

    private func rebuild(_ table: String, _ columns: Set<String>) throws {
        for index in try indexes(of: table) { try connection.execute(SQL("DROP INDEX \(index)")) }
        try connection.execute(SQL("ALTER TABLE \(table) RENAME TO \(table)_before"))
        try create(table)
        if columns.contains("idempotency_key") {
            try copyPurchaseRequests()
        } else {
            try copy(table, columns)
        }
        try connection.execute(SQL("DROP TABLE \(table)_before"))
    }

    /// Values of columns that the earlier form of a table lacks. Others are null or their default.
    private static let replacements = [
        "transactions.revocation_kind": "CASE WHEN revoked IS NOT NULL THEN 'REFUND_FULL' END",
        "transactions.revocation_percentage": "CASE WHEN revoked IS NOT NULL THEN 100000 END",
        // A nonce is used within a day after it was signed: it is forgotten somewhat later.
        "offer_nonces.signed": "used",
    ]

    private func copy(_ table: String, _ columns: Set<String>) throws {
        let values = SchemaText.columns(of: table, in: definitions).sorted().compactMap {
            column -> (String, String)? in
            if columns.contains(column) { return (column, column) }
            return Self.replacements["\(table).\(column)"].map { (column, $0) }
        }
        let names = values.map(\.0).joined(separator: ", ")
        let expressions = values.map(\.1).joined(separator: ", ")
        try connection.execute(SQL("INSERT INTO \(table) (\(names)) SELECT \(expressions) FROM \(table)_before"))
    }

    private func copyPurchaseRequests() throws {
        try connection.forEachRow(
            """
            SELECT environment, app, account, idempotency_key, fingerprint, transaction_id, refusal, refusal_reason
            FROM purchase_requests_before
            """, []
        ) { row in
            try connection.execute(
                """
                INSERT INTO purchase_requests
                (environment, app, account, key_digest, request_digest, transaction_id, refusal, refusal_reason)
                VALUES ($1, $2, $3, $4, $5, $6, $7, $8)
                """,
                [
                    .integer(try row.integer(0)), .integer(try row.integer(1)), .integer(try row.integer(2)),
                    .blob(PurchaseRequestsTable.Digest(of: try row.text(3)).bytes),
                    .blob(PurchaseRequestsTable.Digest(of: try row.text(4)).bytes),
                    SQLValue(try row.optionalInteger(5)), SQLValue(try row.optionalText(6)),
                    SQLValue(try row.optionalText(7)),
                ])
        }
    }

    // MARK: Indexes

    private func createMissingIndexes() throws {
        for (name, table, statement) in SchemaText.indexes(in: definitions) {
            guard try !indexes(of: table).contains(name) else { continue }
            try connection.execute(SQL(statement))
        }
    }

    // MARK: Contents

    /// Checks that the version before has written all notifications.
    ///
    /// Until 21 November, 20:59, events were noted first, and notifications written when they were sent.
    private func checkNotificationsAreWritten() throws {
        guard try !columns(of: "journal_states").isEmpty else { return }
        let count = try connection.first("SELECT COUNT(*) FROM journal_states") { try $0.integer(0) } ?? 0
        guard count == 0 else {
            throw StorageError(
                .differentSchema, "journal_states",
                """
                An earlier version has noted \(count) events for which it has sent no notifications yet, and this one can't \
                send them. Run the earlier version once more until they are sent; or give them up with the statement \
                DELETE FROM journal_states, in sqlite3 or psql.
                """)
        }
    }

    /// Converts subscriptions that were stored as JSON.
    ///
    /// One that can't be read stays as it is; it is quarantined when it falls due.
    private func convertSubscriptions() throws {
        guard try !columns(of: "subscriptions").isEmpty else { return }
        let stored = try connection.query(
            "SELECT environment, app, original_id, document FROM subscriptions WHERE document LIKE '{%'"
        ) { row in
            (key: try (0..<3).map { SQLValue.integer(try row.integer($0)) }, json: try row.text(3))
        }
        for (key, json) in stored {
            guard let subscription = try? SubscriptionJSON.subscription(json) else { continue }
            try connection.execute(
                "UPDATE subscriptions SET document = $1 WHERE environment = $2 AND app = $3 AND original_id = $4",
                [.text(SubscriptionsTable.document(of: subscription))] + key)
        }
    }

    // MARK: The present schema

    /// Returns the names of a table's columns; none if the table doesn't exist.
    private func columns(of table: String) throws -> Set<String> {
        let columns: SQL =
            switch connection.engine {
            case .sqlite: "SELECT name FROM pragma_table_info($1)"
            case .postgres:
                """
                SELECT CAST(column_name AS TEXT) FROM information_schema.columns
                WHERE table_schema = current_schema() AND table_name = $1
                """
            }
        return Set(try connection.query(columns, [.text(table)]) { try $0.text(0) })
    }

    /// Returns the names of a table's indexes, without those of its constraints.
    private func indexes(of table: String) throws -> [String] {
        let indexes: SQL =
            switch connection.engine {
            case .sqlite: "SELECT name FROM sqlite_schema WHERE type = 'index' AND tbl_name = $1 AND sql IS NOT NULL"
            case .postgres:
                """
                SELECT CAST(indexname AS TEXT) FROM pg_indexes
                WHERE schemaname = current_schema() AND tablename = $1
                AND indexname NOT IN (SELECT conname FROM pg_constraint)
                """
            }
        return try connection.query(indexes, [.text(table)]) { try $0.text(0) }
    }
}
