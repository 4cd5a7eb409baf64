extension Instant {
    /// Formats the instant as `2026-11-21T03:28:53Z`, with milliseconds if it has any and `fraction` asks for them.
    package func rfc3339(fraction: Bool = false) -> String {
        let (date, millisecondOfDay) = civil
        var text = [UInt8]()
        text.reserveCapacity(24)
        text.appendDecimal(date.year, digits: 4)
        text.append(UInt8(ascii: "-"))
        text.appendDecimal(date.month, digits: 2)
        text.append(UInt8(ascii: "-"))
        text.appendDecimal(date.day, digits: 2)
        text.append(UInt8(ascii: "T"))
        text.appendTime(millisecondOfDay)
        if fraction, millisecondOfDay % 1000 != 0 {
            text.append(UInt8(ascii: "."))
            text.appendDecimal(Int(millisecondOfDay % 1000), digits: 3)
        }
        text.append(UInt8(ascii: "Z"))
        return String(decoding: text, as: UTF8.self)
    }

    /// Parses an RFC 3339 time in UTC or with an offset, with or without a fraction, which is truncated to
    /// milliseconds; `nil` if it is malformed.
    package init?(rfc3339 text: some StringProtocol) {
        let bytes = Array(text.utf8)
        guard bytes.count >= 20, bytes.count <= 40, bytes[4] == UInt8(ascii: "-"), bytes[7] == UInt8(ascii: "-"),
            bytes[10] == UInt8(ascii: "T") || bytes[10] == UInt8(ascii: "t"), bytes[13] == UInt8(ascii: ":"),
            bytes[16] == UInt8(ascii: ":"),
            let year = bytes.decimal(0..<4), let month = bytes.decimal(5..<7), let day = bytes.decimal(8..<10),
            let hour = bytes.decimal(11..<13), let minute = bytes.decimal(14..<16), let second = bytes.decimal(17..<19),
            (1...12).contains(month), day >= 1, day <= CivilDate.days(inMonth: month, of: year), hour < 24, minute < 60,
            second < 61
        else { return nil }
        var position = 19
        var millisecond = 0
        if bytes[position] == UInt8(ascii: ".") {
            let start = position + 1
            var end = start
            while end < bytes.count, (48...57).contains(bytes[end]) { end += 1 }
            guard end > start, end < bytes.count else { return nil }
            for offset in 0..<3 {
                millisecond = millisecond * 10 + (start + offset < end ? Int(bytes[start + offset] - 48) : 0)
            }
            position = end
        }
        var offsetMinutes = 0
        switch bytes[position] {
        case UInt8(ascii: "Z"), UInt8(ascii: "z"):
            guard bytes.count == position + 1 else { return nil }
        case UInt8(ascii: "+"), UInt8(ascii: "-"):
            guard bytes.count == position + 6, bytes[position + 3] == UInt8(ascii: ":"),
                let hours = bytes.decimal(position + 1..<position + 3),
                let minutes = bytes.decimal(position + 4..<position + 6), hours < 24, minutes < 60
            else { return nil }
            offsetMinutes = (hours * 60 + minutes) * (bytes[position] == UInt8(ascii: "-") ? -1 : 1)
        default: return nil
        }
        let ofDay = Int64(((hour * 60 + minute - offsetMinutes) * 60 + second) * 1000 + millisecond)
        self.init(milliseconds: CivilDate(year: year, month: month, day: day).daysSince1970 * 86_400_000 + ofDay)
    }
}

extension [UInt8] {
    /// Appends a non-negative number, with leading zeros up to `digits`.
    package mutating func appendDecimal(_ number: Int, digits: Int) {
        var divisor = 1
        for _ in 1..<digits { divisor *= 10 }
        var rest = number
        while divisor > 0 {
            append(UInt8(truncatingIfNeeded: 48 + rest / divisor % 10))
            rest %= divisor
            divisor /= 10
        }
    }

    /// Appends `hh:mm:ss`.
    package mutating func appendTime(_ millisecondOfDay: Int64) {
        let second = Int(millisecondOfDay / 1000)
        appendDecimal(second / 3600, digits: 2)
        append(UInt8(ascii: ":"))
        appendDecimal(second / 60 % 60, digits: 2)
        append(UInt8(ascii: ":"))
        appendDecimal(second % 60, digits: 2)
    }

    fileprivate func decimal(_ range: Range<Int>) -> Int? {
        var number = 0
        for byte in self[range] {
            guard (48...57).contains(byte) else { return nil }
            number = number * 10 + Int(byte - 48)
        }
        return number
    }
}
