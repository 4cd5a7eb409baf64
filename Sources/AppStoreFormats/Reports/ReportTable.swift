import Perennial

/// A report that was read: Apple's own file or one of this store.
///
/// Columns are found by name, whatever their order and case, because Apple adds columns and changes the case of
/// headers. A cell with a single space is blank.
public struct ReportTable: Sendable {
    /// The most bytes of a file without compression.
    public static let maximumSize = 256 << 20
    /// The most columns.
    public static let maximumColumnCount = 200

    /// The headers in the order of the file.
    public let headers: [String]
    /// The rows below the headers.
    public let rows: [Row]

    private let columns: [String: Int]

    /// A row.
    public struct Row: Sendable {
        /// The cells in the order of the file; a blank cell is empty.
        public let cells: [String]
        fileprivate let columns: [String: Int]

        /// The cell below a header; empty if it is blank, `nil` without such a column.
        public subscript(_ header: String) -> String? {
            columns[ReportTable.key(header)].map { cells[$0] }
        }

        /// Returns the whole number below a header; `nil` for a blank cell and for any other text.
        public func integer(_ header: String) -> Int64? {
            self[header].flatMap(ReportNumber.integer)
        }

        /// Returns the decimal below a header in thousandths, so that `.70` is 700; `nil` for a blank cell, for any
        /// other text and for more than three decimals.
        public func thousandths(_ header: String) -> Int64? { self[header].flatMap(ReportNumber.thousandths) }

        /// Returns the date below a header, in either form of reports; `nil` for any other text.
        package func day(_ header: String) -> PacificDay? {
            guard let text = self[header] else { return nil }
            let parts = text.split(separator: "/", omittingEmptySubsequences: false)
            return parts.count == 3 ? PacificDay("\(parts[2])-\(parts[0])-\(parts[1])") : PacificDay(text)
        }
    }

    /// Reads a file, compressed with gzip or not, with LF or CRLF, with or without a byte order mark.
    ///
    /// - Throws: ``ReportTableError``.
    public init(_ file: [UInt8]) throws {
        var bytes = file[...]
        if bytes.starts(with: [0x1F, 0x8B]) {
            do {
                bytes = try Gzip.decompress(file, limit: Self.maximumSize)[...]
            } catch let error as GzipError {
                throw ReportTableError(error == .tooLarge ? .tooLarge : .damaged, line: 0)
            }
        }
        guard bytes.count <= Self.maximumSize else { throw ReportTableError(.tooLarge, line: 0) }
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { bytes = bytes.dropFirst(3) }
        var lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)[...]
        guard let first = lines.popFirst(), first.contains(where: { $0 > 32 }) else {
            throw ReportTableError(.noHeaders, line: 1)
        }
        headers = try Self.cells(of: first, line: 1)
        guard headers.count <= Self.maximumColumnCount else { throw ReportTableError(.tooManyColumns, line: 1) }
        columns = Dictionary(headers.enumerated().map { (Self.key($0.element), $0.offset) }) { first, _ in first }
        var rows: [Row] = []
        for (index, line) in lines.enumerated() where line.contains(where: { $0 > 32 }) {
            var cells = try Self.cells(of: line, line: index + 2)
            // Files of 2010 end each row with a blank cell more.
            while cells.count > headers.count, cells.last == "" { cells.removeLast() }
            guard cells.count == headers.count else { throw ReportTableError(.wrongCellCount, line: index + 2) }
            rows.append(Row(cells: cells, columns: columns))
        }
        self.rows = rows
    }

    /// Returns true if the file has a column, by its header in any case.
    public func hasColumn(_ header: String) -> Bool { columns[Self.key(header)] != nil }

    private static func cells(of line: ArraySlice<UInt8>, line number: Int) throws -> [String] {
        let line = line.last == UInt8(ascii: "\r") ? line.dropLast() : line
        return try line.split(separator: UInt8(ascii: "\t"), omittingEmptySubsequences: false).map { cell in
            guard let text = String(validating: cell, as: UTF8.self) else {
                throw ReportTableError(.notUTF8, line: number)
            }
            return text == " " ? "" : text
        }
    }

    private static func key(_ header: String) -> String {
        String(header.lowercased().drop { $0 == " " }.reversed().drop { $0 == " " }.reversed())
    }
}

/// The reason that a file can't be read as a report.
public struct ReportTableError: Error, Hashable, CustomStringConvertible {
    /// The kinds of errors.
    public enum Code: String, Sendable {
        /// The compressed data is damaged or incomplete.
        case damaged
        /// The file is larger than ``ReportTable/maximumSize``.
        case tooLarge
        /// The first row is empty.
        case noHeaders
        /// The file has more columns than ``ReportTable/maximumColumnCount``.
        case tooManyColumns
        /// A row has more or fewer cells than there are headers.
        case wrongCellCount
        /// A cell isn't UTF-8.
        case notUTF8
    }

    /// The kind of error.
    public let code: Code
    /// The number of the line, from 1; 0 for the whole file.
    public let line: Int

    init(_ code: Code, line: Int) {
        self.code = code
        self.line = line
    }

    /// The error in a sentence.
    public var description: String {
        let place = line > 0 ? "line \(line): " : ""
        return switch code {
        case .damaged: "\(place)the compressed data is damaged or incomplete"
        case .tooLarge: "\(place)a report has at most \(ReportTable.maximumSize) bytes"
        case .noHeaders: "\(place)the first row has no column names"
        case .tooManyColumns: "\(place)a report has at most \(ReportTable.maximumColumnCount) columns"
        case .wrongCellCount: "\(place)the row has another number of cells than there are column names"
        case .notUTF8: "\(place)the text isn't UTF-8"
        }
    }
}

/// Reads the numbers of reports.
enum ReportNumber {
    /// Returns a whole number such as `12`, `-3` or `1.00`; `nil` for any other text.
    static func integer(_ text: String) -> Int64? {
        let digits = text.hasPrefix("-") ? text.dropFirst() : text[...]
        if digits.utf8.count <= 18, !digits.isEmpty, digits.utf8.allSatisfy({ (48...57).contains($0) }) {
            return Int64(text)
        }
        return thousandths(text).flatMap { $0 % 1000 == 0 ? $0 / 1000 : nil }
    }

    /// Returns a decimal such as `1.4`, `.70` or `-12` in thousandths; `nil` for any other text.
    static func thousandths(_ text: String) -> Int64? {
        var digits = Substring(text)
        let isNegative = digits.first == "-"
        if isNegative { digits = digits.dropFirst() }
        let parts = digits.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
        let (whole, fraction) = (parts.first ?? "", parts.count == 2 ? parts[1] : "")
        guard whole.utf8.count <= 15, !(whole.isEmpty && fraction.isEmpty),
            whole.utf8.allSatisfy({ (48...57).contains($0) }), fraction.utf8.allSatisfy({ (48...57).contains($0) }),
            fraction.utf8.dropFirst(3).allSatisfy({ $0 == UInt8(ascii: "0") })
        else { return nil }
        var value = Int64(whole) ?? 0
        var digit = fraction.utf8.makeIterator()
        for _ in 0..<3 { value = value * 10 + Int64((digit.next() ?? 48) - 48) }
        return isNegative ? -value : value
    }
}
