import AppStoreFormats
import Perennial
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// The figures of pages beside those of reports.
struct FigurePagesTests {
    @Test(arguments: Engine.allCases)
    func `sums on the sales page are those of the Sales report`(engine: Engine) async throws {
        let console = try await StatisticsShop(on: engine)
        let file = try await console.shop.store.reports.report(.sales, frequency: "monthly", reportDate: "2026-01")
        let report = try ReportTable(Array((file.text ?? "").utf8))
        var (units, proceeds): (Int64, [Currency: Int64]) = (0, [:])
        for row in report.rows {
            let count = row.integer("Units") ?? 0
            units += count
            let currency = Currency(rawValue: row["Currency of Proceeds"] ?? "")
            proceeds[currency, default: 0] += (row.thousandths("Developer Proceeds") ?? 0) * count
        }
        #expect(units > 0 && proceeds.keys.contains(.eur))
        let days = ["from": "2026-01-01", "to": "2026-01-31"]
        for grouping in SalesGrouping.allCases {
            for currency in [Currency.usd, .eur] {
                let query = days.merging(["by": grouping.rawValue, "currency": currency.rawValue]) { first, _ in first }
                let page = try await console.page("sales", query).page
                #expect(page.figures.first?.value.money == Money(milliunits: proceeds[currency] ?? 0, currency))
                #expect(page.figures[1].value.number == units)
                let table = try #require(page.tables.first)
                let rows = table.rows.filter { !$0.isTotal }
                #expect(rows.reduce(0) { $0 + ($1.cells[1].text.number ?? 0) } == units)
                if let total = table.rows.last(where: \.isTotal) {
                    #expect(total.cells[3].text.money?.milliunits == proceeds[currency] ?? 0)
                }
            }
        }
    }

    @Test(arguments: ["overview", "sales", "subscriptions"])
    func `a headline of several currencies names its own and the others`(path: String) async throws {
        let console = try await StatisticsShop()
        try await console.shop.buy("film.roll", as: "ann")
        try await console.shop.buy("film.roll", as: "hans")
        try await console.rollUp()
        let (page, html) = try await console.page(path)
        let formatter = TextFormatter(.english, now: try await console.shop.store.now())
        let headlines = page.figures.filter { $0.value.money != nil }
        #expect(!headlines.isEmpty && html.contains("class=\"others\""))
        for headline in headlines {
            #expect(formatter.string(headline.label).contains("USD"))
            #expect(headline.value.money?.currency == .usd)
            #expect(headline.others.map(formatter.string)?.contains("€") == true)
        }
        guard path == "sales" else { return }
        let total = try #require(page.tables.first?.rows.last { $0.isTotal })
        #expect(formatter.string(total.cells[0].text) == "Total, USD")
        guard case .facts(let amounts)? = total.details.first else {
            Issue.record("the total has no amounts by currency")
            return
        }
        #expect(amounts.map { formatter.string($0.name) } == ["EUR", "USD"])
        #expect(amounts[1].value.text == total.cells[3].text)
    }

