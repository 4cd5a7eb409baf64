import ArgumentParser
import Perennial

struct PaymentBody: Encodable {
    var method: String

    init(_ method: Account.PaymentMethod) { self.method = method.rawValue }
}

/// `perennial decline-payments ID`
struct DeclinePayments: SubscriptionAction {
    static let configuration = CommandConfiguration(
        "decline-payments", "Let the charges to a subscription's account fail.",
        "The next renewal fails then: its grace period begins, if the seller offers one, or billing retry.",
        examples: ["decline-payments 2000000000000002"])
    static let action = "payment"

    @OptionGroup var subscription: SubscriptionArgument
    @OptionGroup var store: StoreOptions

    var id: TransactionID { subscription.id }
    var body: PaymentBody { PaymentBody(.declined) }
}

/// `perennial accept-payments ID`
struct AcceptPayments: SubscriptionAction {
    static let configuration = CommandConfiguration(
        "accept-payments", "Let the charges to a subscription's account succeed again.",
        "A renewal that failed is tried again at once.",
        examples: ["accept-payments 2000000000000002"])
    static let action = "payment"

    @OptionGroup var subscription: SubscriptionArgument
    @OptionGroup var store: StoreOptions

    var id: TransactionID { subscription.id }
    var body: PaymentBody { PaymentBody(.valid) }
}

/// `perennial consent ID`
struct Consent: SubscriptionAction {
    static let configuration = CommandConfiguration(
        "consent", "Answer a price increase for the customer.",
        examples: ["consent 2000000000000002", "consent 2000000000000002 --decline"])
    static let action = "price-consent"

    struct Body: Encodable { var accepted: Bool }

    @OptionGroup var subscription: SubscriptionArgument

    @Flag(help: "Don't agree: the subscription ends with its period.")
    var decline = false

    @OptionGroup var store: StoreOptions

    var id: TransactionID { subscription.id }
    var body: Body { Body(accepted: !decline) }
}
