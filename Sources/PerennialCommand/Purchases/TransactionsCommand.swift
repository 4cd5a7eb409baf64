import ArgumentParser
import Perennial

/// `perennial transactions`: the transactions of an app.
struct TransactionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "transactions", "List the transactions of an app.",
        examples: ["transactions list", "transactions list --account ann@example.com"],
        subcommands: [List.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the transactions of an app, or of one customer, newest first.",
            examples: [
                "transactions list --account ann@example.com", "transactions list --limit 20 --json",
            ])

        @OptionGroup var app: AppOption

        @Option(help: ArgumentHelp("Only those of this customer.", valueName: "name"))
        var account: String?

        @Option(help: ArgumentHelp("At most so many, 1 to 1000.", valueName: "count"))
        var limit = 100

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, account: account) }

        func validate() throws { try ListLimit.check(limit) }

        func report(from client: StoreClient) async throws -> Report {
            let query = "limit=\(limit)" + (account.map { "&account=\($0.percentEncoded)" } ?? "")
            let answer: StoreAnswer<Answer> = try await client.get(
                try await app.path(client, "/transactions?\(query)"))
            return answer.report { answer in
                guard !answer.transactions.isEmpty else { return "There are no transactions" }
                return TextTable(
                    [
                        "TRANSACTION", "ORIGINAL", "ACCOUNT", "PRODUCT", "QUANTITY", "PRICE", "PURCHASED", "EXPIRES",
                        "STATE",
                    ],
                    answer.transactions.map(\.cells)
                ).text
            }
        }
    }

    private struct Answer: Decodable {
        struct Item: Decodable {
            var transactionId: String
            var originalTransactionId: String
            var account: String
            var productId: String
            var quantity: Int
            var price: Int64
            var currency: String
            var purchaseDate: String
            var expiresDate: String?
            var revocationDate: String?
            var isUpgraded: Bool

            var cells: [String] {
                [
                    transactionId, originalTransactionId, account, productId, "\(quantity)",
                    Money(milliunits: price, Currency(rawValue: currency)).description, purchaseDate,
                    expiresDate ?? "-", revocationDate.map { "revoked at \($0)" } ?? (isUpgraded ? "upgraded" : "-"),
                ]
            }
        }

        var transactions: [Item]
    }
}
