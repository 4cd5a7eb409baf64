import Foundation
import PerennialStorage

/// Durable purchases of one app over HTTP through one node, beside pgbench running the statements that they send.
///
/// Node, load and server share the machine, as do pgbench and the server. Rounds of the three sides follow each other.
enum PostgreSQLPurchasesMeasure: Measure {
    static let name = "postgres-purchases"
    static let clients = 64
    static let customers = 256
    private static let seconds = 2
    /// A number above what a client sends in a round.
    private static let requestsEach = 400

    static func measure(_ bench: Bench) async throws -> [Figure] {
        try await BenchmarkPostgreSQL.run { server in
            let (empty, tokens) = try await store(on: server, bench)
            let logged = try await PurchaseLog.read(copying: empty, on: server, tokens: tokens, bench)
            let script = try PurchaseScript(of: logged, customers: customers, clients: clients)
            let ours = try server.copy(empty, to: "ours")
            let (shared, separate) = (try limit(.sharedHead, script), try limit(.ownHeads, script))
            defer { for limit in [shared, separate] { try? FileManager.default.removeItem(atPath: limit.script) } }
            let limits = try [shared, separate].map { limit in
                let location = try server.copy(empty, to: limit.name)
                try server.psql(script.preparation(), in: location)
                return location
            }
            return try await NodeProcess.run(1, on: ours) { nodes in
                let load = LoadGenerator(ports: nodes.map(\.port))
                var results: [LoadGenerator.Result] = []
                var rates: (shared: [Double], separate: [Double]) = ([], [])
                var written = 0
                _ = try await round(load, tokens)
                let stored = try server.storedBytes(in: ours)
                for number in 0..<bench.rounds {
                    rates.shared.append(try run(shared, number, on: limits[0], server, bench))
                    let before = try server.writtenBytes(in: ours)
                    results.append(try await round(load, tokens))
                    written += try server.writtenBytes(in: ours) - before
                    rates.separate.append(try run(separate, number, on: limits[1], server, bench))
                }
                let sold = max(1, results.reduce(0) { $0 + $1.latencies.count })
                let grown = try server.storedBytes(in: ours) - stored
                let sizes =
                    "a purchase takes \(grown / sold) bytes of the database and \(written / sold) of the write-ahead log"
                return try figures(results, rates, script, sizes, server, ours)
            }
        }
    }

    // MARK: - Databases

    /// Makes a store whose customers have signed in, and closes it.
    static func store(
        on server: BenchmarkPostgreSQL, customers: Int = customers, _ bench: Bench
    ) async throws -> (DatabaseLocation, tokens: [String]) {
        let location = try server.makeDatabase("store")
        let shop = try await BenchmarkStore(location, identities: bench.identities)
        defer { shop.database.close() }
        return (location, try await shop.signIn(customers))
    }

    // MARK: - Rounds

    /// A side that pgbench runs.
    private struct Limit {
        let name: String
        let script: String
    }

    private static func limit(_ form: PurchaseScript.Form, _ script: PurchaseScript) throws -> Limit {
        let name = form == .sharedHead ? "pgbench_head" : "pgbench_separate"
        let path = "\(FileManager.default.temporaryDirectory.path)/\(name)-\(UUID().uuidString).sql"
        try Data(script.text(form).utf8).write(to: URL(fileURLWithPath: path))
        return Limit(name: name, script: path)
    }

    private static func run(
        _ limit: Limit, _ round: Int, on location: DatabaseLocation, _ server: BenchmarkPostgreSQL, _ bench: Bench
    ) throws -> Double {
        let run = BenchmarkPostgreSQL.PgbenchRun(
            script: limit.script, clients: clients, seconds: seconds,
            variables: ["number": "0", "start": String(3_000_000_000_000_000 + Int64(round) * 1_000_000_000_000)])
        return try server.pgbench(run, in: location)
    }

    private static func round(_ load: LoadGenerator, _ tokens: [String]) async throws -> LoadGenerator.Result {
        try await load.run(
            PurchaseRequests.make(requestsEach, clients: clients, tokens), for: Double(seconds))
    }

    // MARK: - Figures

    private static func figures(
        _ ours: [LoadGenerator.Result], _ rates: (shared: [Double], separate: [Double]), _ script: PurchaseScript,
        _ sizes: String, _ server: BenchmarkPostgreSQL, _ location: DatabaseLocation
    ) throws -> [Figure] {
        let rate = ours.map(\.rate).median
        return [
            Figure(
                "durable purchases on PostgreSQL, \(clients) clients", "1/s", ours: rate, limit: rates.shared.median,
                .atLeast(0.5),
                notes: [
                    try server.durability(of: location),
                    "pgbench: the \(script.statementCount) statements of a logged purchase, prepared, \(clients) clients",
                    "purchases: \(ours.last?.details ?? ""), node and client are processes beside the server", sizes,
                ]),
            Figure(
                "the same, beside pgbench without a shared row", "1/s", ours: rate,
                limit: rates.separate.median, .atLeast(0.5),
                notes: ["each client of pgbench moves a head of its own, so that no two transactions share a row"]),
        ]
    }
}

extension BenchmarkPostgreSQL {
    /// Returns the bytes of the write-ahead log since the server was made.
    fileprivate func writtenBytes(in location: DatabaseLocation) throws -> Int {
        try number("SELECT (pg_current_wal_insert_lsn() - '0/0')::bigint", in: location)
    }

    /// Returns the size of a database with its indexes.
    fileprivate func storedBytes(in location: DatabaseLocation) throws -> Int {
        try number("SELECT pg_database_size(current_database())", in: location)
    }

    private func number(_ query: String, in location: DatabaseLocation) throws -> Int {
        let text = try psql(query, in: location)
        guard let number = Int(text) else { throw BenchmarkError("psql: \(text)") }
        return number
    }
}
