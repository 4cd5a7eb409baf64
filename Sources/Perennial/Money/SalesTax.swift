/// The tax on sales in a storefront.
package struct SalesTax: Hashable, Sendable, Codable {
    /// The rate in basis points of the price without tax: 1900 is 19 %.
    package let basisPoints: Int64
    /// True if prices include the tax. Otherwise the customer pays it on top of the price.
    package let isIncluded: Bool

    /// Creates a tax. The rate is limited to ``limits``.
    package init(basisPoints: Int64, isIncluded: Bool = true) {
        self.basisPoints = min(max(basisPoints, Self.limits.lowerBound), Self.limits.upperBound)
        self.isIncluded = isIncluded
    }

    /// The rates that are accepted.
    package static let limits: ClosedRange<Int64> = 0...10_000
    package static let untaxed = SalesTax(basisPoints: 0)
}

extension Storefront {
    /// The standard tax of the storefront.
    ///
    /// The United States and Canada have none by default: theirs depends on the customer's address, and is added to the
    /// price. A storefront that the table doesn't have sells without tax.
    package var salesTax: SalesTax {
        Self.standardTaxes[self] ?? SalesTax.untaxed
    }

    /// The storefronts with a standard tax, or with tax on top of prices.
    package static let standardTaxes: [Storefront: SalesTax] = {
        var taxes = Dictionary(
            taxTable.split(whereSeparator: \.isWhitespace).compactMap { cell -> (Storefront, SalesTax)? in
                guard let rate = Int64(cell.dropFirst(3)) else { return nil }
                return (Storefront(rawValue: String(cell.prefix(3))), SalesTax(basisPoints: rate))
            }
        ) { first, _ in first }
        for code in ["USA", "CAN"] {
            taxes[Storefront(rawValue: code)] = SalesTax(basisPoints: 0, isIncluded: false)
        }
        return taxes
    }()

    /// The standard rates of value-added, goods and services, or consumption tax on digital services, in basis points.
    /// They are general knowledge of 2026, not Apple's published rates; a catalog can set others.
    private static let taxTable = """
        ALB2000 ARE500 ARM2000 AUS1000 AUT2000 AZE1800 BEL2100 BGR2000 BHR1000 BIH1700 BLR2000 CHE810 CHL1900
        CHN600 CMR1925 COL1900 CRI1300 CYP1900 CZE2100 DEU1900 DNK2500 DZA1900 ECU1500 EGY1400 ESP2100 EST2400
        FIN2550 FRA2000 GBR2000 GEO1800 GHA1500 GRC2400 HRV2500 HUN2700 IDN1100 IND1800 IRL2300 ISL2400 ISR1800
        ITA2200 JPN1000 KAZ1600 KEN1600 KHM1000 KOR1000 LTU2100 LUX1700 LVA2100 MAR2000 MDA2000 MEX1600 MKD1800
        MLT1800 MNE2100 MUS1500 MYS800 NGA750 NLD2100 NOR2500 NPL1300 NZL1500 OMN500 PAK1800 PER1800 PHL1200
        POL2300 PRT2300 ROU2100 RUS2200 SAU1500 SEN1800 SGP900 SRB2000 SVK2300 SVN2200 SWE2500 THA700 TUN1900
        TUR2000 TWN500 TZA1800 UGA1800 UKR2000 URY2200 UZB1200 VNM1000 XKS1800 ZAF1500 ZMB1600 ZWE1550
        """
}
