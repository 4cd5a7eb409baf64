import AppStoreFormats
import Foundation
import Perennial
import PerennialStorage
import TestSupport
import Testing

@testable import PerennialStore

/// The files of a closed month of ``ReportScenario``, byte by byte (docs/reference/financial-reports.md).
///
/// Record them anew with `PERENNIAL_RECORD=1 swift test --filter FinanceFileTests`.
struct FinanceFileTests {
    private static let folder = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden/Finance")
    /// October 2026: 27 September to 31 October.
    private static let month = FiscalMonth(number: 2027 * 12)
    private static let files = [
        "region-US.txt", "region-EU.txt", "region-ZZ.txt", "detail-Z1.txt", "payments.csv", "payments-unpaid.csv",
        "books.hledger", "books.beancount",
    ]

    /// The scenario's store with three closed months, whose last isn't paid.
    private static let shop = Task {
        let shop = try await ReportScenario.live()
        try await shop.loadRates()
        try await shop.store.finance.setSettings(
            FinanceSettings(
                bankName: "Example Bank", accountEnding: "1234", threshold: Money(milliunits: 20_000, .usd),
                withholding: ["JP": 2042], inputTax: ["CH": 250]))
        try await shop.store.finance.adjust(
            FinancialRegion(rawValue: "US"), by: Money(milliunits: -1250, .usd), note: "A fee, \"corrected\"")
        for number in Int64(0)..<3 { try await shop.store.finance.close(FiscalMonth(number: month.number + number)) }
        return shop
    }

    private static func text(_ name: String) async throws -> String {
        let shop = try await shop.value
        func books(_ format: PlainTextBooks.Format) async throws -> String {
            var reader = try await shop.store.finance.books(format, month: month)
            var text = ""
            while let part = try await reader.next() { text += part }
            return text
        }
        switch name {
        case "payments.csv": return try await shop.store.finance.paymentsSummary(month).text
        case "payments-unpaid.csv": return try await shop.store.finance.paymentsSummary(month.next.next).text
        case "books.hledger": return try await books(.hledger)
        case "books.beancount": return try await books(.beancount)
        default: return try await shop.report(month, String(name.dropLast(4).suffix(2)))
        }
    }

    @Test(arguments: files)
    func `a file has the recorded bytes`(name: String) async throws {
        let text = try await Self.text(name)
        if let place = ProcessInfo.processInfo.environment["PERENNIAL_RECORD"] {
            let folder = place.hasPrefix("/") ? URL(filePath: place) : Self.folder
            try Data(text.utf8).write(to: folder.appending(path: name))
        }
        #expect(text == (try String(contentsOf: Self.folder.appending(path: name), encoding: .utf8)))
    }

