import ArgumentParser
import Perennial
import PerennialConnect
import PerennialStore
import Testing

@testable import PerennialCommand

/// Values of options by their own names and by those of the protocols.
struct NamedArgumentTests {
    @Test(arguments: [
        ("failedCharge", "failed-charge"), ("UNINTENDED_PURCHASE", "unintended-purchase"), ("LEGAL", "legal"),
        ("Apple TV", "apple-tv"), ("Sandbox", "sandbox"), ("active-trials", "active-trials"), ("", ""),
    ])
    func `names of the protocols have one form in options`(name: String, option: String) {
        #expect(OptionName.of(name) == option)
    }

    private static let types: [any NamedArgument.Type] = [
        StoreEnvironment.Kind.self, RenewalRate.self, TimeRate.self, BillingPolicy.GraceScope.self, DeviceFamily.self,
        FigureDevice.self, RefundRequestReason.self, CreateRefund.Reason.self, ExtensionReason.self, SendingState.self,
        ConnectRole.self, TransactionState.self, Statistic.self, ProductKind.self, OfferKind.self, OfferMode.self,
    ]

    @Test(arguments: types.indices)
    func `a value is read by each of its names, in any case`(place: Int) {
        func check<Value: NamedArgument>(_ type: Value.Type) {
            for value in type.allCases {
                let name = value.optionName
                for spelling in [
                    name, name.uppercased(), name.replacing("-", with: "_"), value.rawValue,
                    value.rawValue.uppercased(),
                ] where OptionName.matched(spelling) == OptionName.matched(name) || spelling == value.rawValue {
                    #expect(type.init(argument: spelling)?.rawValue == value.rawValue, "\(spelling)")
                }
            }
            #expect(Set(type.allValueStrings).count == type.allCases.count)
            #expect(type.init(argument: "nonsense") == nil)
        }
        check(Self.types[place])
    }

    @Test(arguments: [
        ("app-issue", CreateRefund.Reason.appIssue), ("APP_ISSUE", .appIssue), ("appIssue", .appIssue),
        ("OTHER", .other),
    ])
    func `the reason of a refund`(word: String, reason: CreateRefund.Reason) throws {
        let access = ["--url", "http://127.0.0.1:1", "--token", "t"]
        let parsed = try Words.parse(["refunds", "create", "2000000000000002", "--reason", word] + access)
        #expect((parsed as? CreateRefund)?.reason == reason)
    }

    @Test(arguments: [
        ("unsatisfied-with-purchase", RefundRequestReason.unsatisfied), ("UNSATISFIED_WITH_PURCHASE", .unsatisfied),
        ("legal", .legal), ("LEGAL", .legal),
    ])
    func `the reason of a request for a refund`(word: String, reason: RefundRequestReason) throws {
        let access = ["--url", "http://127.0.0.1:1", "--token", "t"]
        let parsed = try Words.parse(["refunds", "request", "2000000000000002", "--reason", word] + access)
        #expect((parsed as? RequestRefund)?.reason == reason)
    }
}
