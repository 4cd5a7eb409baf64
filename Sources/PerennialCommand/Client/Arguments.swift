import ArgumentParser
import Perennial
import PerennialConnect
import PerennialStore

/// A value of the rules or of a protocol that options name in lower case, with hyphens between words. The protocol's own name is
/// accepted, too, and any case.
package protocol NamedArgument: ExpressibleByArgument, RawRepresentable, CaseIterable where RawValue == String {
    /// The name in options, in help and in answers.
    var optionName: String { get }
}

extension NamedArgument {
    package var optionName: String { OptionName.of(rawValue) }

    package init?(argument: String) {
        guard let value = Self.allCases.first(where: { OptionName.isMeant($0.optionName, by: argument) }) else {
            return nil
        }
        self = value
    }

    package static var allValueStrings: [String] { allCases.map(\.optionName) }
    /// None: the names are descriptions.
    package static var allValueDescriptions: [String: String] { [:] }
    package var defaultValueDescription: String { optionName }
}

extension TransactionID: ExpressibleByArgument {
    package init?(argument: String) { self.init(argument) }
}

extension Instant: ExpressibleByArgument {
    package init?(argument: String) { self.init(rfc3339: argument) }
}

extension Account.PaymentMethod: NamedArgument {}
extension StoreEnvironment.Clock: NamedArgument {}
extension RenewalRate: NamedArgument {}
extension TimeRate: NamedArgument {}
extension BillingPolicy.GraceScope: NamedArgument {}
extension Statistic: NamedArgument {}
extension RefundRequestReason: NamedArgument {}
extension ConnectRole: NamedArgument {}
extension SendingState: NamedArgument {}
extension TransactionState: NamedArgument {}
extension PaymentFigure.Column: NamedArgument {}

extension StoreEnvironment.Kind: NamedArgument {
    /// The first environments have these names.
    package var optionName: String { rawValue }
}

extension DeviceFamily: NamedArgument {
    /// Names of Apple's that begin with one small letter are one word: `iphone`.
    package var optionName: String { OptionName.matched(rawValue) }
}

extension FigureDevice: NamedArgument {
    package var optionName: String { OptionName.matched(rawValue) }
}
