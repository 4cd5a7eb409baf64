import ArgumentParser
import Perennial

// What the rules call by type is written on the command line as protocols write it.

extension TransactionID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Instant: ExpressibleByArgument {
    package init?(argument: String) { self.init(rfc3339: argument) }
}

extension Account.PaymentMethod: ExpressibleByArgument {}
extension StoreEnvironment.Kind: ExpressibleByArgument {}
extension StoreEnvironment.Clock: ExpressibleByArgument {}
extension SubscriptionPace: ExpressibleByArgument {}
extension TimeRate: ExpressibleByArgument {}
extension BillingPolicy.GraceScope: ExpressibleByArgument {}
extension RefundRequestReason: ExpressibleByArgument {}
