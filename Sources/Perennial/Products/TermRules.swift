/// The term of a non-renewing subscription, which the store doesn't know: inferred from its product ID.
///
/// App Store products of this type carry no duration; sellers write it into the ID. The rule, in this order:
/// 1. a term that the seller's configuration gives for exactly this ID;
/// 2. the last component of the ID (components are separated by `.`, `_` or `-`) that reads as a term: an ISO 8601
///    duration (`P3M`), or a number with a unit (`1week`, `30days`, `6months`, `1yr`), or one of the words `weekly`,
///    `monthly`, `quarterly`, `yearly` and `annual`; a number and a unit may also stand in two neighbouring components
///    (`pass.6.months`).
package struct TermRules: Hashable, Sendable, Codable {
    /// Terms by product ID, from the seller's configuration.
    package var configured: [Product.ID: Period]

    package init(configured: [Product.ID: Period] = [:]) {
        self.configured = configured
    }

    /// The term of a product, or `nil` where neither configuration nor ID says one.
    package func term(of id: Product.ID) -> Period? {
        if let period = configured[id] { return period }
        let components = id.rawValue.split { $0 == "." || $0 == "_" || $0 == "-" }.map { $0.lowercased() }
        for index in components.indices.reversed() {
            if let period = Self.period(of: components[index]) { return period }
            if index > components.startIndex, let unit = Self.unit(of: components[index]),
                let count = Self.count(of: components[index - 1])
            {
                return Period(count * unit.factor, unit.unit)
            }
        }
        return nil
    }

    private static func period(of component: String) -> Period? {
        if let period = Period(iso8601: component.uppercased()) { return period }
        switch component {
        case "weekly": return .week
        case "monthly": return .month
        case "quarterly": return Period(3, .month)
        case "yearly", "annual", "annually": return .year
        default: break
        }
        let digits = component.prefix { $0.isASCII && $0.isNumber }
        guard let count = count(of: String(digits)), let unit = unit(of: String(component.dropFirst(digits.count)))
        else { return nil }
        return Period(count * unit.factor, unit.unit)
    }

    private static func count(of text: String) -> Int? {
        guard text.count <= 4, let count = Int(text), count > 0 else { return nil }
        return count
    }

    private static func unit(of text: String) -> (unit: Period.Unit, factor: Int)? {
        switch text {
        case "d", "day", "days": (.day, 1)
        case "w", "wk", "week", "weeks": (.week, 1)
        case "m", "mo", "mon", "month", "months": (.month, 1)
        case "quarter", "quarters": (.month, 3)
        case "y", "yr", "year", "years": (.year, 1)
        default: nil
        }
    }
}
