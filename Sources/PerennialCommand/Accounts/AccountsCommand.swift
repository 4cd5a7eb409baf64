import ArgumentParser
import Perennial
import PerennialStore

/// `perennial accounts`: the accounts of customers.
struct AccountsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "accounts", "List, create, show and change the accounts of customers.",
        """
        A purchase creates its account by itself: create those that should be special. In Production an account signs in on a
        device with its password only.
        """,
        examples: [
            "accounts list", "accounts create bob@example.com --storefront DEU",
            "accounts edit ann@example.com --payment-method declined",
        ],
        subcommands: [List.self, Show.self, Create.self, Edit.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the accounts of an environment, by name.",
            examples: ["accounts list", "accounts list --prefix ann --environment Production --json"])

        @Option(help: ArgumentHelp("Only names that begin so.", valueName: "text"))
        var prefix: String?

        @OptionGroup var page: PageOptions
        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Accounts> = try await client.get(
                "control/v1/accounts\(page.query(["prefix": prefix]))")
            return answer.report { answer in
                ListWords.text(
                    ["ACCOUNT", "STOREFRONT", "PAYMENT METHOD", "STATE"],
                    answer.accounts.map {
                        [$0.account, $0.storefront, $0.paymentMethod, $0.states.joined(separator: ", ")]
                    }, next: answer.next, none: "The environment has no accounts")
            }
        }
    }

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show an account.",
            examples: ["accounts show ann@example.com", "accounts show ann@example.com --json"])

        @Argument(help: "The account's name.")
        var name: String

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(account: name) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Account> = try await client.get(AccountsCommand.path(name))
            return answer.report(\.sentence)
        }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Create an account.",
            examples: [
                "accounts create bob@example.com --storefront DEU",
                "accounts create cem@example.com --interrupts-purchases --renewal-rate monthly-renewal-every-hour",
            ])

        @Argument(help: "The name that the customer signs in with, usually an email address.")
        var name: String

        @Option(help: "The password to sign in with on a device.")
        var password: String?

        @OptionGroup var properties: AccountOptions
        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            guard try await !client.accountNames(prefix: name).contains(name) else {
                throw StoreClientError(
                    .refused, "accountExists", "\(name): the account exists already: change it with accounts edit")
            }
            let answer: StoreAnswer<Account> = try await client.post(
                "control/v1/accounts", AccountOptions.Body(name, properties, password: password))
            return answer.report(\.sentence)
        }
    }

    struct Edit: StoreCommand {
        static let configuration = CommandConfiguration(
            "edit", "Change an account; options that are left out change nothing.",
            examples: [
                "accounts edit ann@example.com --payment-method declined",
                "accounts edit ann@example.com --interrupts-purchases",
            ])

        @Argument(help: "The account's name.")
        var name: String

        @OptionGroup var properties: AccountOptions
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(account: name) }

        func report(from client: StoreClient) async throws -> Report {
            let _: StoreAnswer<Account> = try await client.get(AccountsCommand.path(name))
            let answer: StoreAnswer<Account> = try await client.post(
                "control/v1/accounts", AccountOptions.Body(name, properties, password: nil))
            return answer.report(\.sentence)
        }
    }

    /// The path of an account in control/v1.
    static func path(_ name: String) -> String { "control/v1/accounts/\(name.percentEncoded)" }

    struct Accounts: Decodable {
        var accounts: [Account]
        var next: String?
    }

    struct Account: Decodable {
        var account: String
        var storefront: String
        var paymentMethod: String
        var canMakePayments: Bool
        var interruptsPurchases: Bool
        var renewalRate: String?
        var asksToBuy: Bool?

        /// The settings that differ from those of a new account.
        var states: [String] {
            [
                canMakePayments ? nil : "may not buy", interruptsPurchases ? "purchases are interrupted" : nil,
                renewalRate.map { "renews at \(OptionName.of($0))" }, asksToBuy == true ? "asks to buy" : nil,
            ].compactMap { $0 }
        }

        var sentence: String {
            (["\(account): storefront \(storefront), payment method \(paymentMethod)"] + states)
                .joined(separator: ", ")
        }
    }
}

/// The properties of an account that a command sets.
struct AccountOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Three letters of a country, such as USA.", valueName: "code"))
    var storefront: String?

    @Option(name: .customLong("payment-method"), help: "The result of charges.")
    var paymentMethod: Account.PaymentMethod?

    @Flag(inversion: .prefixedNo, help: "Whether the account may buy at all.")
    var canMakePayments: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether purchases fail until the customer acts: perennial interrupted lists them.")
    var interruptsPurchases: Bool?

    @Flag(
        inversion: .prefixedNo,
        help: "Whether purchases on a tester's devices wait for approval: perennial ask-to-buy lists them.")
    var asksToBuy: Bool?

    @Option(
        help: ArgumentHelp(
            "The renewal rate of a tester in Sandbox; environment for that of the environment.", valueName: "rate"))
    var renewalRate: String?

    func validate() throws {
        if renewalRate != nil, rateName == nil {
            let rates = TimeRate.allValueStrings.joined(separator: ", ")
            throw ValidationError("--renewal-rate is environment or one of: \(rates).")
        }
    }

    /// The name of the renewal rate in control/v1.
    fileprivate var rateName: String? {
        renewalRate.flatMap { $0 == "environment" ? $0 : TimeRate(argument: $0)?.rawValue }
    }

    struct Body: Encodable {
        var account: String
        var storefront: String?
        var paymentMethod: String?
        var canMakePayments: Bool?
        var password: String?
        var interruptsPurchases: Bool?
        var renewalRate: String?
        var asksToBuy: Bool?

        init(_ name: String, _ options: AccountOptions, password: String?) {
            account = name
            storefront = options.storefront
            paymentMethod = options.paymentMethod?.rawValue
            canMakePayments = options.canMakePayments
            self.password = password
            interruptsPurchases = options.interruptsPurchases
            renewalRate = options.rateName
            asksToBuy = options.asksToBuy
        }
    }
}

/// The limit of a list.
enum RowLimit {
    private static let allowed = 1...1000

    static func check(_ limit: Int) throws {
        guard allowed.contains(limit) else {
            throw ValidationError("--limit is \(allowed.lowerBound) to \(allowed.upperBound).")
        }
    }
}
