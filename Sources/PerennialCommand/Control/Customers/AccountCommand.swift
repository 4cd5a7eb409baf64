import ArgumentParser
import Perennial

/// `perennial account NAME`: makes a customer's account, changes it, or looks at it.
struct AccountCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "account", "Make, change or show a customer's account.",
        """
        Makes the account where there is none, and changes of an existing one what is said. A purchase makes its account by
        itself: this is for those that should be special. In Production an account signs in on a device with its password only.
        """,
        examples: [
            "account ann@example.com --storefront DEU",
            "account ann@example.com --payment-method declined",
            "account ann@example.com --interrupts-purchases --renewal-rate monthlyRenewalEveryHour",
            "account ann@example.com --show --json",
        ])

    @Argument(help: "What the customer signs in with: an e-mail address as a rule.")
    var name: String

    @Option(help: ArgumentHelp("Three letters of a country, such as USA.", valueName: "code"))
    var storefront: String?

    @Option(name: .customLong("payment-method"), help: "How charges end.")
    var paymentMethod: Account.PaymentMethod?

    @Flag(inversion: .prefixedNo, help: "Whether the account may buy at all.")
    var canMakePayments: Bool?

    @Option(help: "For a new account; an existing one keeps its own.")
    var password: String?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether purchases fail until the customer acts: perennial interruptions lists them.")
    var interruptsPurchases: Bool?

    @Option(
        help: ArgumentHelp(
            "The pace of the tester's subscriptions in Sandbox; environment for the environment's.", valueName: "rate"))
    var renewalRate: String?

    @Flag(help: "Only look: make and change nothing.")
    var show = false

    @OptionGroup var store: StoreOptions

    func validate() throws {
        let changes: [Any?] = [
            storefront, paymentMethod, canMakePayments, password, interruptsPurchases, renewalRate,
        ]
        if let renewalRate, renewalRate != "environment", TimeRate(rawValue: renewalRate) == nil {
            let rates = TimeRate.allCases.map(\.rawValue).joined(separator: ", ")
            throw ValidationError("--renewal-rate is environment or one of: \(rates).")
        }
        if show, changes.contains(where: { $0 != nil }) { throw ValidationError("--show changes nothing.") }
    }

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Answer> =
            show
            ? try await client.get("control/v1/accounts/\(name.percentEncoded)")
            : try await client.post(
                "control/v1/accounts",
                Body(
                    account: name, storefront: storefront, paymentMethod: paymentMethod?.rawValue,
                    canMakePayments: canMakePayments, password: password,
                    interruptsPurchases: interruptsPurchases, renewalRate: renewalRate))
        return answer.report { account in
            "\(account.account): storefront \(account.storefront), payment method \(account.paymentMethod)"
                + (account.canMakePayments ? "" : ", may not buy")
                + (account.interruptsPurchases ? ", purchases are interrupted" : "")
                + (account.renewalRate.map { ", renews at \($0)" } ?? "")
        }
    }

    private struct Body: Encodable {
        var account: String
        var storefront: String?
        var paymentMethod: String?
        var canMakePayments: Bool?
        var password: String?
        var interruptsPurchases: Bool?
        var renewalRate: String?
    }

    private struct Answer: Decodable {
        var account: String
        var storefront: String
        var paymentMethod: String
        var canMakePayments: Bool
        var interruptsPurchases: Bool
        var renewalRate: String?
    }
}
