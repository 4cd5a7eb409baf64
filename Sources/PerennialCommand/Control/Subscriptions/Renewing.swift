import ArgumentParser
import Perennial

/// `perennial renew ID`
struct Renew: SubscriptionAction {
    static let configuration = CommandConfiguration(
        "renew", "Renew a subscription now, in place of at the end of its period.",
        "The account's payment method is charged: with one that declines, the renewal fails.",
        examples: ["renew 2000000000000002"])
    static let action = "renew"

    @OptionGroup var subscription: SubscriptionArgument
    @OptionGroup var store: StoreOptions

    var id: TransactionID { subscription.id }
    var body: NoBody { NoBody() }
}

/// `perennial expire ID`
struct Expire: SubscriptionAction {
    static let configuration = CommandConfiguration(
        "expire", "End a subscription now.", examples: ["expire 2000000000000002"])
    static let action = "expire"

    @OptionGroup var subscription: SubscriptionArgument
    @OptionGroup var store: StoreOptions

    var id: TransactionID { subscription.id }
    var body: NoBody { NoBody() }
}

struct AutoRenewBody: Encodable { var enabled: Bool }

/// `perennial cancel ID`
struct Cancel: SubscriptionAction {
    static let configuration = CommandConfiguration(
        "cancel", "Turn off a subscription's renewal, as a customer does who cancels.",
        "It runs to the end of its period. To end it at once: perennial expire.",
        examples: ["cancel 2000000000000002"])
    static let action = "auto-renew"

    @OptionGroup var subscription: SubscriptionArgument
    @OptionGroup var store: StoreOptions

    var id: TransactionID { subscription.id }
    var body: AutoRenewBody { AutoRenewBody(enabled: false) }
}

/// `perennial resume ID`
struct Resume: SubscriptionAction {
    static let configuration = CommandConfiguration(
        "resume", "Turn on a subscription's renewal again.", examples: ["resume 2000000000000002"])
    static let action = "auto-renew"

    @OptionGroup var subscription: SubscriptionArgument
    @OptionGroup var store: StoreOptions

    var id: TransactionID { subscription.id }
    var body: AutoRenewBody { AutoRenewBody(enabled: true) }
}

/// `perennial change ID PRODUCT`
struct Change: SubscriptionAction {
    static let configuration = CommandConfiguration(
        "change", "Change a subscription to another product of its group.",
        "An upgrade begins at once and refunds what is left of the period; a downgrade begins with the next renewal.",
        examples: ["change 2000000000000002 yearly"])
    static let action = "change"

    struct Body: Encodable { var productId: String }

    @OptionGroup var subscription: SubscriptionArgument

    @Argument(help: "The product's ID.")
    var product: String

    @OptionGroup var store: StoreOptions

    var id: TransactionID { subscription.id }
    var body: Body { Body(productId: product) }
}
