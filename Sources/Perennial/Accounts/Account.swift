/// A customer's account with the store: it belongs to one environment and buys in any app.
package struct Account: Hashable, Sendable {
    package struct ID: RawRepresentable, Hashable, Sendable {
        package let rawValue: Int64

        package init(rawValue: Int64) {
            self.rawValue = rawValue
        }
    }

    /// The result of charges to the account.
    package enum PaymentMethod: String, Sendable, CaseIterable {
        case valid
        case declined
    }

    package var id: ID
    /// The name for signing in, usually an e-mail address.
    package var name: String
    package var storefront: Storefront
    package var paymentMethod: PaymentMethod
    /// True if restrictions allow payments: `SKPaymentQueue.canMakePayments()`.
    package var canMakePayments: Bool
    package var created: Instant
    /// True if purchases fail at first, as when the customer must confirm the payment with the bank or in the
    /// settings.
    package var interruptsPurchases: Bool
    /// The sandbox tester's renewal rate; `nil` for the environment's.
    package var renewalRate: TimeRate?
    /// True if purchases on the sandbox tester's devices wait for a parent's approval.
    package var asksToBuy: Bool

    package init(
        id: ID, name: String, storefront: Storefront, paymentMethod: PaymentMethod = .valid,
        canMakePayments: Bool = true, created: Instant, interruptsPurchases: Bool = false,
        renewalRate: TimeRate? = nil, asksToBuy: Bool = false
    ) {
        self.id = id
        self.name = name
        self.storefront = storefront
        self.paymentMethod = paymentMethod
        self.canMakePayments = canMakePayments
        self.created = created
        self.interruptsPurchases = interruptsPurchases
        self.renewalRate = renewalRate
        self.asksToBuy = asksToBuy
    }
}

/// The properties of an account that its renewals depend on.
package struct BillingAccount: Hashable, Sendable {
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
