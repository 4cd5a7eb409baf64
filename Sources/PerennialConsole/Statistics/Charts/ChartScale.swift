import Perennial

/// The unit of a chart's amounts.
enum ChartUnit: Sendable, Hashable {
    case count
    /// Amounts in thousandths of the currency's unit.
    case money(Currency)
    /// Amounts in hundredths of a percent.
    case percent

    func text(_ amount: Int64) -> Text {
        switch self {
        case .count: .number(amount)
        case .money(let currency): .money(Money(milliunits: amount, currency))
        case .percent: .percent(Double(amount) / 10_000)
        }
    }
}

/// The place of amounts on the vertical axis: from a round number below the least, or 0, to one above the greatest.
struct ChartScale: Sendable {
    let lowest: Double
    let highest: Double

    /// - Parameter amounts: All that is drawn; 0 is always within the scale.
    init(_ amounts: some Sequence<Double>) {
        var (least, most) = (0.0, 0.0)
        for amount in amounts { (least, most) = (min(least, amount), max(most, amount)) }
        lowest = -Self.round(-least)
        highest = most == 0 && least == 0 ? 1 : Self.round(most)
    }

    /// Returns the share of the height at which an amount stands: 0 at the bottom, 1 at the top.
    func share(_ amount: Double) -> Double {
        let share = (amount - lowest) / (highest - lowest)
        return min(max(share, 0), 1)
    }

    /// Returns the least number of one digit, times a power of ten, that isn't below an amount; 0 of nothing.
    private static func round(_ amount: Double) -> Double {
        guard amount > 0 else { return 0 }
        var power = 1.0
        while power * 10 <= amount { power *= 10 }
        return power * ([1.0, 2, 3, 4, 5, 6, 8, 10].first { $0 * power >= amount } ?? 10)
    }
}

/// Writes SVG: attributes and text are escaped, coordinates have one decimal.
struct SVGWriter {
    private(set) var text = ""

    mutating func raw(_ markup: String) { text += markup }

    /// Appends an element with text in it; the text is escaped.
    mutating func element(_ name: String, _ attributes: KeyValuePairs<String, String>, _ content: String? = nil) {
        text += "<\(name)"
        for (name, value) in attributes { text += " \(name)=\"\(Self.escaped(value))\"" }
        if let content { text += ">\(Self.escaped(content))</\(name)>" } else { text += "/>" }
    }

    static func escaped(_ text: String) -> String {
        var escaped = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": escaped += "&amp;"
            case "<": escaped += "&lt;"
            case ">": escaped += "&gt;"
            case "\"": escaped += "&quot;"
            case "'": escaped += "&#39;"
            // Control characters aren't allowed in XML.
            case "\u{0}"..<" ": escaped += " "
            default: escaped.unicodeScalars.append(scalar)
            }
        }
        return escaped
    }

    /// Returns a coordinate: `12`, `12.5`.
    static func number(_ value: Double) -> String {
        let tenths = Int64(clamping: Int((value * 10).rounded()))
        let (whole, rest) = tenths.magnitude.quotientAndRemainder(dividingBy: 10)
        return (tenths < 0 ? "-" : "") + (rest == 0 ? "\(whole)" : "\(whole).\(rest)")
    }
}
