import Perennial
import Testing

@testable import AppStoreFormats

struct ReportWriterTests {
    private static let layout = ReportLayout(
        .sales, version: "test", dateForm: .monthDayYear,
        columns: [.init("Text", .text(maximumLength: 5)), .init("Number", .integer), .init("Date", .date)])

    private static func cell(_ value: ReportValue, in layout: ReportLayout = layout) -> String {
        var bytes: [UInt8] = []
        value.append(to: &bytes, in: layout.columns[0], layout.dateForm)
        return String(decoding: bytes, as: UTF8.self)
    }

    @Test(arguments: [
        (0, "0.00"), (700, "0.70"), (-990, "-0.99"), (1_234_560, "1234.56"), (120_000, "120.00"), (2329, "2.329"),
        (-5, "-0.005"), (Int64.min, "-9223372036854775.808"), (Int64.max, "9223372036854775.807"),
    ])
    func `an amount has two decimals, and a third only if it isn't zero`(milliunits: Int64, text: String) {
        #expect(Self.cell(.amount(Money(milliunits: milliunits, .jpy))) == text)
    }

    @Test(arguments: [
        ("", " "), ("a\tb", "a b"), ("a\r\nb", "a b"), ("a\u{2028}b", "a b"), ("\u{0}", " "), ("abcdef", "abcde"),
        ("日本語の本の名前", "日本語の本"), ("\"q\"", "\"q\""), ("\t\n\t\n\t\n\t", "     "),
        // Two regional indicators are one flag, which isn't cut in halves.
        ("abcd🇩🇪", "abcd"), ("abc🇩🇪", "abc🇩🇪"),
    ])
    func `a text has no tab or line break and its column's length`(text: String, written: String) {
        #expect(Self.cell(.text(text)) == written)
    }

    @Test func `a blank cell is a single space`() {
        #expect(Self.cell(.blank) == " ")
        #expect(Self.cell(ReportValue(nil as String?)) == " ")
        #expect(Self.cell(ReportValue(nil as Int64?)) == " ")
        #expect((Self.cell(ReportValue(true)), Self.cell(ReportValue(false))) == ("Yes", " "))
    }

    @Test func `a date has the form of its report`() throws {
        let day = try #require(PacificDay("2026-01-09"))
        #expect(Self.cell(.date(day)) == "01/09/2026")
        #expect(Self.cell(.date(day), in: .subscriber1_3) == "2026-01-09")
    }

    @Test func `a file has one row of headers, tabs and line feeds`() throws {
        let day = try #require(PacificDay("2026-01-09"))
        var writer = ReportWriter(Self.layout)
        writer.append([.text("b"), .integer(-3), .date(day)])
        let first = String(decoding: writer.takeBytes(), as: UTF8.self)
        #expect(first == "Text\tNumber\tDate\nb\t-3\t01/09/2026\n")
        #expect(writer.count == 0)
        let rows: [[ReportValue]] = [[.text("b"), .integer(1), .blank], [.text("a"), .integer(2), .blank]]
        let text = ReportWriter.text(Self.layout, rows)
        #expect(text == "Text\tNumber\tDate\na\t2\t \nb\t1\t \n")
        #expect(ReportWriter.text(Self.layout, rows.reversed()) == text)
    }
}
