/// The rule that decides whether a charge is declined, for purchases, renewals and their retries.
package enum Charge {
    /// Returns true if a charge is declined. A price of zero needs no charge and is never declined.
    ///
    /// - Parameters:
    ///   - method: The account's payment method; `nil` if there is no account any more.
    ///   - renewalsFail: True if the environment declines every renewal, as Xcode's "billing issues on renewal" does.
    package static func isDeclined(
        _ price: Money, by method: Account.PaymentMethod?, renewalsFail: Bool = false
    ) -> Bool {
        price.milliunits > 0 && (method != .valid || renewalsFail)
    }

    /// Refuses a charge that a customer asked for and that is declined.
    ///
    /// - Parameters:
    ///   - method: The account's payment method; `nil` if there is no account any more.
    ///   - product: The product that the refusal names.
    /// - Throws: ``PurchaseRefusal`` `.paymentDeclined`.
    package static func expectPayment(
        of price: Money, by method: Account.PaymentMethod?, for product: Product.ID
    ) throws(PurchaseRefusal) {
        guard isDeclined(price, by: method) else { return }
        throw PurchaseRefusal(.paymentDeclined, product, "the payment method was declined; nothing was charged")
    }
}

extension RenewalCharge {
    /// Charges a renewal to an account and returns the event for its subscription.
    ///
    /// - Parameter account: `nil` if there is no account any more.
    package func event(chargedTo account: BillingAccount?, _ settings: BillingSettings) -> SubscriptionEvent {
        let isDeclined = Charge.isDeclined(
            price, by: account?.paymentMethod, renewalsFail: settings.renewalsFail == true)
        return isDeclined ? .chargeDeclined(period: period) : .charged(period: period)
    }
}

extension PurchaseContext {
    /// Throws ``PurchaseRefusal`` `.paymentDeclined` if the account's charge for a purchase is declined.
    func expectPayment(of price: Money) throws {
        try Charge.expectPayment(of: price, by: account.paymentMethod, for: product.id)
    }
}
