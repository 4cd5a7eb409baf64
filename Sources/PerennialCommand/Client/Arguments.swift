import ArgumentParser
import Perennial
import PerennialStore

// Values of the rules as arguments: spelled as the protocols spell them.

extension String {
    /// A word of control/v1 as the command line spells it: `givenUp` is `given-up`.
    var hyphenated: String { map { $0.isUppercase ? "-" + $0.lowercased() : String($0) }.joined() }
}

extension TransactionID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Instant: ExpressibleByArgument {
    package init?(argument: String) { self.init(rfc3339: argument) }
}

extension Account.PaymentMethod: ExpressibleByArgument {}
extension StoreEnvironment.Kind: ExpressibleByArgument {}
extension StoreEnvironment.Clock: ExpressibleByArgument {}
extension RenewalRate: ExpressibleByArgument {}
extension TimeRate: ExpressibleByArgument {}
extension BillingPolicy.GraceScope: ExpressibleByArgument {}
extension DeviceFamily: ExpressibleByArgument {}
extension Statistic: ExpressibleByArgument {}
extension RefundRequestReason: ExpressibleByArgument {}
extension FigureDevice: ExpressibleByArgument {}
extension PaymentFigure.Column: ExpressibleByArgument {}
