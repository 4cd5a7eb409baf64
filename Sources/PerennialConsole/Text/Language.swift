/// A language of the console: those of the mission's documents.
package enum Language: String, CaseIterable, Sendable {
    case english = "en"
    case french = "fr"
    case portuguese = "pt"
    case chinese = "zh-Hant"
    case german = "de"

    /// Chooses the language that a browser prefers among ours (RFC 9110, section 12.5.4); English if it names none of them.
    ///
    /// - Parameter acceptLanguage: The field `Accept-Language`.
    package init(acceptLanguage: String?) {
        let ranges = (acceptLanguage ?? "").prefix(1_000).split(separator: ",").prefix(50)
        let preferred = ranges.enumerated().compactMap { position, range -> (Language, Double, Int)? in
            let parts = range.split(separator: ";").map { $0.drop { $0 == " " } }
            guard let name = parts.first, let language = Language(tag: String(name)) else { return nil }
            let quality = parts.dropFirst().first { $0.hasPrefix("q=") }.map { Double($0.dropFirst(2)) ?? 0 } ?? 1
            return quality > 0 ? (language, quality, position) : nil
        }
        self = preferred.max { ($0.1, -$0.2) < ($1.1, -$1.2) }?.0 ?? .english
    }

    /// Returns the language of a tag of BCP 47 by its first part: `pt-BR` is Portuguese; `nil` for one that isn't ours.
    package init?(tag: String) {
        let primary = tag.split(whereSeparator: { $0 == "-" || $0 == "_" || $0 == " " }).first?.lowercased()
        switch primary {
        case "en": self = .english
        case "fr": self = .french
        case "pt": self = .portuguese
        case "zh": self = .chinese
        case "de": self = .german
        default: return nil
        }
    }

    /// The language's name in itself.
    var ownName: String {
        switch self {
        case .english: "English"
        case .french: "Français"
        case .portuguese: "Português"
        case .chinese: "繁體中文"
        case .german: "Deutsch"
        }
    }
}
