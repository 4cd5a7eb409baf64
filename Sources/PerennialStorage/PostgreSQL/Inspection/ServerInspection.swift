import CPostgreSQL
import Dispatch
import Foundation

/// Reads the facts about a server through connections of its own, which change nothing.
struct ServerInspection {
    let url: String
    let place: String
    /// The setting that keeps connections for roles with the privilege `pg_use_reserved_connections`; PostgreSQL 16 has it. Tests name
    /// one of their own.
    var reservedSetting = "reserved_connections"

    /// The number of times that a pooler is asked for its mode: another client may have taken the connection that it would
    /// have given twice.
    private static let poolerProbes = 3

    /// - Throws: ``StorageError`` with `cannotOpen`.
    func facts() throws -> ServerFacts {
        let connection = try Probe(url: url, place: place)
        var facts = ServerFacts()
        facts.pooler = try pooler(of: connection)
        // A pooler that gives another connection for each statement refuses transactions; single statements do.
        let row = try connection.row(query)
        func isTrue(_ column: Int) -> Bool { row[column] == "t" || row[column] == "true" }
        facts.isStandby = isTrue(0)
        facts.mayCreate = isTrue(1)
        (facts.role, facts.database, facts.encoding) = (row[2], row[3], row[4])
        (facts.isolation, facts.synchronousCommit, facts.synchronousStandbys) = (row[5], row[6], row[7])
        facts.survivesCrash = row[8] == "on" && row[9] == "on"
        facts.connectionsMax = Int(row[10]) ?? facts.connectionsMax
        facts.connectionsFree = Int(row[11]) ?? facts.connectionsFree
        facts.isReadOnly = row[12] == "on"
        facts.tableOwners = row[13]
        facts.mayUseTables = isTrue(14)
        return facts
    }

    /// Returns the kind of pooler behind a connection.
    ///
    /// libpq was told the number of the process that serves the connection, which is the pooler's invention if there is one. A
    /// pooler that serves sessions keeps the server's process for the connection; another one gives it to the next that asks.
    private func pooler(of first: Probe) throws -> ServerFacts.Pooler {
        guard try first.serverProcess() != first.announcedProcess else { return .none }
        let second = try Probe(url: url, place: place)
        for _ in 0..<Self.poolerProbes {
            let process = try first.serverProcess()
            guard try second.begin(), let other = try? second.serverProcess() else { return .transaction }
            let again = try first.serverProcess()
            try second.end()
            if other == process || again != process { return .transaction }
        }
        return .session
    }

    /// The tables of connections are readable for every role. Slots of superusers count for superusers only, and reserved ones for roles
    /// with the privilege. Of the tables a few stand for all.
    private var query: String {
        """
        WITH limits AS (
            SELECT
                CAST(current_setting('max_connections') AS INTEGER) - CASE WHEN current_setting('is_superuser') = 'on' THEN 0
                    ELSE CAST(current_setting('superuser_reserved_connections') AS INTEGER)
                        + CASE WHEN EXISTS (SELECT 1 FROM pg_roles WHERE rolname = 'pg_use_reserved_connections'
                            AND pg_has_role(current_user, oid, 'USAGE')) THEN 0
                        ELSE COALESCE(CAST(current_setting('\(reservedSetting)', true) AS INTEGER), 0) END
                    END AS server,
                (SELECT rolconnlimit FROM pg_roles WHERE rolname = current_user) AS role,
                (SELECT datconnlimit FROM pg_database WHERE datname = current_database()) AS base),
        used AS (
            SELECT COUNT(*) AS server, COUNT(*) FILTER (WHERE usename = current_user) AS role,
                COUNT(*) FILTER (WHERE datname = current_database()) AS base
            FROM pg_stat_activity WHERE backend_type = 'client backend' AND pid <> pg_backend_pid()),
        tables AS (
            SELECT oid, relowner FROM pg_class WHERE relkind = 'r'
                AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = current_schema())
                AND relname IN ('schema_migrations', 'environments', 'customers', 'transactions', 'journal', 'journal_heads', 'leases'))
        SELECT pg_is_in_recovery(), COALESCE(has_schema_privilege(current_schema(), 'CREATE'), FALSE), current_user,
            current_database(), current_setting('server_encoding'), current_setting('default_transaction_isolation'),
            current_setting('synchronous_commit'), current_setting('synchronous_standby_names'),
            current_setting('fsync'), current_setting('full_page_writes'),
            LEAST(limits.server, NULLIF(limits.role, -1), NULLIF(limits.base, -1)),
            LEAST(limits.server - used.server, NULLIF(limits.role, -1) - used.role, NULLIF(limits.base, -1) - used.base),
            current_setting('default_transaction_read_only'),
            (SELECT string_agg(DISTINCT CAST(pg_get_userbyid(relowner) AS TEXT), ', ') FROM tables
                WHERE NOT pg_has_role(current_user, relowner, 'USAGE')),
            COALESCE((SELECT bool_and(has_table_privilege(oid, 'SELECT') AND has_table_privilege(oid, 'INSERT')
                AND has_table_privilege(oid, 'UPDATE') AND has_table_privilege(oid, 'DELETE')) FROM tables), TRUE)
        FROM limits, used
        """
    }
}

