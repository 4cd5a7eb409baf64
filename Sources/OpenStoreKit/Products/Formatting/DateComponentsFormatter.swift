#if !canImport(Darwin)
    import Foundation
    import Synchronization

    /// Formats durations, such as the period of a subscription: `3 months`, `1:30`.
    ///
    /// Foundation declares this class on all platforms, but has it on Apple's only.
    ///
    /// Writes components of allowed units as they are, and converts others with the calendar from the reference date.
    ///
    /// Source: Apple, Foundation documentation, "DateComponentsFormatter".
    open class DateComponentsFormatter: Formatter, @unchecked Sendable {
        /// Form of the units' names.
        public enum UnitsStyle: Int, Sendable {
            /// `1:30`
            case positional = 0
            /// `1h 30m`
            case abbreviated = 1
            /// `1 hr, 30 min`
            case short = 2
            /// `1 hour, 30 minutes`
            case full = 3
            /// `one hour, thirty minutes`
            case spellOut = 4
            /// `1hr 30min`
            case brief = 5
        }

        /// Treatment of units with the value 0.
        public struct ZeroFormattingBehavior: OptionSet, Sendable {
            public let rawValue: UInt

            public init(rawValue: UInt) {
                self.rawValue = rawValue
            }

            /// Drops leading zeros and pads the others in the positional style; drops all in other styles.
            public static let `default` = ZeroFormattingBehavior(rawValue: 1 << 0)
            public static let dropLeading = ZeroFormattingBehavior(rawValue: 1 << 1)
            public static let dropMiddle = ZeroFormattingBehavior(rawValue: 1 << 2)
            public static let dropTrailing = ZeroFormattingBehavior(rawValue: 1 << 3)
            public static let dropAll: ZeroFormattingBehavior = [.dropLeading, .dropMiddle, .dropTrailing]
            public static let pad = ZeroFormattingBehavior(rawValue: 1 << 16)
        }

        private let settings = Mutex(DurationText())

        /// Form of the units' names; `positional` at first.
        open var unitsStyle: UnitsStyle {
            get { settings.withLock { $0.style } }
            set { settings.withLock { $0.style = newValue } }
        }

        /// Units of the text; empty for all from years to seconds.
        open var allowedUnits: NSCalendar.Unit {
            get { settings.withLock { $0.allowedUnits } }
            set { settings.withLock { $0.allowedUnits = newValue } }
        }

        /// Treatment of units with the value 0.
        open var zeroFormattingBehavior: ZeroFormattingBehavior {
            get { settings.withLock { $0.zeros } }
            set { settings.withLock { $0.zeros = newValue } }
        }

        /// Calendar for conversions, whose locale is that of the text.
        open var calendar: Calendar? {
            get { settings.withLock { $0.calendar } }
            set { settings.withLock { $0.calendar = newValue } }
        }

        /// Start of conversions; `nil` for the reference date of Foundation.
        open var referenceDate: Date? {
            get { settings.withLock { $0.referenceDate } }
            set { settings.withLock { $0.referenceDate = newValue } }
        }

        /// Maximum number of units, the largest first; 0 for no limit.
        open var maximumUnitCount: Int {
            get { settings.withLock { $0.maximumUnitCount } }
            set { settings.withLock { $0.maximumUnitCount = newValue } }
        }

        /// True to express the largest unit in the next smaller one if it is 1: `63 seconds`.
        open var collapsesLargestUnit: Bool {
            get { settings.withLock { $0.collapsesLargestUnit } }
            set { settings.withLock { $0.collapsesLargestUnit = newValue } }
        }

        /// Returns the text of components; `nil` without a value.
        open func string(from components: DateComponents) -> String? {
            settings.withLock { $0 }.text(components)
        }

        /// Returns the text of a number of seconds.
        open func string(from interval: TimeInterval) -> String? {
            let text = settings.withLock { $0 }
            let start = text.start
            return text.text(from: start, to: start.addingTimeInterval(interval))
        }

        /// Returns the text of the time between two dates.
        open func string(from startDate: Date, to endDate: Date) -> String? {
            settings.withLock { $0 }.text(from: startDate, to: endDate)
        }

        open override func string(for object: Any?) -> String? {
            (object as? DateComponents).flatMap { string(from: $0) }
        }

        /// Returns the text of components in a style.
        open class func localizedString(from components: DateComponents, unitsStyle: UnitsStyle) -> String? {
            let formatter = DateComponentsFormatter()
            formatter.unitsStyle = unitsStyle
            return formatter.string(from: components)
        }
    }
#endif
