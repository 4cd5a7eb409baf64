import Foundation
import PerennialStorage
import Subprocesses

/// A durable PostgreSQL server on this machine, with the programs that measure it.
final class BenchmarkPostgreSQL: Sendable {
    private let server: EphemeralPostgreSQL
    private let programs: PostgreSQLPrograms
    /// A folder that the server's user writes: its log of statements, and copied rows.
    let sharedFolder: String

    /// Clients and nodes have connections of their own, and pgbench has one for each client.
    private static let settings = [
        "fsync=on", "synchronous_commit=on", "full_page_writes=on", "max_connections=300", "shared_buffers=512MB",
        // A checkpoint in the middle of a round would disturb one side only.
        "max_wal_size=16GB", "checkpoint_timeout=30min",
        // A round is over before a minute: both sides have the statistics that every database has after one.
        "autovacuum_naptime=1s",
        "logging_collector=on", "log_destination=jsonlog", "log_filename=statements", "log_file_mode=0644",
        "log_rotation_size=0", "log_rotation_age=0",
    ]

    init() throws {
        programs = try PostgreSQLPrograms.find()
        sharedFolder = "/tmp/perennial-bench-\(UUID().uuidString.lowercased())"
        try FileManager.default.createDirectory(
            atPath: sharedFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o777])
        // The umask may have taken the server's right to write.
        try FileManager.default.setAttributes([.posixPermissions: 0o777], ofItemAtPath: sharedFolder)
        server = try EphemeralPostgreSQL(settings: Self.settings + ["log_directory=\(sharedFolder)"])
    }

    func stop() {
        server.stop()
        try? FileManager.default.removeItem(atPath: sharedFolder)
    }

    /// Runs a body against a server, which ends with it.
    static func run<Value>(_ body: (BenchmarkPostgreSQL) async throws -> Value) async throws -> Value {
        let server = try BenchmarkPostgreSQL()
        defer { server.stop() }
        return try await body(server)
    }

    // MARK: - Databases

    /// Creates an empty database.
    func makeDatabase(_ name: String) throws -> DatabaseLocation {
        .postgres(url: try server.makeDatabase(name))
    }

    /// Copies a database to which nothing is connected.
    func copy(_ location: DatabaseLocation, to name: String) throws -> DatabaseLocation {
        let url = try Self.url(location)
        let source = url.split(separator: "/").last.map(String.init) ?? ""
        // A connection that was closed a moment ago may still be in the server's list.
        try server.run(
            "SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = '\(source)'")
        try server.run("CREATE DATABASE \"\(name)\" TEMPLATE \"\(source)\"")
        return .postgres(url: String(url.dropLast(source.count)) + name)
    }

    /// Sets a parameter of a database for sessions that connect from now on.
    func set(_ parameter: String, _ value: String, in database: String) throws {
        try server.run("ALTER DATABASE \"\(database)\" SET \(parameter) = '\(value)'")
    }

    static func url(_ location: DatabaseLocation) throws -> String {
        guard case .postgres(let url) = location else { throw BenchmarkError("\(location) is no PostgreSQL database") }
        return url
    }

    /// The folder of the server's socket, without a port.
    static func socket(_ location: DatabaseLocation) throws -> String {
        let url = try url(location)
        guard let host = url.split(separator: "@").last?.split(separator: "/").first?.removingPercentEncoding else {
            throw BenchmarkError("\(location) has no socket")
        }
        return "\(host)/.s.PGSQL.5432"
    }

    // MARK: - Programs

    /// Runs statements with psql and returns the rows as text, one a line.
    @discardableResult
    func psql(_ statements: String, in location: DatabaseLocation) throws -> String {
        let (status, text) = try Subprocess.output(
            of: "\(programs.folder)/psql",
            [
                "--no-psqlrc", "--quiet", "--tuples-only", "--no-align", "--set=ON_ERROR_STOP=1",
                "--command=\(statements)",
                Self.url(location),
            ])
        guard status == 0 else { throw BenchmarkError("psql: \(text)") }
        return text.trimmingCharacters(in: .whitespacesAndNewlines)
    }

    /// The load that pgbench makes.
    struct PgbenchRun: Sendable {
        var script: String
        var clients: Int
        /// Whole seconds, unless ``transactions`` are given.
        var seconds = 2
        /// Transactions of each client, instead of a time.
        var transactions: Int?
        var variables: [String: String] = [:]
    }

    /// Runs pgbench with prepared statements.
    ///
    /// - Returns: Transactions a second, without the time in which its clients connect.
    func pgbench(_ run: PgbenchRun, in location: DatabaseLocation) throws -> Double {
        let length = run.transactions.map { "--transactions=\($0)" } ?? "--time=\(run.seconds)"
        let threads = min(run.clients, ProcessInfo.processInfo.activeProcessorCount)
        let (status, text) = try Subprocess.output(
            of: "\(programs.folder)/pgbench",
            [
                "--protocol=prepared", "--no-vacuum", "--client=\(run.clients)", "--jobs=\(threads)", length,
                "--file=\(run.script)",
            ]
                + run.variables.sorted { $0.key < $1.key }.map { "--define=\($0.key)=\($0.value)" }
                + [Self.url(location)])
        guard status == 0, let rate = text.firstMatch(of: /tps = ([0-9.]+)/).flatMap({ Double($0.1) }) else {
            throw BenchmarkError("pgbench (\(status)): \(text)")
        }
        return rate
    }

    /// The settings that make a commit durable, as the server reports them, and the kind of file system.
    ///
    /// - Throws: ``BenchmarkError`` if commits aren't durable.
    func durability(of location: DatabaseLocation) throws -> String {
        let names = ["fsync", "synchronous_commit", "full_page_writes"]
        let values = try names.map { try psql("SHOW \($0)", in: location) }
        guard values.allSatisfy({ $0 == "on" }) else {
            throw BenchmarkError("not durable: \(zip(names, values).map { "\($0) is \($1)" })")
        }
        let socket = try Self.socket(location)
        let system = try Subprocess.output(of: "/usr/bin/env", ["stat", "-f", "-c", "%T", socket]).text
            .trimmingCharacters(in: .whitespacesAndNewlines)
        guard system != "tmpfs" else { throw BenchmarkError("/tmp is in memory, where commits take no time") }
        return "\(names.joined(separator: ", ")) read back as on; files on \(system)"
    }

    // MARK: - Log

    /// Returns the transactions of a database whose statements were logged, in the order of their ends.
    ///
    /// - Parameter mark: A text of the last statement to wait for: the server writes its log a moment later.
    func loggedTransactions(of database: String, until mark: String) async throws -> [LoggedTransaction] {
        let file = "\(sharedFolder)/statements.json"
        for _ in 0..<100 {
            let data = (try? Data(contentsOf: URL(fileURLWithPath: file))) ?? Data()
            let transactions = try LoggedTransaction.read(data, database: database, until: mark)
            if let transactions { return transactions }
            try await Task.sleep(for: .milliseconds(50))
        }
        throw BenchmarkError("the server's log \(file) doesn't have \(mark)")
    }
}
