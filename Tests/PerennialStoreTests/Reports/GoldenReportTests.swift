import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// The files of ``ReportScenario``, byte by byte and column by column (docs/reference/report-files.md).
///
/// Record them anew with `PERENNIAL_RECORD=1 swift test --filter GoldenReportTests`.
struct GoldenReportTests {
    /// A file: the report, its version, frequency and date.
    struct File: Sendable, CustomTestStringConvertible {
        var report: ReportLayout.Report
        var version: String
        var frequency = ReportPeriod.Frequency.daily
        var date: String

        var testDescription: String { name }
        var name: String { "\(report.rawValue)-\(version)-\(frequency.rawValue)-\(date).tsv" }
        var layout: ReportLayout? { ReportLayout.layout(of: report, version: version) }
    }

    static let files = [
        File(report: .sales, version: "1_0", date: "2026-10-01"),
        File(report: .sales, version: "1_1", date: "2026-10-03"),
        File(report: .sales, version: "1_1", frequency: .weekly, date: "2026-10-04"),
        File(report: .sales, version: "1_1", frequency: .monthly, date: "2026-10"),
        File(report: .sales, version: "1_0", frequency: .yearly, date: "2026"),
        File(report: .subscription, version: "1_3", date: "2026-10-01"),
        File(report: .subscription, version: "1_4", date: "2026-11-21"),
        File(report: .subscription, version: "1_3", date: "2027-01-09"),
        File(report: .subscriptionEvent, version: "1_3", date: "2026-10-01"),
        File(report: .subscriptionEvent, version: "1_3", date: "2026-10-07"),
        File(report: .subscriptionEvent, version: "1_3", date: "2026-10-08"),
        File(report: .subscriptionEvent, version: "1_4", date: "2026-10-20"),
        File(report: .subscriptionEvent, version: "1_3", date: "2026-12-31"),
        File(report: .subscriber, version: "1_3", date: "2026-10-01"),
        File(report: .subscriber, version: "1_3", date: "2026-10-20"),
        File(report: .offerCodeRedemption, version: "1_0", date: "2026-10-01"),
    ]

    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden/Reports")

    /// The scenario's store, which all tests read.
    private static let shop = Task { try await ReportScenario.live() }

