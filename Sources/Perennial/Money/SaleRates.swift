/// The rates of one sale: the commission, and the tax of its storefront.
///
/// This is the only place that rounds money. Amounts are computed for one unit, in whole coins of the currency, and
/// multiplied by the quantity. Refunds return shares of these amounts (`[Posting].refunding`).
package struct SaleRates: Hashable, Sendable {
    /// The commission on the price without tax, in basis points.
    package var commissionBasisPoints: Int64
    package var tax: SalesTax

    package init(commissionBasisPoints: Int64, tax: SalesTax) {
        self.commissionBasisPoints = min(max(commissionBasisPoints, 0), Self.whole)
        self.tax = tax
    }

    /// 100 % in basis points.
    static let whole: Int64 = 10_000

    /// The amounts of a sale of one unit. The customer's price is the sum of the others.
    package struct Amounts: Hashable, Sendable {
        package var customer: Money
        package var proceeds: Money
        package var commission: Money
        package var tax: Money
    }

    /// Returns the amounts of a sale of one unit.
    ///
    /// The tax is rounded to the nearest coin, then the commission on the price without tax, and the seller gets the
    /// rest. The standard commission in US dollars is rounded down, as in Apple's published proceeds (0.99 gives 0.70,
    /// 0.29 gives 0.21); after one year Apple rounds to the nearest cent (0.84, 0.25), as elsewhere.
    package func amounts(ofUnitAt price: Money) -> Amounts {
        amounts(ofUnitAt: price.milliunits, atMost: Self.largest, price.currency)
    }

    /// Returns the postings of a sale; empty if nothing is charged. They sum to zero.
    ///
    /// - Parameter price: The price of one unit.
    package func postings(forSaleAt price: Money, quantity: Int = 1) -> [Posting] {
        guard price.milliunits != 0, quantity != 0 else { return [] }
        let count = Int64(clamping: quantity)
        let unit = amounts(
            ofUnitAt: price.milliunits, atMost: Self.largest / max(1, Int64(clamping: count.magnitude)), price.currency)
        func total(_ amount: Money) -> Money { Money(milliunits: amount.milliunits * count, amount.currency) }
        var postings = [
            Posting(.customer, Money(milliunits: -unit.customer.milliunits * count, price.currency)),
            Posting(.proceeds, total(unit.proceeds)),
            Posting(.commission, total(unit.commission)),
        ]
        if unit.tax.milliunits != 0 { postings.append(Posting(.tax, total(unit.tax))) }
        return postings
    }

    /// The largest price, so that no sum or product overflows. Catalogs have no prices near it.
    private static let largest = Int64.max / 4

    /// - Parameter limit: The largest price; a larger one counts as this one.
    private func amounts(ofUnitAt milliunits: Int64, atMost limit: Int64, _ currency: Currency) -> Amounts {
        let price = min(Int64(clamping: milliunits.magnitude), limit)
        let coin = currency.smallestAmount
        let tax =
            self.tax.isIncluded
            ? Self.rounded(price, self.tax.basisPoints, Self.whole + self.tax.basisPoints, coin)
            : Self.rounded(price, self.tax.basisPoints, Self.whole, coin)
        let net = self.tax.isIncluded ? price - tax : price
        let commission = Self.rounded(
            net, commissionBasisPoints, Self.whole, coin, isDown: Self.roundsDown(commissionBasisPoints, currency))
        let sign: Int64 = milliunits < 0 ? -1 : 1
        func money(_ milliunits: Int64) -> Money { Money(milliunits: sign * milliunits, currency) }
        return Amounts(
            customer: money(net + tax), proceeds: money(net - commission), commission: money(commission),
            tax: money(tax))
    }

    private static func roundsDown(_ commission: Int64, _ currency: Currency) -> Bool {
        commission == SaleTerms.standardCommission && currency == .usd
    }

    /// Returns the share `part / whole` of an amount, rounded to the nearest coin, half a coin up; no more than the
    /// amount. Requires `0 <= part <= whole`.
    private static func rounded(
        _ amount: Int64, _ part: Int64, _ whole: Int64, _ coin: Int64, isDown: Bool = false
    ) -> Int64 {
        guard part > 0 else { return 0 }
        // Nearly every price is small enough for a plain product.
        let (quotient, remainder) =
            amount < 1 << 48
            ? (amount * part).quotientAndRemainder(dividingBy: whole)
            : whole.dividingFullWidth(amount.multipliedFullWidth(by: part))
        var coins = quotient / coin
        if !isDown, 2 * (quotient % coin * whole + remainder) >= coin * whole { coins += 1 }
        return min(coins * coin, amount / coin * coin)
    }
}
