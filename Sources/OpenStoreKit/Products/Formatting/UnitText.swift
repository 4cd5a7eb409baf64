import Foundation

#if canImport(_FoundationICU)
    private import _FoundationICU
#endif

/// Numbers with units in the words of a language: `3 Monate`, `3 mths`.
enum UnitText {
    /// A unit of time.
    enum Unit: String, Sendable, CaseIterable {
        case year, month, week, day, hour, minute, second
    }

    /// Length of the text.
    enum Width: String, Sendable {
        /// `3 months`
        case full = "full-name"
        /// `3 mths`
        case short
        /// `3mo`
        case narrow
    }

    /// Returns a number with its unit of time.
    static func text(_ count: Int, of unit: Unit, width: Width, locale: Locale) -> String {
        text(Double(count), ofUnit: "duration-\(unit.rawValue)", width: width, locale: locale)
            ?? "\(count) \(unit.rawValue)\(count == 1 ? "" : "s")"
    }

    /// Joins texts with units: `1 day, 2 hours`.
    static func list(_ texts: [String], width: Width, locale: Locale) -> String {
        guard texts.count > 1 else { return texts.first ?? "" }
        return localizedList(texts, width: width, locale: locale) ?? texts.joined(separator: ", ")
    }
}

#if canImport(_FoundationICU)
    extension UnitText {
        /// Returns a number with a unit of CLDR, such as `length-meter`; `nil` for an unknown unit.
        static func text(_ value: Double, ofUnit unit: String, width: Width, locale: Locale) -> String? {
            var status = U_ZERO_ERROR
            let skeleton = Array("measure-unit/\(unit) unit-width-\(width.rawValue)".utf16)
            guard
                let formatter = swift_unumf_openForSkeletonAndLocale(
                    skeleton, Int32(clamping: skeleton.count), locale.identifier, &status)
            else { return nil }
            defer { swift_unumf_close(formatter) }
            guard let result = swift_unumf_openResult(&status) else { return nil }
            defer { swift_unumf_closeResult(result) }
            swift_unumf_formatDouble(formatter, value, result, &status)
            return read(&status) { swift_unumf_resultToString(result, $0, $1, $2) }
        }

        private static func localizedList(_ texts: [String], width: Width, locale: Locale) -> String? {
            var status = U_ZERO_ERROR
            let form: UListFormatterWidth =
                switch width {
                case .full: ULISTFMT_WIDTH_WIDE
                case .short: ULISTFMT_WIDTH_SHORT
                case .narrow: ULISTFMT_WIDTH_NARROW
                }
            guard
                let formatter = swift_ulistfmt_openForType(
                    locale.identifier, ULISTFMT_TYPE_UNITS, form, &status)
            else { return nil }
            defer { swift_ulistfmt_close(formatter) }
            // One buffer with all texts, which pointers refer to.
            let units = texts.flatMap { Array($0.utf16) }
            let lengths = texts.map { Int32(clamping: $0.utf16.count) }
            return units.withUnsafeBufferPointer { buffer in
                guard let base = buffer.baseAddress else { return nil }
                var start = 0
                let pointers: [UnsafePointer<UInt16>?] = lengths.map { length in
                    defer { start += Int(length) }
                    return base + start
                }
                return read(&status) {
                    swift_ulistfmt_format(formatter, pointers, lengths, Int32(clamping: texts.count), $0, $1, $2)
                }
            }
        }

        private static func read(
            _ status: inout UErrorCode,
            _ write: (UnsafeMutablePointer<UInt16>?, Int32, UnsafeMutablePointer<UErrorCode>) -> Int32
        ) -> String? {
            var text = [UInt16](repeating: 0, count: 512)
            let count = write(&text, Int32(clamping: text.count), &status)
            guard status.rawValue <= U_ZERO_ERROR.rawValue, count <= text.count else { return nil }
            return String(decoding: text.prefix(Int(count)), as: UTF16.self)
        }
    }
#else
    extension UnitText {
        /// Returns a number with a unit; `nil` for a unit that this platform's formatter doesn't know.
        static func text(_ value: Double, ofUnit unit: String, width: Width, locale: Locale) -> String? {
            guard let name = unit.split(separator: "-").last.map(String.init), let known = Unit(rawValue: name),
                let count = Int(exactly: value)
            else { return nil }
            let formatter = Foundation.DateComponentsFormatter()
            var calendar = Calendar(identifier: .gregorian)
            calendar.locale = locale
            formatter.calendar = calendar
            formatter.unitsStyle = width == .full ? .full : width == .short ? .short : .abbreviated
            var components = DateComponents()
            switch known {
            case .year: components.year = count
            case .month: components.month = count
            case .week: components.weekOfMonth = count
            case .day: components.day = count
            case .hour: components.hour = count
            case .minute: components.minute = count
            case .second: components.second = count
            }
            return formatter.string(from: components)
        }

        private static func localizedList(_ texts: [String], width: Width, locale: Locale) -> String? {
            let formatter = ListFormatter()
            formatter.locale = locale
            return formatter.string(from: texts)
        }
    }
#endif