/// A connection for a few questions.
private final class Probe {
    /// Milliseconds for the answer to a question. A server that is suspended, or a pooler without a free connection, answers
    /// nothing, and libpq's own calls would wait for ever.
    private static let answerMilliseconds = 10_000

    private let handle: OpaquePointer
    private let place: String

    init(url: String, place: String) throws {
        self.place = place
        guard let handle = PostgreSQLAddress(url: url).connect() else {
            throw StorageError(.cannotOpen, place, "There is no memory for a connection.")
        }
        self.handle = handle
        guard PQstatus(handle) == CONNECTION_OK else {
            let lost = StorageError(connecting: handle, to: place)
            let isFull = ["too many clients", "too many connections", "connection slots"].contains {
                lost.reason.contains($0)
            }
            throw StorageError(
                .cannotOpen, lost.subject,
                isFull ? "\(lost.reason): raise max_connections in postgresql.conf, or stop other clients" : lost.reason
            )
        }
        PQsetNoticeProcessor(handle, { _, _ in }, nil)
    }

    deinit { PQfinish(handle) }

    /// The number of the server's process that libpq was told.
    var announcedProcess: Int { Int(PQbackendPID(handle)) }

    func serverProcess() throws -> Int { Int(try row("SELECT pg_backend_pid()")[0]) ?? 0 }

    /// Begins a transaction. Returns false if that is refused.
    func begin() throws -> Bool { try result(of: "BEGIN").succeeded }

    func end() throws { _ = try result(of: "ROLLBACK") }

    /// Returns the columns of a statement's first row as texts; empty for null.
    func row(_ statement: String) throws -> [String] {
        let result = try result(of: statement)
        guard result.succeeded, result.rowCount > 0 else {
            let error = StorageError(postgres: result.pointer, on: handle, during: "the check of the database")
            throw StorageError(.cannotOpen, error.subject, error.reason)
        }
        return (0..<PQnfields(result.pointer)).map { column in
            PQgetvalue(result.pointer, 0, column).map { String(cString: $0) } ?? ""
        }
    }

    /// Runs a statement.
    /// - Throws: ``StorageError`` with `cannotOpen` if there is no answer in time.
    private func result(of statement: String) throws -> PostgreSQLResult {
        let end = DispatchTime.now() + .milliseconds(Self.answerMilliseconds)
        var last: PostgreSQLResult?
        guard PQsendQuery(handle, statement) == 1 else { return PostgreSQLResult(nil) }
        while true {
            while PQisBusy(handle) == 1 {
                let now = DispatchTime.now()
                guard now < end else {
                    throw StorageError(
                        .cannotOpen, place, "It has not answered for \(Self.answerMilliseconds / 1000) seconds.")
                }
                var descriptor = pollfd(fd: PQsocket(handle), events: Int16(POLLIN), revents: 0)
                _ = poll(&descriptor, 1, Int32((end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000) + 1)
                guard PQconsumeInput(handle) == 1 else { return PostgreSQLResult(nil) }
            }
            guard let next = PQgetResult(handle) else { return last ?? PostgreSQLResult(nil) }
            last = PostgreSQLResult(next)
        }
    }
}
