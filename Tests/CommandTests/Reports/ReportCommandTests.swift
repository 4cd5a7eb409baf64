import AppStoreFormats
import Foundation
import Perennial
import TestSupport
import Testing

@testable import PerennialCommand

struct ReportCommandTests {
    /// A store that sold on 31 December 2025, Pacific time, and is two days later.
    private static func run(_ test: @escaping @Sendable (RunningStore) async throws -> Void) async throws {
        try await RunningStore.run { store in
            try await store.shop.buy("film.roll", quantity: 3, as: "ann")
            try await store.shop.account("ben", storefront: "JPN")
            try await store.shop.buy("filter.amber", as: "ben")
            try await store.shop.buy("monthly", as: "cid")
            store.shop.clock.advance(by: .days(2))
            try await test(store)
        }
    }

    @Test func `sales are a table with aligned amounts and a line of totals`() async throws {
        try await Self.run { store in
            let lines = try await store.run("report", "sales", "--date", "2025-12-31").words
                .split(separator: "\n", omittingEmptySubsequences: false)
            #expect(lines[0].hasSuffix("_20251231: 3 rows"))
            #expect(lines[2].hasPrefix("TYPE"))
            // The last column is the currency, three letters; amounts end two spaces before it.
            let places = lines[2..<6].map { line in
                line.count - (line.hasPrefix("TYPE") ? "CURRENCY".count : 3)
            }
            #expect(Set(places).count == 1, "\(lines)")
            #expect(lines.last?.hasPrefix("Total: 5 units, proceeds JPY ") == true, "\(lines)")
            #expect(lines.last?.contains(", USD ") == true)
        }
    }

    @Test(arguments: ["sales", "subscription", "subscription-event", "subscriber"])
    func `a report is printed in each form`(report: String) async throws {
        try await Self.run { store in
            let line = ["report", report, "--date", "2025-12-31"]
            let tsv = try await RunningStore.run(line + ["--format", "tsv"] + store.access).words
            let table = try ReportTable(Array(tsv.utf8))
            #expect(table.rows.count >= 1)
            let csv = try await RunningStore.run(line + ["--format", "csv"] + store.access).words
            #expect(csv.split(separator: "\n").count == table.rows.count + 1)
            #expect(csv.hasPrefix(table.headers.joined(separator: ",") + "\n"))
            let json = try JSONValue(
                Array(try await RunningStore.run(line + ["--format", "json"] + store.access).words.utf8))
            #expect(json["rows"]?.elements?.count == table.rows.count)
            #expect(try await RunningStore.run(line + store.access).words.contains("Total: "))
        }
    }

    @Test func `a version and a frequency are passed on`() async throws {
        try await Self.run { store in
            let line = ["report", "sales", "--report-version", "1_0", "--format", "tsv"]
            let text = try await RunningStore.run(line + store.access).words
            #expect(text.hasPrefix(ReportLayout.sales1_0.headerRow + "\n"))
            let year = try await RunningStore.run(
                ["report", "sales", "--frequency", "yearly", "--date", "2025"] + store.access)
            #expect(year.words.contains("_2025: 3 rows"))
        }
    }

    @Test func `a report is written to a file`() async throws {
        try await Self.run { store in
            let path = "\(try TemporaryFolder.make())/sales.tsv"
            let line = ["report", "sales", "--format", "tsv", "--output", path]
            #expect(try await RunningStore.run(line + store.access).words.hasSuffix("3 rows in \(path)"))
            let bytes = try #require(FileManager.default.contents(atPath: path))
            let inspection = Inspector(InspectionContext(now: 0)).inspect(Array(bytes))
            #expect(inspection.kind == .report)
            #expect(inspection[.structure]?.finding.arguments.first?.hasPrefix("SALES 1_1") == true)
            #expect(inspection.fields.first?.fields.first { $0.name == "Provider" }?.value == "APPLE")
        }
    }

    @Test func `a day without sales is an error with Apple's sentence`() async throws {
        try await Self.run { store in
            let error = try await store.error("report", "sales", "--date", "2025-12-01")
            #expect(error == "There were no sales for the date specified. (reportNotFound)")
            let later = try await store.error("report", "subscription", "--date", "2026-01-02")
            #expect(later.hasPrefix("Report is not available yet."))
        }
    }

    @Test func `damaged gzip is no report file`() {
        let inspection = Inspector(InspectionContext(now: 0)).inspect([0x1F, 0x8B, 8, 0, 1, 2, 3])
        #expect(inspection[.structure]?.outcome == .failed)
    }
}
