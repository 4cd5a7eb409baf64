#if !canImport(Darwin)
    import Foundation

    /// The text of a duration, by the settings of a ``DateComponentsFormatter``.
    struct DurationText: Sendable {
        var style = DateComponentsFormatter.UnitsStyle.positional
        var allowedUnits: NSCalendar.Unit = []
        var zeros = DateComponentsFormatter.ZeroFormattingBehavior.default
        var calendar: Calendar?
        var referenceDate: Date?
        var maximumUnitCount = 0
        var collapsesLargestUnit = false

        private typealias Part = (unit: UnitText.Unit, value: Int)

        private static let units: [(UnitText.Unit, NSCalendar.Unit, Calendar.Component)] = [
            (.year, .year, .year), (.month, .month, .month), (.week, .weekOfMonth, .weekOfMonth), (.day, .day, .day),
            (.hour, .hour, .hour), (.minute, .minute, .minute), (.second, .second, .second),
        ]

        private var usedUnits: [(UnitText.Unit, NSCalendar.Unit, Calendar.Component)] {
            allowedUnits.isEmpty ? Self.units : Self.units.filter { allowedUnits.contains($0.1) }
        }

        private var usedCalendar: Calendar { calendar ?? .current }
        private var locale: Locale { calendar?.locale ?? .current }
        var start: Date { referenceDate ?? Date(timeIntervalSinceReferenceDate: 0) }

        // MARK: Text

        func text(_ components: DateComponents) -> String? {
            let given = Self.units.compactMap { unit, flag, component in
                components.value(for: component).map { (unit: unit, flag: flag, value: $0) }
            }
            guard !given.isEmpty else { return nil }
            let used = usedUnits.map(\.0)
            guard given.allSatisfy({ used.contains($0.unit) || $0.value == 0 }) else {
                guard let end = usedCalendar.date(byAdding: components, to: start) else { return nil }
                return text(from: start, to: end)
            }
            return text(given.filter { used.contains($0.unit) }.map { ($0.unit, $0.value) })
        }

        func text(from start: Date, to end: Date) -> String? {
            let used = usedUnits
            let difference = usedCalendar.dateComponents(Set(used.map(\.2)), from: start, to: end)
            return text(used.map { ($0.0, difference.value(for: $0.2) ?? 0) })
        }

        private func text(_ parts: [Part]) -> String? {
            guard let smallest = parts.last else { return nil }
            var shown = collapsed(withoutZeros(parts))
            if shown.isEmpty { shown = [smallest] }
            if maximumUnitCount > 0 { shown = Array(shown.prefix(maximumUnitCount)) }
            let texts = shown.enumerated().map { text($1, isFirst: $0 == 0) }
            switch style {
            case .positional: return texts.joined(separator: ":")
            case .abbreviated, .brief: return texts.joined(separator: " ")
            case .short: return UnitText.list(texts, width: .short, locale: locale)
            case .full, .spellOut: return UnitText.list(texts, width: .full, locale: locale)
            }
        }

        private func text(_ part: Part, isFirst: Bool) -> String {
            switch style {
            case .positional:
                let pads = zeros.contains(.pad) || (zeros.contains(.default) && !isFirst)
                let digits = number(part.value, .none)
                return pads && part.value >= 0 && part.value < 10 ? number(0, .none) + digits : digits
            case .abbreviated: return UnitText.text(part.value, of: part.unit, width: .narrow, locale: locale)
            case .brief:
                return UnitText.text(part.value, of: part.unit, width: .short, locale: locale)
                    .replacingOccurrences(of: " ", with: "")
            case .short: return UnitText.text(part.value, of: part.unit, width: .short, locale: locale)
            case .full: return UnitText.text(part.value, of: part.unit, width: .full, locale: locale)
            case .spellOut:
                return UnitText.text(part.value, of: part.unit, width: .full, locale: locale)
                    .replacingOccurrences(of: number(part.value, .decimal), with: number(part.value, .spellOut))
            }
        }

        private func number(_ value: Int, _ style: NumberFormatter.Style) -> String {
            let formatter = NumberFormatter()
            formatter.locale = locale
            formatter.numberStyle = style
            return formatter.string(from: NSNumber(value: value)) ?? "\(value)"
        }

        // MARK: Units

        private func withoutZeros(_ parts: [Part]) -> [Part] {
            let isPositional = style == .positional
            let dropsLeading = zeros.contains(.dropLeading) || zeros.contains(.default)
            let dropsMiddle = zeros.contains(.dropMiddle) || (zeros.contains(.default) && !isPositional)
            let dropsTrailing = zeros.contains(.dropTrailing) || (zeros.contains(.default) && !isPositional)
            let first = parts.firstIndex { $0.value != 0 } ?? parts.count - 1
            let last = parts.lastIndex { $0.value != 0 } ?? parts.count - 1
            return parts.enumerated().filter { index, part in
                if part.value != 0 { return true }
                if index < first { return !dropsLeading }
                if index > last { return !dropsTrailing }
                return index == first || !dropsMiddle
            }.map(\.element)
        }

        /// Adds a largest unit of 1 to the next smaller one, as `63 seconds` for a minute and three seconds.
        private func collapsed(_ parts: [Part]) -> [Part] {
            guard collapsesLargestUnit, parts.count > 1, parts[0].value == 1,
                let factor = Self.factor(parts[0].unit, parts[1].unit)
            else { return parts }
            var rest = Array(parts.dropFirst())
            rest[0].value += factor
            return rest
        }

        private static func factor(_ large: UnitText.Unit, _ small: UnitText.Unit) -> Int? {
            switch (large, small) {
            case (.minute, .second), (.hour, .minute): 60
            case (.day, .hour): 24
            case (.week, .day): 7
            case (.year, .month): 12
            default: nil
            }
        }
    }
#endif
