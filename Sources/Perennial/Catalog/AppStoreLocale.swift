/// The locales that App Store Connect takes for texts: `en-US`, `de-DE`, `ja`.
///
/// Catalog files write an underscore and may leave out the region (`en_US`, `de`), as `.storekit` files do.
package enum AppStoreLocale {
    /// All locales of App Store Connect, in alphabetical order.
    package static let all: [String] = """
        ar-SA bn-BD ca cs da de-DE el en-AU en-CA en-GB en-US es-ES es-MX fi fr-CA fr-FR gu-IN he hi hr hu id it ja \
        kn-IN ko ml-IN mr-IN ms nl-NL no or-IN pa-IN pl pt-BR pt-PT ro ru sk sl-SI sv ta-IN te-IN th tr uk ur-PK vi \
        zh-Hans zh-Hant
        """.split(separator: " ").map(String.init)

    private static let byKey = Dictionary(uniqueKeysWithValues: all.map { ($0.lowercased(), $0) })

    /// The locale of a language that has several.
    private static let preferred = ["en": "en-US", "es": "es-ES", "fr": "fr-FR", "pt": "pt-BR", "zh": "zh-Hans"]

    /// Returns true for a locale of App Store Connect, as it writes it.
    package static func isKnown(_ locale: String) -> Bool { byKey[locale.lowercased()] == locale }

    /// Returns App Store Connect's form of a catalog's locale: `de` and `de_DE` are `de-DE`, `ja_JP` is `ja`. A locale
    /// that App Store Connect doesn't have stays, with a hyphen.
    package static func connect(_ locale: String) -> String { usual[locale] ?? derived(locale) }

    /// App Store Connect's form of the forms that files usually have. Lists of products need thousands of them.
    private static let usual = Dictionary(
        all.flatMap { [$0, catalog($0), String($0.prefix { $0 != "-" })] }.map { ($0, derived($0)) }
    ) { first, _ in first }

    private static func derived(_ locale: String) -> String {
        let hyphenated = locale.replacing("_", with: "-")
        let key = hyphenated.lowercased()
        if let known = byKey[key] { return known }
        let language = String(key.prefix { $0 != "-" })
        // A region that App Store Connect doesn't have stays, because another localization may have the language.
        guard key == language || byKey[language] != nil && isOrdinaryRegion(key) else { return hyphenated }
        if let known = preferred[language] ?? byKey[language] { return known }
        return all.first { $0.hasPrefix(language + "-") } ?? hyphenated
    }

    /// Returns the catalog's form of a locale of App Store Connect: `en_US`.
    package static func catalog(_ locale: String) -> String { locale.replacing("-", with: "_") }

    /// The regions that languages without a region in App Store Connect are spoken in most, as `.storekit` files write
    /// them.
    private static let ordinaryRegions: Set<String> = [
        "ca-es", "cs-cz", "da-dk", "el-gr", "fi-fi", "he-il", "hi-in", "hr-hr", "hu-hu", "id-id", "it-it", "ja-jp",
        "ko-kr", "ms-my", "no-no", "pl-pl", "ro-ro", "ru-ru", "sk-sk", "sv-se", "th-th", "tr-tr", "uk-ua", "vi-vn",
    ]

    private static func isOrdinaryRegion(_ key: String) -> Bool { ordinaryRegions.contains(key) }
}