    static func text(of file: File) async throws -> String {
        let report = try await shop.value.store.reports.report(
            file.report, frequency: file.frequency.rawValue, reportDate: file.date, version: file.version)
        let bytes = try Gzip.decompress(try await report.compressed(), limit: 1 << 20)
        let text = String(decoding: bytes, as: UTF8.self)
        if let known = report.text { #expect(known == text) }
        #expect(report.rows == text.split(separator: "\n").count - 1)
        return text
    }

    static func table(of file: File) async throws -> ReportTable {
        try ReportTable(Array(try await text(of: file).utf8))
    }

    @Test(arguments: files)
    func `a file has the recorded bytes`(file: File) async throws {
        let text = try await Self.text(of: file)
        if let place = ProcessInfo.processInfo.environment["PERENNIAL_RECORD"] {
            // A path names another folder than that of the tests.
            let folder = place.hasPrefix("/") ? URL(filePath: place) : Self.folder
            try Data(text.utf8).write(to: folder.appending(path: file.name))
        }
        let recorded = try String(contentsOf: Self.folder.appending(path: file.name), encoding: .utf8)
        #expect(text == recorded)
    }

    @Test func `PostgreSQL gives the same files as SQLite`() async throws {
        let shop = try await ReportScenario.live(on: .postgres)
        for file in Self.files where file.report != .subscriber {
            let report = try await shop.store.reports.report(
                file.report, frequency: file.frequency.rawValue, reportDate: file.date, version: file.version)
            let text = try await Self.text(of: file)
            #expect(report.text == text, "\(file.name)")
        }
    }

    @Test(arguments: files)
    func `a file has the columns of its layout, and a rule for each`(file: File) async throws {
        let layout = try #require(file.layout)
        let table = try await Self.table(of: file)
        #expect(table.headers == layout.columns.map(\.header))
        #expect(!table.rows.isEmpty)
        let rules = ColumnRule.rules(of: file.report).map { $0.header.lowercased() }
        for header in table.headers { #expect(rules.contains(header.lowercased()), "\(header) has no rule") }
    }

    @Test(arguments: ColumnRule.all)
    func `a column follows its rule`(rule: ColumnRule) async throws {
        var cells = 0
        for file in Self.files where file.report == rule.report {
            let period = try #require(ReportPeriod(file.frequency, reportDate: file.date))
            for row in try await Self.table(of: file).rows {
                guard let cell = row[rule.header] else { continue }
                cells += 1
                #expect(rule.holds(cell, row, period), "\(file.name): \(rule.header) '\(cell)': \(rule.text)")
            }
        }
        #expect(cells > 0)
    }

    // MARK: - Known rows

    @Test func `the first day has each sale with its units, price and proceeds`() async throws {
        let table = try await Self.table(of: Self.files[0])
        func row(_ sku: String, _ country: String) throws -> ReportTable.Row {
            try #require(table.rows.first { $0["SKU"] == sku && $0["Country Code"] == country })
        }
        let coins = try row("atlas.coins", "US")
        #expect(coins["Units"] == "3")
        #expect(coins["Customer Price"] == "0.99")
        #expect(coins["Product Type Identifier"] == "IA1")
        #expect(coins["Device"] == "iPhone")
        let yen = try row("atlas.coins", "JP")
        #expect((yen["Units"], yen["Customer Price"], yen["Customer Currency"]) == ("2", "160.00", "JPY"))
        #expect(try row("atlas.map", "DE")["Title"] == "World Map")
        #expect(try row("atlas.pass", "CH")["Title"] == "Season Pass 2026, \"Gold\"")
        let trial = try row("atlas.monthly", "GB")
        #expect((trial["Customer Price"], trial["Subscription"], trial["Period"]) == ("0.00", "New", "1 Month"))
        #expect(try row("atlas.monthly", "CH")["Device"] == "Apple TV")
        let other = try row("compass.needle", "US")
        #expect((other["Developer"], other["Parent Identifier"]) == ("Compass", "com.example.compass"))
        #expect((other["Supported Platforms"], other["Category"]) == ("iOS", ""))
    }

    @Test func `downloads, re-downloads and updates of a free app are rows with its version`() async throws {
        func kinds(_ file: File) async throws -> [String] {
            try await Self.table(of: file).rows.filter { $0["SKU"] == "ATLAS-01" }.map { row in
                #expect(row["Customer Price"] == "0.00")
                #expect((row["Title"], row["Apple Identifier"]) == ("Atlas", "1500000001"))
                let kind = row["Product Type Identifier"] ?? ""
                return "\(kind.prefix(1)) \(row["Version"] ?? "") \(row["Device"] ?? "") \(row["Country Code"] ?? "")"
            }.sorted()
        }
        #expect(try await kinds(Self.files[0]) == ["1 3.1 iPad DE", "1 3.1 iPhone US", "3 3.1 iPad US"])
        #expect(try await kinds(Self.files[1]) == ["7 3.2 iPhone US"])
    }

    @Test func `a refund has negative units and price, and positive proceeds`() async throws {
        let table = try await Self.table(of: Self.files[1])
        let refund = try #require(table.rows.first { $0["SKU"] == "atlas.map" })
        #expect((refund["Units"], refund["Customer Price"]) == ("-1", "-4.99"))
        #expect(try #require(refund.thousandths("Developer Proceeds")) > 0)
        #expect(refund["Begin Date"] == "10/03/2026")
    }

    @Test func `proceeds of a month are the postings of its days`() async throws {
        let shop = try await Self.shop.value
        let period = try #require(ReportPeriod(.monthly, reportDate: "2026-10"))
        var expected: [String: Int64] = [:]
        for app in [ReportScenario.atlas, ReportScenario.compass] {
            for (_, entry) in try await shop.journal(app: app.appleID)
            where (period.firstDay...period.lastDay).contains(PacificDay(entry.at)) {
                for posting in entry.postings where posting.account == .proceeds {
                    expected[posting.amount.currency.rawValue, default: 0] += posting.amount.milliunits
                }
            }
        }
        var found: [String: Int64] = [:]
        for row in try await Self.table(of: Self.files[3]).rows {
            let each = try #require(row.thousandths("Developer Proceeds"))
            found[row["Currency of Proceeds"] ?? "", default: 0] += each * (try #require(row.integer("Units")))
        }
        #expect(found.filter { $0.value != 0 } == expected.filter { $0.value != 0 })
        #expect(found.count > 3)
    }

    @Test func `the events of the scenario have Apple's names`() async throws {
        func events(_ date: String) async throws -> [String: Int64] {
            let file = try #require(Self.files.first { $0.report == .subscriptionEvent && $0.date == date })
            return try await Self.table(of: file).rows.reduce(into: [:]) {
                $0[$1["Event"] ?? "", default: 0] += $1.integer("Quantity") ?? 0
            }
        }
        #expect(try await events("2026-10-01") == ["Start Introductory Offer": 2, "Start Offer Code": 2])
        // A renewal is charged in the day before its period begins; a cancellation counts when the period ends.
        #expect(try await events("2026-10-07") == ["Paid Subscription from Introductory Offer": 1])
        #expect(try await events("2026-10-08") == ["Cancel": 1])
        #expect(try await events("2026-10-20") == ["Upgrade": 1, "Reactivation to Promotional Offer": 1])
        #expect(try await events("2026-12-31") == ["Renew": 2])
    }

    @Test func `a subscription in its grace period is counted there`() async throws {
        let file = try #require(Self.files.first { $0.date == "2026-11-21" })
        let row = try #require(try await Self.table(of: file).rows.first { $0["Country"] == "CH" })
        #expect((row.integer("Grace Period"), row.integer("Subscribers")) == (1, 1))
        #expect(row.integer("Pay As You Go Promotional Offer Subscriptions") == 0)
        #expect((row["Subscription Offer Name"], row["Promotional Offer ID"]) == ("Half Price", "half"))
        let shop = try await Self.shop.value
        var recovered: [String: Int64] = [:]
        for day in 21...30 {
            let text = try? await shop.store.reports.report(.subscriptionEvent, reportDate: "2026-11-\(day)").text
            for row in try ReportTable(Array((text ?? "Event\n").utf8)).rows where row["Country"] == "CH" {
                recovered[row["Event"] ?? "", default: 0] += row.integer("Quantity") ?? 0
            }
        }
        #expect(recovered == ["Renewals from Grace Period": 1])
    }

    @Test func `offer codes are counted by code, those for one customer together`() async throws {
        let table = try await Self.table(of: try #require(Self.files.last))
        #expect(table.rows.map { $0["Offer Code"] } == ["", "SPRING"])
        #expect(table.rows.allSatisfy { $0["Redemptions"] == "1" && $0["Offer Reference Name"] == "Radio Spring" })
    }
}
