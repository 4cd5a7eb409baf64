extension Period {
    /// Numbers that are calendar years, not counts.
    private static let calendarYears = 1900...2099

    /// Parses the term in a product ID; `nil` if it has none. docs/reference/catalog.md has the rule for sellers.
    ///
    /// The term is the last component of the ID (components are separated by `.`, `_` or `-`) that reads as one: an
    /// ISO 8601 duration (`P3M`); a number with a unit (`1week`, `30days`, `6mo`), also in two neighbouring
    /// components (`6.months`); or one of the words `weekly`, `monthly`, `quarterly`, `yearly` and `annual`. At the
    /// very end of the ID the number and the unit may follow other letters (`pass6months`) if the unit is written out
    /// and agrees with its number, unlike in a name such as `covid19day`.
    package init?(inProductID id: Product.ID) {
        let components = id.rawValue.split { $0 == "." || $0 == "_" || $0 == "-" }.map { $0.lowercased() }
        for index in components.indices.reversed() {
            let isLast = index == components.endIndex - 1
            let said =
                Self.parseComponent(components[index], isLast: isLast)
                ?? (index > components.startIndex ? Self.parsePair(components[index - 1], components[index]) : nil)
                ?? (isLast ? Self.parseSuffix(of: components[index]) : nil)
            if let said {
                self = said
                return
            }
        }
        return nil
    }

    private static func parseComponent(_ component: String, isLast: Bool) -> Period? {
        if let period = Period(iso8601: component.uppercased()) { return period }
        switch component {
        case "weekly": return .week
        case "monthly": return .month
        case "quarterly": return Period(3, .month)
        case "yearly", "annual", "annually": return .year
        default: break
        }
        let digits = component.prefix { $0.isASCII && $0.isNumber }
        let unit = String(component.dropFirst(digits.count))
        // `2d` and `3d` usually mean dimensions, not days.
        guard unit.count > 1 || isLast && !["2d", "3d"].contains(component) else { return nil }
        return span(digits, TermUnit(unit))
    }

    private static func parsePair(_ number: String, _ unit: String) -> Period? {
        unit.count > 1 ? span(number, TermUnit(unit)) : nil
    }

    private static func parseSuffix(of component: String) -> Period? {
        let letters = component.reversed().prefix { $0.isASCII && $0.isLetter }
        let digits = component.dropLast(letters.count).reversed().prefix { $0.isASCII && $0.isNumber }
        let (number, unit) = (String(digits.reversed()), String(letters.reversed()))
        let isAgreeing = (number == "1") == !unit.hasSuffix("s")
        guard isAgreeing, TermUnit.writtenOut.contains(unit) else { return nil }
        return span(number, TermUnit(unit))
    }

    private static func span(_ digits: some StringProtocol, _ unit: TermUnit?) -> Period? {
        guard let unit, digits.count <= 4, digits.allSatisfy({ $0.isASCII && $0.isNumber }),
            let count = Int(digits), count > 0, !calendarYears.contains(count)
        else { return nil }
        return Period(count * unit.factor, unit.unit)
    }
}

/// The units of terms in product IDs.
private struct TermUnit {
    let unit: Period.Unit
    let factor: Int

    static let writtenOut: Set<String> = [
        "day", "days", "week", "weeks", "month", "months", "quarter", "quarters", "year", "years",
    ]

    init?(_ text: String) {
        (unit, factor) =
            switch text {
            case "d", "day", "days": (.day, 1)
            case "w", "wk", "week", "weeks": (.week, 1)
            case "m", "mo", "mon", "month", "months": (.month, 1)
            case "quarter", "quarters": (.month, 3)
            case "y", "yr", "year", "years": (.year, 1)
            default: (.day, 0)
            }
        if factor == 0 { return nil }
    }
}
