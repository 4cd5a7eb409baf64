import Foundation

extension Product.SubscriptionPeriod.Unit {
    /// Formats a unit as its name, such as `month`.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionPeriod.Unit.FormatStyle".
    public struct FormatStyle: Foundation.FormatStyle {
        public typealias FormatInput = Product.SubscriptionPeriod.Unit
        public typealias FormatOutput = String

        private var locale: Locale

        init(locale: Locale) {
            self.locale = locale
        }

        /// Returns the name of a unit.
        public func format(_ value: Product.SubscriptionPeriod.Unit) -> String {
            UnitName.name(of: value, in: locale)
        }

        /// Returns the style with another locale.
        public func locale(_ locale: Locale) -> Product.SubscriptionPeriod.Unit.FormatStyle {
            FormatStyle(locale: locale)
        }
    }

    /// Formats the unit.
    public func formatted<S>(_ format: S) -> S.FormatOutput
    where S: Foundation.FormatStyle, S.FormatInput == Product.SubscriptionPeriod.Unit {
        format.format(self)
    }
}

/// Names of the units of calendar time, which Foundation on Linux doesn't offer by themselves.
enum UnitName {
    /// Returns the name of a unit, such as `month`, in the language of a locale.
    static func name(of unit: Product.SubscriptionPeriod.Unit, in locale: Locale) -> String {
        let one = UnitText.text(1, of: unit.textUnit, width: .full, locale: locale)
        let name = one.filter { !$0.isNumber }.trimmingCharacters(in: .whitespaces)
        // Languages with a word for "one" of a unit have no number in it.
        return name.isEmpty ? one : name
    }
}

extension Product.SubscriptionPeriod.Unit {
    /// The unit of ``UnitText``.
    var textUnit: UnitText.Unit {
        switch self {
        case .day: .day
        case .week: .week
        case .month: .month
        case .year: .year
        }
    }
}
