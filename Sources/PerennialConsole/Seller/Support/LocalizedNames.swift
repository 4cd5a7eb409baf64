import Foundation
import Perennial

/// Names of storefronts and languages in the console's languages, from Unicode's CLDR.
enum LocalizedNames {
    /// Returns the name of a storefront's country or region, with its code: `Germany (DEU)`.
    static func storefront(_ storefront: Storefront, in language: Language) -> String {
        guard let name = storefronts[language]?[storefront] else { return storefront.rawValue }
        return "\(name) (\(storefront.rawValue))"
    }

    /// Returns the name of a country by its code of two letters (ISO 3166-1); `nil` for a code that no storefront has.
    static func country(_ code: String, in language: Language) -> String? {
        Storefront.all.first { $0.alpha2 == code }.flatMap { storefronts[language]?[$0.storefront] }
    }

    /// Returns the name of a language, with its code: `German (de-DE)`.
    static func locale(_ code: String, in language: Language) -> String {
        guard let name = locales[language]?[code] else { return code }
        return "\(name) (\(code))"
    }

    /// The storefronts in the order of their names.
    static func sortedStorefronts(in language: Language) -> [Storefront] { sorted[language] ?? [] }

    private static let storefronts = each { language in
        Dictionary(
            Storefront.all.compactMap { info -> (Storefront, String)? in
                guard let region = info.locale.split(separator: "_").last else { return nil }
                return language.localizedString(forRegionCode: String(region)).map { (info.storefront, $0) }
            }
        ) { first, _ in first }
    }

    private static let locales = each { language in
        Dictionary(
            AppStoreLocale.all.compactMap { code in
                language.localizedString(forIdentifier: code).map { (code, $0) }
            }
        ) { first, _ in first }
    }

    private static let sorted = Dictionary(
        uniqueKeysWithValues: Language.allCases.map { language in
            let locale = Locale(identifier: language.rawValue)
            let named = Storefront.all.map { (storefronts[language]?[$0.storefront] ?? "", $0.storefront) }
            let order = named.sorted { one, other in
                one.0.compare(other.0, locale: locale) == .orderedAscending
            }
            return (language, order.map(\.1))
        })

    private static func each<Value>(_ make: (Locale) -> Value) -> [Language: Value] {
        Dictionary(
            uniqueKeysWithValues: Language.allCases.map { ($0, make(Locale(identifier: $0.rawValue))) })
    }
}

extension Text {
    /// The name of a storefront in the visitor's language.
    static func storefront(_ storefront: Storefront, _ language: Language) -> Text {
        .data(LocalizedNames.storefront(storefront, in: language))
    }
}

extension Text {
    /// The name of the storefront of a country's code with two or three letters; the code, if there is none.
    static func storefront(named code: String, _ language: Language) -> Text {
        let info = Storefront.all.first { $0.storefront.rawValue == code || $0.alpha2 == code }
        return info.map { .storefront($0.storefront, language) } ?? .data(code)
    }
}

extension Field.Kind {
    /// A choice of all storefronts by name, after others.
    static func storefronts(_ language: Language, first: [Field.Option] = []) -> Field.Kind {
        .choice(
            first
                + LocalizedNames.sortedStorefronts(in: language).map {
                    Field.Option($0.rawValue, .storefront($0, language))
                })
    }

    /// A choice of languages by name.
    static func locales(_ language: Language, _ codes: [String]) -> Field.Kind {
        .choice(codes.map { Field.Option($0, .data(LocalizedNames.locale($0, in: language))) })
    }
}
