import Foundation
import PerennialStorage

/// The rows that renewals have made, in tables of another database, from which pgbench writes them a second time.
struct RenewalRows {
    /// The database with the renewals.
    private let source: DatabaseLocation
    /// The database as it was before.
    private let target: DatabaseLocation
    private let server: BenchmarkPostgreSQL
    private let batch: Int
    /// The rows that renewals have inserted or updated, by table, with the journal position of each.
    private let queries: [(table: String, query: String)]
    private let folder: String

    /// - Parameter after: The last position of the journal before the renewals.
    init(
        from source: DatabaseLocation, to target: DatabaseLocation, after: Int, batch: Int,
        on server: BenchmarkPostgreSQL
    ) {
        (self.source, self.target, self.batch, self.server) = (source, target, batch, server)
        let renewed =
            "JOIN journal AS j USING (environment, app) WHERE j.position > \(after) AND j.kind = 'renewed' AND"
        queries = [
            ("journal", "SELECT position AS place, journal.* FROM journal WHERE position > \(after)"),
            ("postings", "SELECT position AS place, postings.* FROM postings WHERE position > \(after)"),
            (
                "transactions",
                "SELECT journal_position AS place, transactions.* FROM transactions WHERE journal_position > \(after)"
            ),
            (
                "subscriptions",
                "SELECT j.position AS place, subscriptions.* FROM subscriptions \(renewed) "
                    + "j.original_id = subscriptions.original_id"
            ),
            (
                "customers",
                "SELECT j.position AS place, customers.* FROM customers \(renewed) j.account = customers.account"
            ),
        ]
        folder = server.sharedFolder
    }

    /// Copies the rows.
    func prepare() throws {
        for (table, query) in queries {
            try server.psql("COPY (\(query)) TO '\(file(table))'", in: source)
            try server.psql(
                """
                CREATE TABLE made_\(table) AS SELECT 0::bigint AS place, \(table).* FROM \(table) LIMIT 0;
                COPY made_\(table) FROM '\(file(table))';
                CREATE INDEX ON made_\(table) (place);
                """, in: target)
        }
        // Analyzed as the tables are after a while: without it the planner doesn't know how few rows a batch has.
        try server.psql("ANALYZE", in: target)
    }

    func removeFiles() {
        for (table, _) in queries { try? FileManager.default.removeItem(atPath: file(table)) }
    }

    /// One batch a transaction: the rows behind position `last`.
    func script() throws -> String {
        let range = "made.place BETWEEN :first AND :last"
        func columns(_ table: String) throws -> String {
            try server.psql(
                "SELECT string_agg('made.' || quote_ident(attname), ', ' ORDER BY attnum) FROM pg_attribute "
                    + "WHERE attrelid = '\(table)'::regclass AND attnum > 0 AND NOT attisdropped", in: target)
        }
        func insert(_ table: String) throws -> String {
            "INSERT INTO \(table) SELECT \(try columns(table)) FROM made_\(table) AS made WHERE \(range);"
        }
        return """
            \\set first :last + 1
            \\set last :last + \(batch)
            BEGIN;
            \(try insert("transactions"))
            UPDATE subscriptions SET due = made.due, document = made.document FROM made_subscriptions AS made
            WHERE \(range) AND subscriptions.environment = made.environment AND subscriptions.app = made.app
            AND subscriptions.original_id = made.original_id;
            UPDATE customers SET revision = made.revision FROM made_customers AS made
            WHERE \(range) AND customers.environment = made.environment AND customers.app = made.app
            AND customers.account = made.account;
            UPDATE journal_heads SET position = :last
            WHERE (environment, app) = (SELECT environment, app FROM made_journal WHERE place = :last);
            \(try insert("journal"))
            \(try insert("postings"))
            COMMIT;

            """
    }

    private func file(_ table: String) -> String { "\(folder)/\(table).rows" }
}

/// The numbers of inserted, updated and deleted rows, by table.
struct ChangedRows {
    private let counts: [String: Int]

    init(_ counts: [String: Int]) { self.counts = counts }

    func subtracting(_ earlier: ChangedRows) -> ChangedRows {
        ChangedRows(counts.merging(earlier.counts) { $0 - $1 }.filter { $0.value != 0 })
    }

    /// Compares with the rows of the other side.
    ///
    /// Tables with a row or two for each batch, such as the journal's heads, may differ.
    ///
    /// - Returns: A description.
    /// - Throws: ``BenchmarkError`` if the sides have written different rows.
    func compare(with other: ChangedRows, each count: Int) throws -> String {
        let many = Set(counts.keys).union(other.counts.keys).filter {
            max(counts[$0] ?? 0, other.counts[$0] ?? 0) >= count / 2
        }
        for table in many where counts[table] != other.counts[table] {
            throw BenchmarkError(
                "\(table): \(counts[table] ?? 0) rows were written, by the limit \(other.counts[table] ?? 0)")
        }
        return many.sorted().map { "\($0) \(counts[$0] ?? 0)" }.joined(separator: ", ")
    }
}

extension BenchmarkPostgreSQL {
    /// Reads the server's counters of a database, which its sessions report at their end: waits until they have ended.
    func changedRows(in location: DatabaseLocation) async throws -> ChangedRows {
        let others = """
            SELECT count(*) FROM pg_stat_activity
            WHERE datname = current_database() AND backend_type = 'client backend' AND pid <> pg_backend_pid()
            """
        for _ in 0..<100 where try psql(others, in: location) != "0" { try await Task.sleep(for: .milliseconds(20)) }
        let text = try psql(
            "SELECT relname, n_tup_ins + n_tup_upd + n_tup_del FROM pg_stat_user_tables", in: location)
        let counts = text.split(separator: "\n").compactMap { line -> (String, Int)? in
            let cells = line.split(separator: "|")
            return cells.count == 2 ? Int(cells[1]).map { (String(cells[0]), $0) } : nil
        }
        return ChangedRows(Dictionary(counts) { first, _ in first })
    }
}
