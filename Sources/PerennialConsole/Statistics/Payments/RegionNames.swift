import Perennial

/// The regions of financial reports in words.
enum RegionNames {
    /// Regions that aren't one country, by their codes.
    private static let groups: [String: Phrase] = [
        "US": Phrase("Americas", fr: "Amériques", pt: "Américas", zh: "美洲", de: "Amerika"),
        "EU": Phrase("Euro zone", fr: "Zone euro", pt: "Zona do euro", zh: "歐元區", de: "Eurozone"),
        "LL": Phrase(
            "Latin America and Caribbean", fr: "Amérique latine et Caraïbes", pt: "América Latina e Caribe",
            zh: "拉丁美洲與加勒比海", de: "Lateinamerika und Karibik"),
        "AP": Phrase(
            "South Asia and Pacific", fr: "Asie du Sud et Pacifique", pt: "Sul da Ásia e Pacífico", zh: "南亞與太平洋",
            de: "Südasien und Pazifik"),
        "WW": Phrase("Rest of world", fr: "Reste du monde", pt: "Resto do mundo", zh: "世界其他地區", de: "Übrige Welt"),
    ]

    /// Returns a region's name: in English as Apple's list has it, in other languages that of the country.
    ///
    /// - Returns: `nil` for a code without sales of its own.
    static func name(_ region: FinancialRegion, in language: Language) -> Text? {
        guard let info = region.info else { return nil }
        if let group = groups[region.rawValue] { return .phrase(group) }
        let country = language == .english ? nil : LocalizedNames.country(region.rawValue, in: language)
        return .data(country ?? info.name)
    }
}

extension Text {
    /// The name of a financial region in the visitor's language, with its code; the code, if it has no name.
    static func region(_ region: FinancialRegion, _ language: Language) -> Text {
        guard let name = RegionNames.name(region, in: language) else { return .data(region.rawValue) }
        return .joined([name, .data(" (\(region))")])
    }
}
