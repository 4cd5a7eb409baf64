import Foundation
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// Each figure of a page leads to its explanation, and the explanation to the parts that sum to it.
struct FigureLinksTests {
    private static let pages: [(path: String, query: [String: String])] = [
        ("overview", [:]), ("sales", ["span": "12m"]), ("sales", ["span": "12m", "by": "storefront"]),
        ("sales", ["span": "12m", "by": "type", "currency": "EUR"]),
        ("sales", ["span": "12m", "by": "device", "amounts": "sales"]), ("subscriptions", [:]), ("payments", [:]),
        ("payments/2026-04", [:]), ("payments/2026-05", [:]),
    ]

    private func shop(on engine: Engine = .sqliteInMemory) async throws -> StatisticsShop {
        let console = try await StatisticsShop(on: engine)
        var settings = try await console.shop.store.finance.settings()
        settings.inputTax = ["US": 1000]
        settings.withholding = ["EU": 500]
        try await console.shop.store.finance.setSettings(settings)
        try await console.shop.store.finance.adjust(
            FinancialRegion(rawValue: "US"), by: Money(milliunits: 500, .usd), note: "A correction")
        try await console.close()
        return console
    }

    @Test func `each figure of a page has a link`() async throws {
        let console = try await shop()
        for (path, query) in Self.pages {
            let page = try await console.page(path, query).page
            for figure in page.figures { #expect(figure.path != nil, "\(path) \(query): \(figure.label)") }
            for row in page.tables.flatMap(\.rows) {
                for cell in row.cells.dropFirst() where cell.text.isFigure {
                    #expect(cell.path != nil, "\(path) \(query): \(row.cells[0].text) \(cell.text)")
                }
            }
            // The first series is the figure's own, another one the span before.
            for row in page.charts.flatMap(\.table.rows) {
                #expect(row.cells[1].path != nil, "\(path) \(query): \(row.cells[0].text)")
            }
        }
    }

    @Test(arguments: Engine.allCases)
    func `each explanation has its parts, and they sum to the figure`(engine: Engine) async throws {
        let console = try await shop(on: engine)
        var seen: Set<String> = []
        var open: [String] = []
        for (path, query) in Self.pages { open += try await console.page(path, query).page.explanations }
        var checked = 0
        while let path = open.popLast() {
            guard seen.insert(path).inserted else { continue }
            let page = try await console.follow(path)
            #expect(page.status == 200, "\(path)")
            #expect(page.checks.allSatisfy { $0.outcome == .passed }, "\(path)")
            #expect(page.paragraphs > 0, "\(path)")
            checked += page.checks.count
            // Terms lead to explanations of their own.
            open += page.explanations
        }
        #expect(seen.count > 100 && checked > 80, "\(seen.count) pages, \(checked) checks")
        for part in [
            "column=refunds", "statistic=churn-rate", "statistic=trials", "statistic=mrr-movement",
            "statistic=retention", "column=input-tax", "column=withholding", "column=exchanged", "column=balance",
            "/payments/open/explain", "kind=consumable", "statistic=new-customers",
        ] {
            #expect(seen.contains { $0.contains(part) }, "\(part)")
        }
    }

    @Test func `a figure is explained in words, by its terms, and by the same command`() async throws {
        let console = try await shop()
        let days = ["from": "2026-01-01", "to": "2026-01-31"]
        let churn = try await console.page(
            "explain", ["figure": "statistic", "statistic": "churn-rate", "column": "rate"].merging(days) { $1 })
        #expect(churn.html.contains("Churned subscriptions divided by those active at the start of the month."))
        #expect(churn.html.contains("How it is computed"))
        #expect(churn.html.contains("explain statistics churn-rate --column rate --app com.example.magazine"))
        let terms = try #require(churn.page.tables.first).rows
        #expect(terms.count == 3 && terms.last?.isTotal == true)
        #expect(terms[1].cells[2].path?.contains("column=active") == true)
        let owed = try await console.page("payments/2026-04/explain", ["region": "US", "currency": "USD"])
        #expect(owed.html.contains("A correction"))
        #expect(owed.html.contains("explain financial --month 2026-04 --column owed --region US --currency USD"))
        #expect(owed.html.contains("Tax on the commission"))
    }

    @Test func `a list that a rebuild is making says how far it is`() async throws {
        let console = try await StatisticsShop()
        let rollUps = console.shop.store.rollUps
        let query = [
            "figure": "statistic", "statistic": "subscription-movement", "column": "new", "from": "2025-12-01",
            "to": "2026-02-28",
        ]
        _ = try await console.shop.database.write { try $0.execute("DELETE FROM statistic_entries") }
        #expect(try await console.page("explain", query).page.checks.map(\.outcome) == [.failed])
        try await rollUps.startRebuild(TestCatalog.bundleID)
        let underWay = try await console.page("explain", query).page
        #expect(underWay.checks.isEmpty && underWay.notices.count == 1)
        while try await rollUps.work(on: TestCatalog.magazine().appleID) {}
        #expect(try await console.page("explain", query).page.checks.map(\.outcome) == [.passed])
    }

    @Test func `an address without a column, a month or a currency names no figure`() async throws {
        let console = try await StatisticsShop()
        for query in [
            ["figure": "statistic", "statistic": "churn-rate", "column": "none"],
            ["figure": "statistic", "statistic": "mrr", "column": "mrr"], ["figure": "financial", "month": "none"],
            ["figure": "statistic", "statistic": "refund-rate", "column": "rate"],
        ] {
            await #expect(throws: ConsoleError.self, "\(query)") { try await console.page("explain", query) }
        }
        for path in ["payments/none/explain", "payments/open/explain"] {
            await #expect(throws: ConsoleError.self, "\(path)") {
                try await console.page(path, ["column": "balance"])
            }
        }
    }
}

extension StatisticsShop {
    /// Follows a link of a page.
    fileprivate func follow(_ path: String) async throws -> Page {
        let parts = try #require(URLComponents(string: path))
        let start = self.path("")
        let query = (parts.queryItems ?? []).map { ($0.name, $0.value ?? "") }
        return try await page(
            String(parts.path.dropFirst(start.count)), Dictionary(query) { first, _ in first }
        ).page
    }
}

extension Page {
    fileprivate var charts: [Chart] {
        blocks.compactMap { if case .chart(let chart) = $0 { chart } else { nil } }
    }

    fileprivate var paragraphs: Int { blocks.count { if case .paragraph = $0 { true } else { false } } }

    /// The links to explanations.
    fileprivate var explanations: [String] {
        let tables = tables + charts.map(\.table)
        let facts = blocks.flatMap { $0.everyFact }
        let paths = figures.map(\.path) + tables.flatMap(\.rows).flatMap(\.cells).map(\.path) + facts.map(\.value.path)
        return paths.compactMap { $0 }.filter { $0.contains("/explain") }
    }
}

extension Block {
    fileprivate var everyFact: [Fact] {
        switch self {
        case .facts(let facts): facts
        case .section(_, _, _, let blocks), .details(_, let blocks): blocks.flatMap(\.everyFact)
        default: []
        }
    }
}

extension Text {
    /// True for a count, an amount or a share.
    fileprivate var isFigure: Bool {
        switch self {
        case .number, .money, .percent: true
        default: false
        }
    }
}
