import AppStoreFormats
import ArgumentParser
import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialCommand

/// `perennial seed` against a running store.
struct SeedTests {
    private static let words = line(customers: 12)

    private static func line(months: Int = 3, customers: Int) -> [String] {
        [
            "seed", "--months", "\(months)", "--customers", "\(customers)", "--seed", "7", "--to", "2026-09-30",
            "--app",
            "com.example.magazine",
        ]
    }

    @Test func `the same seed makes the same journal, with everything that reports need`() async throws {
        var journals: [[JournalEntry]] = []
        for _ in 0..<2 {
            try await RunningStore.run(app: TestCatalog.magazineWithOffers) { store in
                let report = try await RunningStore.run(Self.words + store.access)
                #expect(report.words.hasPrefix("Demo has the history of 2026-07-01 to 2026-09-30: 12 customers"))
                let demo = try await store.shop.environment("Demo")
                await Journals.shared.add(try await demo.journal().map(\.entry))
                #expect(try await demo.sumOfPostings().values.allSatisfy { $0 == 0 })
            }
            journals.append(await Journals.shared.take())
        }
        #expect(journals[0] == journals[1])
        let kinds = Set(journals[0].map(\.kind))
        for kind in [JournalEntry.Kind.appDownloaded, .appUpdated, .purchased, .subscription(.subscribed)] {
            #expect(kinds.contains(kind), "\(kind)")
        }
        #expect(journals[0].allSatisfy { PacificDay($0.at).description >= "2026-07-01" })
    }

    @Test func `a seeded store has rows in every report, and its journal agrees`() async throws {
        try await RunningStore.run(app: TestCatalog.magazineWithOffers) { store in
            _ = try await RunningStore.run(Self.line(customers: 40) + store.access)
            let demo = try await store.shop.environment("Demo")
            var reports: Set<ReportLayout.Report> = []
            var explained = 0
            var day = try #require(PacificDay("2026-07-01"))
            while day.description <= "2026-09-30" {
                for report in [ReportLayout.Report.sales, .subscription, .subscriptionEvent, .subscriber]
                where !reports.contains(report) {
                    let file = try? await demo.store.reports.report(report, reportDate: day.description)
                    if let file, file.rows > 0 { reports.insert(report) }
                }
                do {
                    let figure = SalesFigure(bundleID: TestCatalog.bundleID, date: day.description)
                    let explanation = try await demo.store.explain.sales(figure)
                    #expect(explanation.agrees, "\(day): \(explanation.reported), \(explanation.recomputed)")
                    explained += 1
                } catch let error as ExplainError {
                    #expect(error.code == .figureNotFound)
                }
                day = day.next
            }
            #expect(reports.count == 4, "\(reports)")
            #expect(explained > 30)
            let closed = try await demo.store.finance.closedMonths()
            #expect(closed.count == 3)
            #expect(closed.contains { !$0.closing.lines.isEmpty })
            for month in closed where !month.closing.lines.isEmpty {
                let owed = try await demo.store.explain.financial(month: month.closing.month.description, region: nil)
                #expect(owed.agrees, "\(owed.title): \(owed.reported), \(owed.recomputed)")
            }
            let words = try await store.run(
                "explain", "sales", "--app", "com.example.magazine", environment: "Demo"
            ).words
            #expect(words.contains("The journal agrees"))
            #expect(words.contains("docs/reference/money.md#"))
        }
    }

    @Test func `an environment with customers is added to with --yes only`() async throws {
        try await RunningStore.run { store in
            let words = Self.line(months: 1, customers: 3)
            _ = try await RunningStore.run(words + store.access)
            await #expect(throws: CommandError.self) { try await RunningStore.run(words + store.access) }
            let report = try await RunningStore.run(words + ["--yes"] + store.access)
            #expect(report.words.hasPrefix("Demo has the history of 2026-10-0"))
        }
    }

    @Test(arguments: [
        (["--months", "0"], "--months is 1 to 60"), (["--customers", "0"], "--customers is 1 to 100000"),
        (["--environment", "Sandbox"], "neither Production nor Sandbox"),
    ])
    func `a wrong option is refused before anything is made`(option: [String], reason: String) {
        do {
            _ = try Words.parse(["seed"] + option)
            Issue.record("it was accepted")
        } catch {
            #expect(Seed.message(for: error).contains(reason))
        }
    }

    @Test func `an environment with a real clock is refused`() async throws {
        try await RunningStore.run { store in
            _ = try await store.run("environments", "create", "live", "--clock", "real")
            await #expect(throws: CommandError.self) {
                try await RunningStore.run(Self.words + ["--environment", "live"] + store.access)
            }
        }
    }
}

/// The journals that tests hand out of a running store.
private actor Journals {
    static let shared = Journals()
    private var entries: [JournalEntry] = []

    func add(_ entries: [JournalEntry]) { self.entries = entries }

    func take() -> [JournalEntry] {
        defer { entries = [] }
        return entries
    }
}