    @Test func `a region's file has 22 columns, and totals of its rows`() async throws {
        let text = try await Self.text("region-US.txt")
        let lines = text.split(separator: "\n").map { $0.split(separator: "\t", omittingEmptySubsequences: false) }
        #expect(lines[0].count == 22)
        let reader = try FinancialReportReader(text)
        #expect(!reader.rows.isEmpty)
        #expect(reader.countries.isEmpty)
        #expect(reader.rows.allSatisfy { $0["start date"] == "09/27/2026" && $0["end date"] == "10/31/2026" })
        #expect(reader.rows.allSatisfy { $0["country of sale"] == "US" })
        let units = try reader.rows.reduce(0) { $0 + (try #require(Int($1["quantity"] ?? ""))) }
        #expect(reader.totals.map(\.name) == ["Total_Rows", "Total_Amount", "Total_Units"])
        #expect(reader.totals.last?.fields == ["\(units)"])
    }

    @Test func `the consolidated file has every region and a section by country`() async throws {
        let reader = try FinancialReportReader(try await Self.text("region-ZZ.txt"))
        #expect(Set(reader.rows.compactMap { $0["country of sale"] }) == ["CH", "DE", "GB", "JP", "US"])
        #expect(reader.countries.map { $0["country of sale"] ?? "" }.sorted() == ["CH", "DE", "GB", "JP", "US"])
        // A sum in several currencies has none: each has its own.
        #expect(reader.totals.filter { $0.name == "Total_Amount" }.map { $0.fields.count } == [2, 2, 2, 2, 2])
    }

    @Test func `a refund is a return with a negative quantity`() async throws {
        let reader = try FinancialReportReader(try await Self.text("region-EU.txt"))
        let refund = try #require(reader.rows.first { $0["sales or return"] == "R" })
        #expect(refund["quantity"] == "-1")
        #expect(refund["extended partner share"]?.hasPrefix("-") == true)
        #expect(refund["partner share"]?.hasPrefix("-") == false)
    }

    @Test func `the payments summary adds up by its columns' names`() async throws {
        let shop = try await Self.shop.value
        for number in Int64(0)..<3 {
            let month = FiscalMonth(number: Self.month.number + number)
            let summary = try await shop.store.finance.paymentsSummary(month)
            let reader = try #require(PaymentsSummaryReader(summary.text))
            #expect(reader.regions.count == summary.closing.lines.count)
            for region in reader.regions {
                func amount(_ column: String) throws -> Decimal { try #require(Decimal(string: region[column] ?? "")) }
                let owed =
                    try amount("Pre-Tax Subtotal") + amount("Input Tax") + amount("Adjustments")
                    + amount("Withholding Tax")
                #expect(owed == (try amount("Total Owed")))
            }
            #expect(reader.total["Proceeds"] == summary.closing.total.decimal)
            #expect((reader.total["Balance"] != nil) == (summary.closing.carried.milliunits != 0))
        }
    }

    // MARK: - Requests

    struct Request: Sendable {
        var vendor: String?
        var type: String?
        var region: String?
        var date: String?
        var code: ReportError.Code
        var parameter: String?
    }

    static let refused = [
        Request(type: "FINANCIAL", region: "US", date: "2027-01", code: .missingParameter, parameter: "vendorNumber"),
        Request(vendor: "", region: "US", date: "2027-01", code: .missingParameter, parameter: "reportType"),
        Request(vendor: "", type: "FINANCIAL", date: "2027-01", code: .missingParameter, parameter: "regionCode"),
        Request(vendor: "", type: "FINANCIAL", region: "US", code: .missingParameter, parameter: "reportDate"),
        Request(
            vendor: "", type: "SALES", region: "US", date: "2027-01", code: .invalidParameter, parameter: "reportType"),
        Request(
            vendor: "", type: "FINANCIAL", region: "XX", date: "2027-01", code: .invalidParameter,
            parameter: "regionCode"),
        Request(
            vendor: "", type: "FINANCIAL", region: "Z1", date: "2027-01", code: .invalidParameter,
            parameter: "regionCode"),
        Request(
            vendor: "", type: "FINANCE_DETAIL", region: "US", date: "2027-01", code: .invalidParameter,
            parameter: "regionCode"),
        Request(
            vendor: "", type: "FINANCIAL", region: "US", date: "2027-13", code: .invalidParameter,
            parameter: "reportDate"),
        Request(vendor: "", type: "FINANCIAL", region: "US", date: "2027-04", code: .notFound, parameter: "reportDate"),
        Request(vendor: "", type: "FINANCIAL", region: "US", date: "2090-04", code: .notFound, parameter: "reportDate"),
        Request(vendor: "", type: "FINANCIAL", region: "NO", date: "2027-01", code: .notFound, parameter: "reportDate"),
        Request(
            vendor: "80000000", type: "FINANCIAL", region: "US", date: "2027-01", code: .unknownVendor,
            parameter: "vendorNumber"),
    ]

    @Test(arguments: refused)
    func `a request with a wrong word has an error`(request: Request) async throws {
        let shop = try await Self.shop.value
        let vendor = try await shop.database.read { try Vendor.vendorNumber(on: $0) }
        let error = await #expect(throws: ReportError.self) {
            // An empty vendor in the table is the store's own.
            try await shop.store.finance.financeReport(
                vendorNumber: request.vendor == "" ? vendor : request.vendor, reportType: request.type,
                regionCode: request.region, reportDate: request.date)
        }
        #expect(error?.code == request.code)
        #expect(error?.parameter == request.parameter.map { "filter[\($0)]" })
    }

    @Test func `a report has Apple's file name`() async throws {
        let shop = try await Self.shop.value
        let vendor = try await shop.database.read { try Vendor.vendorNumber(on: $0) }
        let file = try await shop.store.finance.financeReport(
            vendorNumber: vendor, reportType: "FINANCIAL", regionCode: "CH", reportDate: "2027-01")
        #expect(file.name == "\(vendor)_1026_CH")
        let text = String(decoding: try Gzip.decompress(try await file.compressed(), limit: 1 << 20), as: UTF8.self)
        #expect(text == file.text)
        #expect(try FinancialReportReader(text).rows.count == file.rows)
    }

    // MARK: - Books

    @Test(arguments: PlainTextBooks.Format.allCases)
    func `the months of the books add up to the whole`(format: PlainTextBooks.Format) async throws {
        let shop = try await Self.shop.value
        func transactions(_ month: FiscalMonth?) async throws -> [String] {
            var reader = try await shop.store.finance.books(format, month: month)
            var text = ""
            while let part = try await reader.next() { text += part }
            // A date begins a transaction; the accounts are opened before.
            return text.split(separator: "\n\n").map(String.init).filter { $0.hasPrefix("20") }
        }
        var parts: [String] = []
        for number in Int64(0)..<5 { parts += try await transactions(FiscalMonth(number: Self.month.number + number)) }
        let all = try await transactions(nil)
        #expect(all.count > 20)
        #expect(parts.sorted() == all.sorted())
    }
}
