import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import Synchronization
import TestSupport
import Testing

@testable import PerennialStore

/// The Subscriber report, which is made while it is sent.
struct SubscriberReportTests {
    private static let shop = Task { try await ReportScenario.live() }

    private func table(_ date: String) async throws -> (ReportFile, ReportTable) {
        let file = try await Self.shop.value.store.reports.report(.subscriber, reportDate: date)
        return (file, try ReportTable(try await file.compressed()))
    }

    @Test func `it has a row for each transaction and the same sums as Summary Sales`() async throws {
        let store = try await Self.shop.value.store
        for date in ["2026-10-01", "2026-10-07", "2026-10-20"] {
            let (file, table) = try await table(date)
            #expect(file.text == nil)
            #expect(file.rows == table.rows.count)
            let sales = try ReportTable(
                Array(try #require(try await store.reports.report(.sales, reportDate: date).text).utf8))
            let sold = sales.rows.filter { $0["Product Type Identifier"]?.hasPrefix("IAY") == true }
            func sums(_ rows: [ReportTable.Row], _ currency: String) throws -> [String: Int64] {
                try rows.reduce(into: [:]) { sums, row in
                    let units = try #require(row.integer("Units"))
                    sums[row[currency] ?? "", default: 0] +=
                        units * (try #require(row.thousandths("Developer Proceeds")))
                }
            }
            #expect(try sums(table.rows, "Proceeds Currency") == sums(sold, "Currency of Proceeds"))
        }
    }

    @Test func `an upgrade is a refund of the unused time and a sale`() async throws {
        let rows = try await table("2026-10-20").1.rows.filter { $0["Country"] == "GB" }.sorted {
            ($0["Subscription Name"] ?? "") < ($1["Subscription Name"] ?? "")
        }
        #expect(rows.map { $0["Subscription Name"] } == ["Atlas Monthly", "Atlas Yearly"])
        #expect(rows.map { $0["Refund"] } == ["Yes", ""])
        #expect(rows.map { $0["Purchase Date"] } == ["2026-10-08", "2026-10-20"])
        #expect(rows.map { $0["Units"] } == ["-1", "1"])
        #expect(Set(rows.map { $0["Subscriber ID"] }).count == 1)
    }

    @Test func `an offer has its name, kind, duration and price`() async throws {
        let row = try #require(try await table("2026-10-20").1.rows.first { $0["Country"] == "CH" })
        #expect((row["Subscription Offer Name"], row["Promotional Offer ID"]) == ("Half Price", "half"))
        #expect((row["Subscription Offer Type"], row["Subscription Offer Duration"]) == ("Pay As You Go", "1 Month"))
        #expect((row["Customer Price"], row["Customer Currency"]) == ("2.49", "CHF"))
    }

    @Test func `a number is of one customer and stays the same`() async throws {
        let (_, first) = try await table("2026-10-01")
        let (_, again) = try await table("2026-10-01")
        let ids = first.rows.map { $0["Subscriber ID"] ?? "" }
        #expect(ids == again.rows.map { $0["Subscriber ID"] ?? "" })
        #expect(Set(ids).count == 4)
        let (_, converted) = try await table("2026-10-07")
        #expect(ids.contains(converted.rows[0]["Subscriber ID"] ?? ""))
    }

    @Test func `numbers depend on account, vendor and secret and have 17 digits`() {
        let ids = SubscriberIDs(secret: [1, 2, 3])
        let account = Account.ID(rawValue: 7)
        let id = ids.id(of: account, vendor: "80012345")
        #expect(id == SubscriberIDs(secret: [1, 2, 3]).id(of: account, vendor: "80012345"))
        let others = [
            ids.id(of: Account.ID(rawValue: 8), vendor: "80012345"), ids.id(of: account, vendor: "80012346"),
            SubscriberIDs(secret: [1, 2, 4]).id(of: account, vendor: "80012345"),
        ]
        #expect(!others.contains(id))
        #expect(Set(others).count == 3)
        #expect((others + [id]).allSatisfy { (10_000_000_000_000_000..<100_000_000_000_000_000).contains($0) })
    }

    /// A million where there is time: `make test-long`.
    private static let rows = ProcessInfo.processInfo.environment["PERENNIAL_LONG"] == nil ? 10_000 : 1_000_000

    /// Goal: the memory for a report doesn't depend on its length: the chunks stay small, and none is kept.
    @Test func `a long report is written in small chunks`() async throws {
        let row = ReportLayout.subscriber1_3.columns.map { column -> ReportValue in
            column.kind == .integer ? .integer(12_345_678_901) : .text(column.header)
        }
        var stream = try ReportStream(.subscriber1_3)
        let sizes = Mutex<[Int]>([])
        let write = { @Sendable (bytes: ArraySlice<UInt8>) async throws -> Void in
            sizes.withLock { $0.append(bytes.count) }
        }
        for _ in 0..<Self.rows { try await stream.append(row, write) }
        try await stream.finish(write)
        let written = sizes.withLock { $0 }
        #expect(try #require(written.max()) <= 2 * ReportStream.chunkSize)
        #expect(written.reduce(0, +) > 10_000)
    }
}
