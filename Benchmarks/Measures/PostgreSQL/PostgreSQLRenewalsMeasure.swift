import Foundation
import Perennial
import PerennialStorage

/// The renewal engine on PostgreSQL, beside pgbench writing the very rows it made, with as many commits.
///
/// The engine writes batch after batch, so pgbench has one client. Its rows come from tables of the same database: they
/// aren't sent, which favours the limit.
enum PostgreSQLRenewalsMeasure: Measure {
    static let name = "postgres-renewals"
    private static let subscriptions = 10_000
    /// Renewals in a transaction, as the engine has them.
    private static let batch = 100

    static func measure(_ bench: Bench) async throws -> [Figure] {
        try await BenchmarkPostgreSQL.run { server in
            // Whole batches, so that the limit has as many.
            let count = max(batch, bench.count(subscriptions) / batch * batch)
            let populated = try server.makeDatabase("populated")
            try await PopulatedSubscriptions.populate(populated, count, .bought, bench)
            let script = bench.folder.path("renewals.sql")
            var rates: (ours: [Double], limit: [Double]) = ([], [])
            var rows = ""
            for round in 0..<bench.rounds {
                let ours = try server.copy(populated, to: "renewals\(round)")
                let before = try await server.changedRows(in: ours)
                rates.ours.append(Double(count) / (try await renew(count, ours, bench)))
                let made = try await server.changedRows(in: ours).subtracting(before)
                let limit = try server.copy(populated, to: "limit\(round)")
                let copy = RenewalRows(from: ours, to: limit, after: count, batch: batch, on: server)
                try copy.prepare()
                defer { copy.removeFiles() }
                try Data(try copy.script().utf8).write(to: URL(fileURLWithPath: script))
                let prepared = try await server.changedRows(in: limit)
                let run = BenchmarkPostgreSQL.PgbenchRun(
                    script: script, clients: 1, transactions: count / batch, variables: ["last": String(count)])
                rates.limit.append(Double(batch) * (try server.pgbench(run, in: limit)))
                let copied = try await server.changedRows(in: limit).subtracting(prepared)
                rows = try made.compare(with: copied, each: count)
            }
            return [
                Figure(
                    "durable renewals on PostgreSQL", "1/s", ours: rates.ours.median, limit: rates.limit.median,
                    .atLeast(0.5),
                    notes: [
                        try server.durability(of: populated), "batches of \(batch) on both sides: \(rows)",
                        "pgbench with one client, since the engine writes one batch after the other",
                    ])
            ]
        }
    }

    /// - Returns: The seconds that all renewals took.
    private static func renew(_ count: Int, _ location: DatabaseLocation, _ bench: Bench) async throws -> Double {
        let populated = try await PopulatedSubscriptions.open(location, count, bench)
        defer { populated.close() }
        return try await Stopwatch.seconds {
            let made = try await populated.advance(toPartOfMonth: 1)
            guard made == count else { throw BenchmarkError("\(made) renewals of \(count)") }
        }
    }
}