    @Test func `a headline of one currency names no other, and one of many counts them`() async throws {
        let console = try await StatisticsShop()
        // The first day had sales in one currency.
        let days = ["from": "2025-12-31", "to": "2026-01-01"]
        let first = try #require(try await console.page("sales", days).page.figures.first)
        #expect(first.others == nil && first.label == .phrase(Words.proceeds))
        let many = ["AUD", "CAD", "CHF", "JPY", "USD"].map { Money(milliunits: 1_000, Currency(rawValue: $0)) }
        let formatter = TextFormatter(.english, now: TestStore.opening)
        #expect(
            FigureRequest.others(many, than: .usd).map(formatter.string)
                == "and A$1.00, CA$1.00, CHF\u{A0}1.00 and 1 more currencies")
        #expect(FigureRequest.others([Money(milliunits: 1, .usd)], than: .usd) == nil)
    }

    @Test(arguments: [
        ("", "2026-01-10", "from"), ("x", "2026-01-10", "from"), ("2026-01-10", "", "to"), ("2026-02-30", "x", "from"),
        ("2026-01-12", "2026-01-10", "to"), ("1990-01-01", "2026-01-10", "to"),
    ])
    func `days that are none are refused at their field`(from: String, to: String, field: String) async throws {
        let console = try await StatisticsShop()
        for path in ["sales", "subscriptions"] {
            let page = try await console.page(path, ["from": from, "to": to, "by": "device"]).page
            #expect(page.status == 422 && page.errors.keys.sorted() == [field] && page.figures.isEmpty)
            #expect(page.field("from")?.value == from && page.field("to")?.value == to)
            #expect(page.field("by")?.value == "device")
        }
        await #expect(throws: ConsoleError.self) {
            try await console.page("explain", ["figure": "sales", "from": from, "to": to])
        }
    }

    @Test func `the days of sales are chosen on the page, and are those of the command beside it`() async throws {
        let console = try await StatisticsShop()
        let (page, _) = try await console.page("sales", ["from": "2026-01-02", "to": "2026-01-09", "by": "storefront"])
        // Among the page's filters.
        let filter = page.blocks.compactMap { if case .filter(let filter) = $0 { filter } else { nil } }.first
        let form = try #require(filter?.form)
        #expect(form.isQuery && form.path.hasSuffix("/sales"))
        let fields = form.fields.map { "\($0.name)=\($0.value)" }
        #expect(fields == ["from=2026-01-02", "to=2026-01-09", "by=storefront"])
        let same = try #require(page.blocks.compactMap { if case .same(let same) = $0 { same } else { nil } }.last)
        #expect(same.command.contains(" --from 2026-01-02 --to 2026-01-09 "))
        #expect(same.call?.path.contains("&from=2026-01-02&to=2026-01-09&") == true)
    }

    @Test func `each figure of sales leads to the entries that make it`() async throws {
        let console = try await StatisticsShop()
        for column in ["units", "proceeds", "sales"] {
            for filter in [
                [:], ["product": "film.roll"], ["country": "DEU"], ["currency": "EUR"], ["product": "none"],
            ] as [[String: String]] where column != "units" || filter["currency"] == nil {
                var query = ["column": column, "from": "2025-12-01", "to": "2026-02-28"]
                query.merge(filter) { first, _ in first }
                let page = try await console.page("explain", query).page
                #expect(page.checks.map(\.outcome) == [.passed], "\(query)")
                guard filter["product"] != "none" else { continue }
                #expect(page.tables.first?.rows.isEmpty == false)
                let compared = try await console.page("explain/comparison", query).page
                #expect(compared.checks.map(\.outcome) == [.passed], "\(query)")
            }
        }
    }

    @Test func `a row of sales has its change since the span before`() async throws {
        let console = try await StatisticsShop()
        try await console.shop.buy("film.roll", quantity: 3, as: "ann")
        try await console.shop.advance(by: .days(1))
        try await console.shop.buy("film.roll", quantity: 6, as: "ann")
        try await console.rollUp()
        let today = PacificDay(try await console.shop.store.now())
        for grouping in SalesGrouping.allCases {
            let query = ["from": "\(today)", "to": "\(today)", "by": grouping.rawValue, "currency": "USD"]
            let table = try #require(try await console.page("sales", query).page.tables.first)
            #expect(table.columns[4].title == .phrase(SalesPhrases.change))
            #expect(table.rows.first?.cells[4].text == .change(1), "\(grouping)")
        }
        // The day before had no sales on the day before it.
        let before = ["from": "\(today.adding(-1))", "to": "\(today.adding(-1))"]
        let table = try #require(try await console.page("sales", before).page.tables.first)
        #expect(table.rows.first?.cells[4].text == Text.none)
    }

    @Test func `churn and conversion are those of the last whole month`() async throws {
        let console = try await StatisticsShop()
        let month = try #require(PacificDay("2026-01-01")).monthText
        for span in ["12m", "7d"] {
            let page = try await console.page("subscriptions", ["span": span]).page
            let names = [FigurePhrases.churn, FigurePhrases.conversion].map { name in
                Text.phrase(FigurePhrases.ofMonth, .phrase(name), month)
            }
            #expect(page.figures.suffix(2).map(\.label) == names)
            guard span == "12m" else { continue }
            let row = try #require(page.tables.first?.rows.first { $0.cells[0].text == month })
            #expect(page.figures.suffix(2).map(\.value) == [row.cells[5].text, row.cells[8].text])
        }
    }

    @Test func `a statistic of a day has the entries that make it`() async throws {
        let console = try await StatisticsShop()
        for statistic in ["mrr", "active-subscriptions", "new-customers", "subscription-movement"] {
            let query = ["figure": "statistic", "statistic": statistic, "date": "2025-12-31"]
            let page = try await console.page("explain", query).page
            #expect(!page.checks.isEmpty && page.checks.allSatisfy { $0.outcome == .passed })
            let measures = try #require(Statistic(rawValue: statistic)).measures
            #expect(
                page.tables.first?.rows.map { $0.cells[0].text }
                    == measures.map { Text.phrase(MeasurePhrases.name($0)) })
        }
    }

    @Test(arguments: Engine.allCases)
    func `payments have the amounts of the closing`(engine: Engine) async throws {
        let console = try await StatisticsShop(on: engine)
        let store = console.shop.store
        let owed = try await store.finance.owed()
        let before = try await console.page("payments").page
        #expect(before.tables[1].rows.compactMap { $0.cells[4].text.money } == owed.open.map(\.amount))
        #expect(before.tables[0].rows.count == owed.months.count)
        try await console.close()
        let month = try #require(FiscalMonth("2026-04"))
        let closing = try await store.finance.closedMonth(month).closing
        let page = try await console.page("payments/2026-04").page
        let rows = try #require(page.tables.first?.rows)
        #expect(rows.dropLast().compactMap { $0.cells[2].text.money } == closing.lines.map(\.earned))
        #expect(rows.last?.cells.last?.text.money == closing.total)
        let explained = try await console.page("explain", ["figure": "financial", "month": "2026-04"]).page
        #expect(explained.checks.map(\.outcome) == [.passed])
        let reconciled = try await console.page("payments/2026-04/reconcile").page
        #expect(reconciled.checks.map(\.outcome) == [.passed])
    }

    @Test(
        arguments: [
            ("payments/2026-04/reconcile", [:]), ("explain/comparison", ["column": "units", "country": "DEU"]),
            ("explain/entries", ["statistic": "mrr", "date": "2025-12-31"]),
        ] as [(String, [String: String])])
    func `a page that takes long says how far it is, and comes by itself`(
        path: String, query: [String: String]
    ) async throws {
        let console = try await StatisticsShop(makes: false)
        let page = try await console.page(path, query.merging(["again": "1"]) { $1 }).page
        #expect(page.checks.isEmpty && page.status == 200)
        #expect(page.notices.first?.advice == .phrase(ComputedPhrases.comesByItself))
        let refresh = try #require(page.refresh)
        let fields = query.sorted { $0.key < $1.key }.map { "\($0.key)=\($0.value)" }.joined(separator: "&")
        #expect(refresh.path == console.path(path) + (fields.isEmpty ? "" : "?\(fields)"), "and isn't made again")
        // There is one place for a page that waits.
        await #expect(throws: CancellationError.self) {
            _ = try await console.page("explain/comparison", ["from": "2026-01-02", "to": "2026-01-03"])
        }
    }

    @Test func `a page that was made says when, and is made again on demand`() async throws {
        let console = try await StatisticsShop()
        let query = ["column": "units", "from": "2025-12-01", "to": "2026-12-31"]
        let before = try await console.page("explain/comparison", query).page
        try await console.shop.buy("film.roll", as: "ann")
        try await console.rollUp()
        let kept = try await console.page("explain/comparison", query).page
        #expect(kept.figures.map(\.value) == before.figures.map(\.value))
        let link = try #require(kept.blocks.flatMap(\.allLinks).last)
        #expect(link.text == .phrase(ComputedPhrases.again) && link.path.hasSuffix("&again=1"))
        let anew = try await console.page("explain/comparison", query.merging(["again": "1"]) { $1 }).page
        #expect(anew.figures.map(\.value) != before.figures.map(\.value))
        #expect(anew.checks.map(\.outcome) == [.passed])
    }

    @Test func `downloads are the API's files`() async throws {
        let console = try await StatisticsShop()
        try await console.close()
        let store = console.shop.store
        let sales = try await store.reports.report(.sales, frequency: "monthly", reportDate: "2026-01")
        let file = try await console.file(
            "sales/report", ["report": "SALES", "frequency": "MONTHLY", "date": "2026-01"])
        #expect(file.bytes == (try await sales.compressed()))
        #expect(file.name == "\(sales.name).txt.gz")
        let month = try #require(FiscalMonth("2026-04"))
        for region in ["ZZ", "US", "Z1"] {
            let report = try await store.finance.financeReport(month, region: region)
            let file = try await console.file("payments/2026-04/report", ["region": region])
            #expect(file.bytes == (try await report.compressed()))
        }
        let summary = try await store.finance.paymentsSummary(month)
        #expect(try await console.file("payments/2026-04/summary").bytes == Array(summary.text.utf8))
        await #expect(throws: ConsoleError.self) {
            try await console.file("sales/report", ["frequency": "daily", "date": "2031-01-01"])
        }
    }

    @Test func `the overview leads to the page that sets the notification URL`() async throws {
        let overview = try await StatisticsShop().page("overview")
        #expect(overview.html.contains("/notification-url\""))
    }

    @Test func `an empty store says what to do first`() async throws {
        let console = try await StatisticsShop(sells: false)
        let overview = try await console.page("overview")
        #expect(overview.html.contains("buy film.roll --app com.example.magazine"))
        for (path, query) in StatisticsShop.pages where !path.hasSuffix("reconcile") {
            #expect(try await console.page(path, query).page.status == 200, "\(path) \(query)")
        }
    }

    @Test(arguments: Language.allCases)
    func `pages of figures render in all languages`(language: Language) async throws {
        let console = try await StatisticsShop()
        try await console.close()
        for (path, query) in StatisticsShop.pages {
            let html = try await console.page(path, query, language).html
            // Addresses may have such signs, words may not.
            #expect(!html.replacing(/<[^>]*>/, with: "").contains(/%[1-9](?![0-9A-F])/), "\(path) \(query)")
            #expect(html.utf8.count < 200_000)
        }
    }

    @Test func `a page doesn't wait for the roll-ups and says what it lacks`() async throws {
        let console = try await StatisticsShop()
        let before = try await console.page("sales").page.figures[1].value
        try await console.shop.buy("film.roll", as: "ann")
        let behind = try await console.page("sales")
        #expect(behind.page.figures[1].value == before)
        #expect(behind.html.contains("The figures lack the newest entries"))
        try await console.rollUp()
        #expect(try await console.page("sales").page.figures[1].value != before)
    }
}
