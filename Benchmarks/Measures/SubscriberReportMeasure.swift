import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import PerennialStore

/// The memory that a Subscriber report of a million rows takes while it streams.
enum SubscriberReportMeasure: Measure {
    static let name = "subscriber-report"
    private static let rows = 1_000_000
    private static let mostMebibytes = 32.0

    static func measure(_ bench: Bench) async throws -> [Figure] {
        let count = bench.count(rows)
        // Half of the transactions are periods of subscriptions, all of the first day.
        let year = try await SalesYear.make(2 * count, .shares, days: 1, bench)
        defer { year.close() }
        let file = try await year.store.reports.report(.subscriber, reportDate: SalesYear.firstDay.description)
        ResidentMemory.forgetPeak()
        let before = ResidentMemory.current()
        var bytes = 0
        let seconds = try await Stopwatch.seconds { try await file.body { bytes += $0.count } }
        let growth = Double(max(ResidentMemory.peak() - before, 0)) / Double(1 << 20)
        return [
            Figure(
                "resident growth while a Subscriber report of \(count) rows streams", "MiB", ours: growth,
                limit: mostMebibytes, .atMost(1),
                notes: [
                    year.note,
                    String(format: "%d rows announced, %d KiB of gzip in %.1f s", file.rows, bytes >> 10, seconds),
                ])
        ]
    }
}
