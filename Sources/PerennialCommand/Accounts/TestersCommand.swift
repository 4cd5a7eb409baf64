import ArgumentParser
import Perennial
import PerennialStore

/// `perennial testers`: sandbox testers.
struct TestersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "testers", "List and change sandbox testers, and clear what they have bought.",
        "Every account of a sandbox environment is a tester.",
        examples: ["testers list", "testers clear ann@example.com"],
        subcommands: [List.self, Edit.self, Clear.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the testers of an environment, by account.",
            examples: ["testers list", "testers list --environment staging --json"])

        @OptionGroup var page: PageOptions
        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.get("control/v1/testers\(page.query())")
            return answer.report { answer in
                ListWords.text(
                    ["ID", "ACCOUNT", "NAME", "STOREFRONT", "RENEWAL RATE", "PURCHASES"],
                    answer.testers.map { tester in
                        [
                            tester.id, tester.account,
                            [tester.firstName, tester.lastName].compactMap { $0 }.joined(separator: " "),
                            tester.storefront, tester.renewalRate.map(OptionName.of) ?? "",
                            [
                                tester.interruptsPurchases ? "interrupted" : nil,
                                tester.asksToBuy == true ? "ask to buy" : nil,
                            ].compactMap { $0 }.joined(separator: ", "),
                        ]
                    }, next: answer.next, none: "The environment has no testers")
            }
        }

        private struct Answer: Decodable {
            var testers: [Tester]
            var next: String?
        }
    }

    struct Edit: StoreCommand {
        static let configuration = CommandConfiguration(
            "edit", "Change a tester; options that are left out change nothing.",
            examples: [
                "testers edit ann@example.com --first-name Ann --last-name Able",
                "testers edit ann@example.com --renewal-rate monthly-renewal-every-hour --storefront DEU",
                "testers edit ann@example.com --asks-to-buy",
            ])

        @Argument(help: "The tester's account.")
        var account: String

        @Option(name: .customLong("first-name"), help: "The first name.")
        var firstName: String?

        @Option(name: .customLong("last-name"), help: "The last name.")
        var lastName: String?

        @OptionGroup var properties: AccountOptions
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(account: account) }

        func report(from client: StoreClient) async throws -> Report {
            let path = "control/v1/testers/\(account.percentEncoded)"
            // Fails for an unknown account, which the next request would create.
            let _: StoreAnswer<Tester> = try await client.get(path)
            let _: StoreAnswer<AccountsCommand.Account> = try await client.post(
                "control/v1/accounts", AccountOptions.Body(account, properties, password: nil))
            let answer: StoreAnswer<Tester> = try await client.post(
                path, Names(firstName: firstName, lastName: lastName))
            return answer.report {
                "\($0.account): storefront \($0.storefront), \($0.renewalRate.map(OptionName.of) ?? "the environment's rate")"
            }
        }

        private struct Names: Encodable {
            var firstName: String?
            var lastName: String?
        }
    }

    struct Clear: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "clear", "Clear a tester's purchase history.",
            """
            The tester can buy everything again and is eligible for introductory offers. Subscriptions end. What was bought stays \
            with another account, for the journal and reports.
            """,
            examples: ["testers clear ann@example.com"])

        @Argument(help: "The tester's account.")
        var account: String

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(account: account) }

        var question: String { "Clear the purchases of \(account)? They can't be brought back." }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Tester> = try await client.post(
                "control/v1/testers/\(account.percentEncoded)/clear-purchase-history", NoFields())
            return answer.report { "\($0.account) has bought nothing" }
        }
    }

    struct Tester: Decodable {
        var id: String
        var account: String
        var firstName: String?
        var lastName: String?
        var storefront: String
        var interruptsPurchases: Bool
        var renewalRate: String?
        var asksToBuy: Bool?
    }
}
