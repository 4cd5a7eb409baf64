/// An app's shares of commission and tax in its sales. They differ by storefront and by the customer's paid service.
package struct SaleTerms: Hashable, Sendable, Codable {
    /// The commission on the price without tax, in basis points: 3000 is 30 %.
    package var commissionBasisPoints: Int64
    /// A tax included in the prices of all storefronts, in basis points of the price without tax: 2000 is 20 %. `nil`
    /// for the tax of each storefront, ``Storefront/salesTax``.
    package var taxBasisPoints: Int64?
    /// True if the seller takes part in the Small Business Program, whose commission is 15 %.
    package var isSmallBusiness: Bool {
        get { smallBusiness == true }
        set { smallBusiness = newValue ? true : nil }
    }
    /// The seller's own taxes of storefronts. They take precedence over ``taxBasisPoints``.
    package var storefrontTaxes: [Storefront: SalesTax] {
        get { ownTaxes ?? [:] }
        set { ownTaxes = newValue.isEmpty ? nil : newValue }
    }
    /// `true` or `nil`, so that a definition stored before it existed has no such key.
    private var smallBusiness: Bool?
    /// `nil` in place of none, for the same reason.
    private var ownTaxes: [Storefront: SalesTax]?

    package init(
        commissionBasisPoints: Int64 = SaleTerms.standardCommission, taxBasisPoints: Int64? = nil,
        isSmallBusiness: Bool = false, storefrontTaxes: [Storefront: SalesTax] = [:]
    ) {
        self.commissionBasisPoints = commissionBasisPoints
        self.taxBasisPoints = taxBasisPoints
        self.isSmallBusiness = isSmallBusiness
        self.storefrontTaxes = storefrontTaxes
    }

    package static let standard = SaleTerms()
    /// The App Store's commission, in basis points.
    package static let standardCommission: Int64 = 3000
    /// The highest commission of the Small Business Program, and of renewals after one year of paid service.
    package static let reducedCommission: Int64 = 1500

    /// Returns the rates of a sale.
    ///
    /// - Parameters:
    ///   - storefront: `nil` for a sale without a storefront, taxed only by ``taxBasisPoints``.
    ///   - reason: The reason for a share of proceeds above the standard one.
    package func rates(in storefront: Storefront?, _ reason: ProceedsReason? = nil) -> SaleRates {
        let isReduced = smallBusiness == true || reason == .rateAfterOneYear
        return SaleRates(
            commissionBasisPoints: isReduced
                ? Swift.min(commissionBasisPoints, Self.reducedCommission) : commissionBasisPoints,
            tax: tax(in: storefront))
    }

    /// Returns the tax of a storefront: the seller's own, otherwise that of all storefronts, otherwise the standard
    /// one.
    package func tax(in storefront: Storefront?) -> SalesTax {
        if let ownTaxes, let storefront, let own = ownTaxes[storefront] { return own }
        if let taxBasisPoints { return SalesTax(basisPoints: taxBasisPoints) }
        return storefront?.salesTax ?? SalesTax.untaxed
    }

    /// Returns the postings of a sale; empty if nothing is charged. They sum to zero.
    ///
    /// - Parameters:
    ///   - price: The price of one unit in the storefront.
    ///   - storefront: `nil` for a sale without a storefront, taxed only by ``taxBasisPoints``.
    ///   - reason: The reason for a share of proceeds above the standard one.
    package func postings(
        forSaleAt price: Money, quantity: Int = 1, in storefront: Storefront? = nil, _ reason: ProceedsReason? = nil
    ) -> [Posting] {
        guard price.milliunits != 0 else { return [] }
        return rates(in: storefront, reason).postings(forSaleAt: price, quantity: quantity)
    }

    /// Returns the seller's proceeds from one unit, at the standard commission and at that after one year.
    package func proceeds(of price: Money, in storefront: Storefront?) -> (standard: Money, afterOneYear: Money) {
        (
            rates(in: storefront).amounts(ofUnitAt: price).proceeds,
            rates(in: storefront, .rateAfterOneYear).amounts(ofUnitAt: price).proceeds
        )
    }
}
