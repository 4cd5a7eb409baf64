import Perennial
import TestRandomness
import Testing

@testable import AppStoreFormats

struct ReportTableTests {
    private static let count = 6_000

    @Test(arguments: ["\n", "\r\n"], ["", "\u{FEFF}"])
    func `a file is read with either line end, with or without a mark`(lineEnd: String, mark: String) throws {
        let lines = [
            "SKU\tunits\tBegin Date\tDeveloper Proceeds", "a \"b\"\t-3\t10/03/2026\t.70", " \t\t2026-10-03\t-12.5", "",
        ]
        let table = try ReportTable(Array((mark + lines.joined(separator: lineEnd)).utf8))
        #expect(table.headers == ["SKU", "units", "Begin Date", "Developer Proceeds"])
        #expect(table.rows.count == 2)
        let (first, second) = (table.rows[0], table.rows[1])
        #expect(first["sku"] == "a \"b\"")
        #expect(first.integer("UNITS") == -3)
        #expect(first.thousandths("developer proceeds") == 700)
        #expect(first.day("Begin Date")?.description == "2026-10-03")
        #expect(second["SKU"] == "")
        #expect(second.integer("Units") == nil)
        #expect(second.thousandths("Developer Proceeds") == -12_500)
        #expect(second.day("Begin Date")?.description == "2026-10-03")
        #expect(second["Title"] == nil)
    }

    @Test func `columns are found by name in any order`() throws {
        let layout = ReportLayout.sales1_0
        let headers = layout.columns.map(\.header).reversed().map { $0.uppercased() } + ["Some New Column"]
        let table = try ReportTable(Array(headers.joined(separator: "\t").utf8))
        #expect(ReportLayout.layout(of: table) == layout)
        #expect(ReportLayout.layout(of: try ReportTable(Array("SKU\tUnits".utf8))) == nil)
        let newer = try ReportTable(Array(ReportLayout.sales1_1.headerRow.utf8))
        #expect(ReportLayout.layout(of: newer) == .sales1_1)
    }

    @Test(
        arguments: [
            ("1", 1000), ("1.4", 1400), (".70", 700), ("0.7000", 700), ("-0.99", -990), ("100.005", 100_005),
            ("5.", 5000),
            ("", nil), (".", nil), ("-", nil), ("1.2345", nil), ("1,5", nil), ("1e3", nil), ("--1", nil),
            ("1.2.3", nil),
            ("999999999999999", 999_999_999_999_999_000), ("9999999999999999", nil), ("\u{0661}", nil),
        ] as [(String, Int64?)])
    func `decimals are read in each form that Apple writes`(text: String, thousandths: Int64?) {
        #expect(ReportNumber.thousandths(text) == thousandths)
    }

    @Test(arguments: [
        ("", ReportTableError.Code.noHeaders, 1), ("\n\n", .noHeaders, 1), ("A\tB\n1\n", .wrongCellCount, 2),
        ("A\tB\n1\t2\n1\t2\t3\n", .wrongCellCount, 3),
    ])
    func `a file that is no report has an error with its line`(
        text: String, code: ReportTableError.Code, line: Int
    ) {
        #expect(throws: ReportTableError(code, line: line)) { try ReportTable(Array(text.utf8)) }
    }

    @Test func `bytes that are no text and damaged gzip are refused`() throws {
        #expect(throws: ReportTableError(.notUTF8, line: 2)) { try ReportTable([65, 10, 0xC3, 0x28, 10]) }
        let encoder = try GzipEncoder()
        let file = try encoder.compress(Array("A\tB\n1\t2\n".utf8)) + encoder.finish()
        #expect(try ReportTable(file).rows.count == 1)
        #expect(throws: ReportTableError(.damaged, line: 0)) { try ReportTable(file.dropLast(3).map { $0 }) }
    }

