import Foundation
import Perennial
import PerennialStorage
import PerennialStore

/// DuckDB, from PyPI, in a virtual environment of its own: the limit of a scan.
enum DuckDB {
    private static let repetitions = 9

    /// Compares a statistic of a year with DuckDB's sum over its transactions.
    ///
    /// - Returns: `nil` if DuckDB can't be installed here.
    /// - Throws: ``BenchmarkError`` if the totals differ.
    static func measure(_ year: SalesYear, _ bench: Bench) async throws -> Figure? {
        let folder = bench.folder.path("duckdb")
        guard try run("/usr/bin/env", ["python3", "-m", "venv", folder]) != nil,
            try run("\(folder)/bin/pip", ["install", "--quiet", "duckdb"]) != nil
        else { return nil }
        let file = bench.folder.path("sales.csv")
        try await export(year, to: file)
        let script = bench.folder.path("scan.py")
        try Self.script.write(toFile: script, atomically: true, encoding: .utf8)
        guard let answer = try run("\(folder)/bin/python", [script, file, "\(repetitions)"]),
            let scanned = try? JSONDecoder().decode(Scan.self, from: answer)
        else { throw BenchmarkError("DuckDB gave no answer") }

        let request = StatisticRequest(
            bundleID: SalesYear.app.bundleID, statistic: .proceeds, from: SalesYear.firstDay, to: SalesYear.lastDay,
            interval: .month, dimension: .storefront)
        var (times, sums): ([Double], [String: Int64]) = ([], [:])
        for _ in 0..<repetitions {
            var table: StatisticTable?
            times.append(try await Stopwatch.seconds { table = try await year.store.statistics.table(request) })
            sums = (table?.rows ?? []).reduce(into: [:]) { sums, row in
                guard case .money(let amount)? = row.values.first ?? nil, amount != 0 else { return }
                sums["\(row.period.prefix(7)) \(row.group) \(row.currency?.rawValue ?? "")", default: 0] += amount
            }
        }
        guard sums == scanned.sums else {
            throw BenchmarkError("the statistic and DuckDB differ: \(sums.count) and \(scanned.sums.count) sums")
        }
        return Figure(
            "proceeds of a year by month and storefront, beside DuckDB's scan", "1/s", ours: 1 / times.median,
            limit: 1000 / scanned.milliseconds, .atLeast(5),
            notes: ["DuckDB \(scanned.version), \(sums.count) equal sums of \(year.transactions) transactions"])
    }

    private struct Scan: Decodable {
        var version: String
        var milliseconds: Double
        var sums: [String: Int64]
    }

    /// Writes a line for each sale: its month in Pacific time, storefront, currency and proceeds.
    private static func export(_ year: SalesYear, to path: String) async throws {
        _ = FileManager.default.createFile(atPath: path, contents: nil)
        let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: path))
        defer { try? handle.close() }
        try await year.store.rollUps.allEntries(of: SalesYear.app, through: .max) { batch in
            var text = ""
            for entry in batch.entries {
                guard let transaction = entry.transaction else { continue }
                let day = PacificDay(entry.entry.at)
                let proceeds = entry.entry.postings.reduce(0) {
                    $1.account == .proceeds ? $0 + $1.amount.milliunits : $0
                }
                text +=
                    "\(day.description.prefix(7)),\(transaction.productID),\(transaction.storefront),"
                    + "\(transaction.price.currency),\(proceeds)\n"
            }
            try handle.write(contentsOf: Data(text.utf8))
        }
    }

    private static let script = """
        import json, sys, time, duckdb
        database = duckdb.connect()
        database.execute(f\"\"\"CREATE TABLE sales AS SELECT * FROM read_csv('{sys.argv[1]}', header = false, columns = {{
            'month': 'VARCHAR', 'product': 'VARCHAR', 'storefront': 'VARCHAR', 'currency': 'VARCHAR', 'proceeds': 'BIGINT'}})\"\"\")
        times, rows = [], []
        for _ in range(int(sys.argv[2])):
            start = time.perf_counter()
            rows = database.execute('''SELECT month, storefront, currency, SUM(proceeds) FROM sales
                GROUP BY month, storefront, currency''').fetchall()
            times.append(time.perf_counter() - start)
        times.sort()
        print(json.dumps({'version': duckdb.__version__, 'milliseconds': times[len(times) // 2] * 1000,
            'sums': {f'{month} {storefront} {currency}': int(total) for month, storefront, currency, total in rows}}))
        """

    /// Runs a program and returns its output; `nil` if it fails.
    private static func run(_ program: String, _ arguments: [String]) throws -> Data? {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: program)
        process.arguments = arguments
        let output = Pipe()
        process.standardOutput = output
        process.standardError = FileHandle.nullDevice
        do { try process.run() } catch { return nil }
        let data = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return process.terminationStatus == 0 ? data : nil
    }
}
