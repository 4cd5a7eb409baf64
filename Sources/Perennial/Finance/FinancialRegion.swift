/// A region of Payments and Financial Reports, by Apple's code: a country or a group of countries with one currency.
package struct FinancialRegion: RawRepresentable, Hashable, Comparable, Sendable, Codable, CustomStringConvertible {
    package let rawValue: String

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// The code of the file that has all regions.
    package static let consolidated = FinancialRegion(rawValue: "ZZ")
    /// The code of the detailed report.
    package static let detail = FinancialRegion(rawValue: "Z1")

    package var description: String { rawValue }

    package static func < (one: FinancialRegion, other: FinancialRegion) -> Bool { one.rawValue < other.rawValue }
}

/// The fixed properties of a region.
package struct FinancialRegionInfo: Hashable, Sendable {
    package let region: FinancialRegion
    package let name: String
    package let currency: Currency
}

extension FinancialRegion {
    /// All regions with sales of their own, in the order of Apple's list; the codes of files are not among them.
    package static let all: [FinancialRegionInfo] = table.split(whereSeparator: { $0 == "\n" || $0 == "|" }).compactMap
    {
        row in
        let columns = row.split(separator: " ", maxSplits: 2)
        guard columns.count == 3 else { return nil }
        return FinancialRegionInfo(
            region: FinancialRegion(rawValue: String(columns[0])), name: String(columns[2]),
            currency: Currency(rawValue: String(columns[1])))
    }

    private static let byCode = Dictionary(uniqueKeysWithValues: all.map { ($0.region, $0) })

    /// The region's properties; `nil` for a code without sales of its own.
    package var info: FinancialRegionInfo? { Self.byCode[self] }

    /// Creates the region to which a storefront belongs: its own country if Apple lists that, otherwise its group.
    package init(_ storefront: Storefront) {
        let code = storefront.alphaTwo
        let own = FinancialRegion(rawValue: code)
        if own.info != nil {
            self = own
        } else if storefront.currency == .eur {
            self.init(rawValue: "EU")
        } else if Self.latinAmerica.contains(storefront.rawValue) {
            self.init(rawValue: "LL")
        } else if Self.southAsiaAndPacific.contains(storefront.rawValue) {
            self.init(rawValue: "AP")
        } else {
            self.init(rawValue: "WW")
        }
    }

    private static let latinAmerica = codes(
        """
        AIA ARG ATG BHS BLZ BMU BOL BRB CRI CYM DMA DOM ECU GRD GTM GUY HND JAM KNA LCA MSR NIC PAN PRY SLV SUR TCA TTO URY \
        VCT VEN VGB
        """)
    private static let southAsiaAndPacific = codes(
        "BRN BTN FJI FSM KHM LAO LKA MAC MDV MMR MNG NPL NRU PLW PNG SLB TON VUT")

    private static func codes(_ list: String) -> Set<String> {
        Set(list.split(separator: " ").map(String.init))
    }

    /// Code, currency and name of each region.
    private static let table = """
        US USD Americas|AU AUD Australia|BR BRL Brazil|BG EUR Bulgaria|CA CAD Canada|CL CLP Chile|CN CNY China mainland
        CO COP Colombia|CZ CZK Czechia|HR EUR Croatia|DK DKK Denmark|EG EGP Egypt|HK HKD Hong Kong|HU HUF Hungary
        IN INR India|ID IDR Indonesia|IL ILS Israel|JP JPY Japan|KZ KZT Kazakhstan|KR KRW Korea|MY MYR Malaysia
        MX MXN Mexico|NZ NZD New Zealand|NG NGN Nigeria|NO NOK Norway|PK PKR Pakistan|PE PEN Peru|PH PHP Philippines
        PL PLN Poland|QA QAR Qatar|RO RON Romania|RU RUB Russia|SA SAR Saudi Arabia|SG SGD Singapore|ZA ZAR South Africa
        SE SEK Sweden|CH CHF Switzerland|TW TWD Taiwan|TH THB Thailand|TR TRY Turkey|AE AED United Arab Emirates
        GB GBP United Kingdom|TZ TZS Tanzania|VN VND Vietnam|EU EUR Euro zone|LL USD Latin America and Caribbean
        AP USD South Asia and Pacific|WW USD Rest of world
        """
}

extension Storefront {
    /// The country's code of two letters (ISO 3166-1), as in report files: `US`.
    package var alphaTwo: String {
        // A default locale ends with the country: `en_US`.
        info.map { String($0.locale.suffix(2)) } ?? String(rawValue.prefix(2))
    }
}