    /// Goal: what is written is read again, whatever the texts and numbers.
    @Test(arguments: ReportLayout.all)
    func `random rows are read as they were written`(layout: ReportLayout) throws {
        var generator = SeededGenerator(seed: 14)
        var writer = ReportWriter(layout)
        var written: [[ReportValue]] = []
        for _ in 0..<200 {
            let row = layout.columns.map { Self.value($0.kind, &generator) }
            writer.append(row)
            written.append(row)
        }
        let encoder = try GzipEncoder()
        let table = try ReportTable(try encoder.compress(writer.takeBytes()) + encoder.finish())
        #expect(table.headers == layout.columns.map(\.header))
        #expect(table.rows.count == written.count)
        for (read, row) in zip(table.rows, written) {
            for (value, column) in zip(row, layout.columns) {
                #expect(Self.isEqual(read, value, column), "\(column.header): \(value)")
            }
        }
    }

    private static func value(
        _ kind: ReportLayout.Column.Kind, _ generator: inout SeededGenerator
    ) -> ReportValue {
        guard Int.random(in: 0..<5, using: &generator) > 0 else { return .blank }
        let number = Int64.random(in: -1_000_000_000...1_000_000_000, using: &generator)
        switch kind {
        case .integer: return .integer(number)
        case .decimal: return .amount(Money(milliunits: number, .usd))
        case .date: return .date(PacificDay(number: Int64.random(in: 0..<40_000, using: &generator)))
        case .text(let maximum):
            let alphabet = Array("abcXYZ 019\"'\\,;|äßé日本🇩🇪👩‍👩‍👧")
            let length = Int.random(in: 1...(maximum.map { min($0, 12) } ?? 30), using: &generator)
            var text = "x"
            for _ in 1..<max(length, 2) { text.append(alphabet[Int.random(in: 0..<alphabet.count, using: &generator)]) }
            return .text(text)
        }
    }

    private static func isEqual(_ row: ReportTable.Row, _ value: ReportValue, _ column: ReportLayout.Column) -> Bool {
        switch value {
        case .blank: row[column.header] == ""
        case .integer(let number): row.integer(column.header) == number
        case .amount(let money): row.thousandths(column.header) == money.milliunits
        case .date(let day): row.day(column.header) == day
        case .text(let text):
            // A text that is too long is cut.
            row[column.header].map { text == $0 || text.hasPrefix($0) && column.kind != .text(maximumLength: nil) }
                ?? false
        }
    }

    /// Goal: damaged files end in an error or in a table, never in a crash.
    @Test func `damaged files never crash the reader`() async throws {
        var generator = SeededGenerator(seed: 20_261_122)
        var writer = ReportWriter(.sales1_1)
        for _ in 0..<5 { writer.append(ReportLayout.sales1_1.columns.map { Self.value($0.kind, &generator) }) }
        let text = writer.takeBytes()
        let encoder = try GzipEncoder()
        let compressed = try encoder.compress(text) + encoder.finish()
        var (read, refused) = (0, 0)
        for number in 0..<Self.count {
            if number.isMultiple(of: 500) { await Task.yield() }
            var bytes = number.isMultiple(of: 2) ? text : compressed
            for _ in 0..<Int.random(in: 1...4, using: &generator) {
                let place = Int.random(in: 0..<bytes.count, using: &generator)
                switch Int.random(in: 0..<4, using: &generator) {
                case 0: bytes[place] = UInt8.random(in: 0...255, using: &generator)
                case 1: bytes.remove(at: place)
                case 2: bytes.insert([9, 10, 13, 32, 0xFF][place % 5], at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 40))
                }
                if bytes.isEmpty { bytes = [10] }
            }
            do {
                let table = try ReportTable(bytes)
                for row in table.rows {
                    _ = (row.integer("Units"), row.thousandths("Customer Price"), row.day("End Date"))
                }
                read += 1
            } catch is ReportTableError {
                refused += 1
            }
        }
        #expect(read > Self.count / 40)
        #expect(refused > Self.count / 40)
    }
}
