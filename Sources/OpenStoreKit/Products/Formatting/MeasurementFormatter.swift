#if !canImport(Darwin)
    import Foundation
    import Synchronization

    /// Formats numbers with units: `3 hr`, `5 km`.
    ///
    /// Foundation declares this class on all platforms, but has it on Apple's only. Writes the unit that is given, and doesn't convert
    /// it to a locale's own units.
    ///
    /// Source: Apple, Foundation documentation, "MeasurementFormatter".
    open class MeasurementFormatter: Formatter, @unchecked Sendable {
        private struct Settings {
            var style = UnitStyle.medium
            var locale = Locale.current
        }

        private let settings = Mutex(Settings())

        /// Form of the units' names; `medium` at first.
        open var unitStyle: UnitStyle {
            get { settings.withLock { $0.style } }
            set { settings.withLock { $0.style = newValue } }
        }

        /// Locale of the text.
        open var locale: Locale! {
            get { settings.withLock { $0.locale } }
            set { settings.withLock { $0.locale = newValue ?? .current } }
        }

        /// Form of a unit's name.
        public enum UnitStyle: Int, Sendable {
            case short = 1
            case medium = 2
            case long = 3
        }

        /// Returns the text of a measurement.
        open func string<UnitType: Unit>(from measurement: Measurement<UnitType>) -> String {
            let settings = settings.withLock { $0 }
            let width: UnitText.Width =
                switch settings.style {
                case .short: .narrow
                case .medium: .short
                case .long: .full
                }
            if let unit = Self.units[measurement.unit.symbol],
                let text = UnitText.text(measurement.value, ofUnit: unit, width: width, locale: settings.locale)
            {
                return text
            }
            let numbers = NumberFormatter()
            numbers.locale = settings.locale
            numbers.numberStyle = .decimal
            let number = numbers.string(from: NSNumber(value: measurement.value)) ?? "\(measurement.value)"
            return "\(number) \(measurement.unit.symbol)"
        }

        /// Units of CLDR by Foundation's symbols; others are written with their symbol.
        private static let units = [
            "s": "duration-second", "min": "duration-minute", "hr": "duration-hour", "h": "duration-hour",
            "m": "length-meter",
            "km": "length-kilometer", "cm": "length-centimeter", "mm": "length-millimeter", "mi": "length-mile",
            "ft": "length-foot", "in": "length-inch", "g": "mass-gram", "kg": "mass-kilogram", "lb": "mass-pound",
            "oz": "mass-ounce", "L": "volume-liter", "mL": "volume-milliliter", "°C": "temperature-celsius",
            "°F": "temperature-fahrenheit", "B": "digital-byte", "kB": "digital-kilobyte", "MB": "digital-megabyte",
            "GB": "digital-gigabyte",
        ]
    }
#endif
