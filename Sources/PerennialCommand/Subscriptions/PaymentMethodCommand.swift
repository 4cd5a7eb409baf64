import ArgumentParser
import Perennial

/// `perennial payment-method`: the payment method of a subscription's account.
struct PaymentMethodCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "payment-method", "Have the charges to a subscription's account succeed or fail.",
        examples: ["payment-method decline 2000000000000002", "payment-method accept 2000000000000002"],
        subcommands: [Accept.self, Decline.self])

    struct Body: Encodable {
        var method: String

        init(_ method: Account.PaymentMethod) { self.method = method.rawValue }
    }

    struct Accept: SubscriptionAction {
        static let configuration = CommandConfiguration(
            "accept", "Let the charges to a subscription's account succeed again.",
            "A renewal that failed is tried again at once.",
            examples: ["payment-method accept 2000000000000002"])
        static let action = "payment"

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var store: StoreOptions

        var id: TransactionID { subscription.id }
        var body: Body { Body(.valid) }
    }

    struct Decline: SubscriptionAction {
        static let configuration = CommandConfiguration(
            "decline", "Let the charges to a subscription's account fail.",
            "The next renewal fails: its grace period begins, if the seller offers one, or billing retry.",
            examples: ["payment-method decline 2000000000000002"])
        static let action = "payment"

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var store: StoreOptions

        var id: TransactionID { subscription.id }
        var body: Body { Body(.declined) }
    }
}

/// `perennial price-consent`: a customer's answer to a price increase.
struct PriceConsentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "price-consent", "Answer a price increase for the customer.",
        examples: ["price-consent accept 2000000000000002", "price-consent decline 2000000000000002"],
        subcommands: [Accept.self, Decline.self])

    struct Body: Encodable { var accepted: Bool }

    struct Accept: SubscriptionAction {
        static let configuration = CommandConfiguration(
            "accept", "Agree to the higher price.", examples: ["price-consent accept 2000000000000002"])
        static let action = "price-consent"

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var store: StoreOptions

        var id: TransactionID { subscription.id }
        var body: Body { Body(accepted: true) }
    }

    struct Decline: SubscriptionAction {
        static let configuration = CommandConfiguration(
            "decline", "Don't agree: the subscription ends with its period.",
            examples: ["price-consent decline 2000000000000002"])
        static let action = "price-consent"

        @OptionGroup var subscription: SubscriptionArgument
        @OptionGroup var store: StoreOptions

        var id: TransactionID { subscription.id }
        var body: Body { Body(accepted: false) }
    }
}
