import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore

/// Reports and statistics of a year of sales, beside DuckDB scanning the same transactions.
///
/// Fifty million transactions have the same rows as five million in which every combination of product, storefront and device
/// occurs each day: that is what ``SalesYear/Shape/saturated`` makes.
enum ReportsMeasure: Measure {
    static let name = "reports"
    private static let transactions = 5_000_000
    /// Milliseconds that a report may take.
    private static let mostMilliseconds = 50.0
    private static let repetitions = 9

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let count = bench.count(transactions)
        let year = try await SalesYear.make(count, .shares, bench)
        let answers = try await times(of: year)
        let scan = try await DuckDB.measure(year, bench)
        year.close()
        let saturated = try await SalesYear.make(count, .saturated, bench)
        defer { saturated.close() }
        let grown = try await times(of: saturated)
        let slowest = answers.max { $0.milliseconds < $1.milliseconds }
        let slowestGrown = grown.max { $0.milliseconds < $1.milliseconds }
        var figures = [
            Figure(
                "slowest report or statistic of \(count) transactions", "ms", ours: slowest?.milliseconds ?? 0,
                limit: mostMilliseconds, .atMost(1), notes: [year.note] + answers.map(\.note)),
            Figure(
                "the same with the rows of ten times as many", "ms", ours: slowestGrown?.milliseconds ?? 0,
                limit: slowest?.milliseconds ?? 1, .atMost(1.3), notes: [saturated.note] + grown.map(\.note)),
        ]
        if let scan { figures.append(scan) }
        return figures
    }

    private struct Answer {
        var name: String
        var milliseconds: Double
        var rows: Int

        var note: String { "\(name): " + String(format: "%.1f ms, %d rows", milliseconds, rows) }
    }

    private static func times(of year: SalesYear) async throws -> [Answer] {
        var answers: [Answer] = []
        let reports: [(name: String, report: ReportLayout.Report, frequency: String, date: String)] = [
            ("daily Sales report", .sales, "DAILY", "2026-12-15"),
            ("monthly Sales report", .sales, "MONTHLY", "2026-11"),
            ("Subscription report", .subscription, "DAILY", "2026-12-15"),
            ("Subscription Event report", .subscriptionEvent, "DAILY", "2026-12-15"),
        ]
        for (name, report, frequency, date) in reports {
            answers.append(
                try await median(name) {
                    let file = try await year.store.reports.report(
                        report, frequency: frequency, reportDate: date)
                    _ = try await file.compressed()
                    return file.rows
                })
        }
        for statistic in Statistic.allCases {
            for dimension in [StatisticDimension.all, .storefront] {
                let request = StatisticRequest(
                    bundleID: SalesYear.app.bundleID, statistic: statistic, from: SalesYear.firstDay,
                    to: SalesYear.lastDay, interval: .month, dimension: dimension)
                do {
                    answers.append(
                        try await median("\(statistic.rawValue) by \(dimension.name)") {
                            try await year.store.statistics.table(request).rows.count
                        })
                } catch is StoreError {
                    // A statistic that isn't kept by this dimension.
                }
            }
        }
        return answers
    }

    private static func median(_ name: String, _ answer: () async throws -> Int) async throws -> Answer {
        var (times, rows): ([Double], Int) = ([], 0)
        for _ in 0..<repetitions {
            times.append(try await Stopwatch.seconds { rows = try await answer() } * 1000)
        }
        return Answer(name: name, milliseconds: times.median, rows: rows)
    }
}
