import Perennial

/// A cell of a report.
package enum ReportValue: Hashable, Sendable {
    /// An empty cell, which is written as a single space.
    case blank
    case text(String)
    case integer(Int64)
    /// An amount, whose currency stands in another column.
    case amount(Money)
    case date(PacificDay)

    /// Creates a text, or a blank cell for `nil`.
    package init(_ text: String?) {
        self = text.map { .text($0) } ?? .blank
    }

    /// Creates a number, or a blank cell for `nil`.
    package init(_ number: Int64?) {
        self = number.map { .integer($0) } ?? .blank
    }

    /// Creates `Yes`, or a blank cell.
    package init(_ flag: Bool) {
        self = flag ? .text("Yes") : .blank
    }
}

extension ReportValue {
    /// Appends the cell's bytes.
    func append(to bytes: inout [UInt8], in column: ReportLayout.Column, _ dateForm: ReportLayout.DateForm) {
        switch self {
        case .blank: bytes.append(UInt8(ascii: " "))
        case .integer(let number): bytes.append(contentsOf: String(number).utf8)
        case .amount(let money): Self.append(milliunits: money.milliunits, to: &bytes)
        case .date(let day): Self.append(day.date, dateForm, to: &bytes)
        case .text(let text):
            var limit = Int.max
            if case .text(let maximum?) = column.kind { limit = maximum }
            Self.append(text, limit: limit, to: &bytes)
        }
    }

    /// Appends a decimal with two digits after the dot. A third one appears only if it isn't zero, so that no amount
    /// loses a part.
    private static func append(milliunits: Int64, to bytes: inout [UInt8]) {
        if milliunits < 0 { bytes.append(UInt8(ascii: "-")) }
        let (units, thousandths) = milliunits.magnitude.quotientAndRemainder(dividingBy: 1000)
        bytes.append(contentsOf: String(units).utf8)
        bytes.append(UInt8(ascii: "."))
        let fraction = Int(truncatingIfNeeded: thousandths)
        if fraction % 10 == 0 {
            bytes.appendDecimal(fraction / 10, digits: 2)
        } else {
            bytes.appendDecimal(fraction, digits: 3)
        }
    }

    private static func append(_ date: CivilDate, _ form: ReportLayout.DateForm, to bytes: inout [UInt8]) {
        switch form {
        case .monthDayYear:
            bytes.appendDecimal(date.month, digits: 2)
            bytes.append(UInt8(ascii: "/"))
            bytes.appendDecimal(date.day, digits: 2)
            bytes.append(UInt8(ascii: "/"))
            bytes.appendDecimal(date.year, digits: 4)
        case .yearMonthDay:
            bytes.appendDecimal(date.year, digits: 4)
            bytes.append(UInt8(ascii: "-"))
            bytes.appendDecimal(date.month, digits: 2)
            bytes.append(UInt8(ascii: "-"))
            bytes.appendDecimal(date.day, digits: 2)
        }
    }

    /// Appends a text of at most `limit` characters (Unicode scalars), with a space for each tab, line break and
    /// control character: a file has no quotes, so these would begin another cell.
    private static func append(_ text: String, limit: Int, to bytes: inout [UInt8]) {
        if !text.isEmpty, text.utf8.count <= limit, text.utf8.allSatisfy({ (32...126).contains($0) }) {
            bytes.append(contentsOf: text.utf8)
            return
        }
        var length = 0
        for character in text {
            let scalars = character.unicodeScalars
            let isBreak = scalars.contains { scalar in
                switch scalar.properties.generalCategory {
                case .control, .lineSeparator, .paragraphSeparator: true
                default: false
                }
            }
            length += isBreak ? 1 : scalars.count
            guard length <= limit else { break }
            if isBreak {
                bytes.append(UInt8(ascii: " "))
            } else {
                bytes.append(contentsOf: character.utf8)
            }
        }
        if text.isEmpty { bytes.append(UInt8(ascii: " ")) }
    }
}
