/// A customer's account with the store: it belongs to one environment and buys in any app.
package struct Account: Hashable, Sendable {
    package struct ID: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) {
            self.rawValue = rawValue
        }
    }

    /// How charges to the account end.
    package enum PaymentMethod: String, Sendable, CaseIterable {
        case valid
        case declined
    }

    package var id: ID
    /// What the customer signs in with: an e-mail address as a rule.
    package var name: String
    package var storefront: Storefront
    package var paymentMethod: PaymentMethod
    /// Whether restrictions on the device allow it to buy: `SKPaymentQueue.canMakePayments()`.
    package var canMakePayments: Bool
    package var created: Instant
    /// Whether purchases fail at first, as when the customer must agree to something with the bank or in the settings.
    package var interruptsPurchases: Bool
    /// The pace that a sandbox tester chose; `nil` for the environment's.
    package var renewalRate: TimeRate?

    package init(
        id: ID, name: String, storefront: Storefront, paymentMethod: PaymentMethod = .valid,
        canMakePayments: Bool = true, created: Instant, interruptsPurchases: Bool = false, renewalRate: TimeRate? = nil
    ) {
        self.id = id
        self.name = name
        self.storefront = storefront
        self.paymentMethod = paymentMethod
        self.canMakePayments = canMakePayments
        self.created = created
        self.interruptsPurchases = interruptsPurchases
        self.renewalRate = renewalRate
    }
}

/// What the renewals of an account depend on.
package struct Payer: Hashable, Sendable {
    package var paymentMethod: Account.PaymentMethod
    package var renewalRate: TimeRate?

    package init(paymentMethod: Account.PaymentMethod, renewalRate: TimeRate?) {
        self.paymentMethod = paymentMethod
        self.renewalRate = renewalRate
    }

    package init(_ account: Account) {
        self.init(paymentMethod: account.paymentMethod, renewalRate: account.renewalRate)
    }
}
