import ArgumentParser
import Perennial
import PerennialStore

/// `perennial transactions`: the transactions of an app.
struct TransactionsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "transactions", "List the transactions of an app.",
        examples: ["transactions list", "transactions list --account ann@example.com"],
        subcommands: [List.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the transactions of an app, the newest purchase dates first.",
            examples: [
                "transactions list --account ann@example.com", "transactions list --limit 20 --json",
                "transactions list --state refunded --from 2026-01-01T00:00:00Z",
            ])

        @OptionGroup var app: AppOption

        @OptionGroup var filter: SaleFilterOptions

        @Option(help: "Only transactions in this state.")
        var state: TransactionState?

        @Option(help: ArgumentHelp("The earliest purchase date.", valueName: "time"))
        var from: Instant?

        @Option(help: ArgumentHelp("The end of purchase dates, itself excluded.", valueName: "time"))
        var to: Instant?

        @OptionGroup var page: PageOptions
        @OptionGroup var store: StoreOptions

        var names: StoreNames { filter.names(app) }

        func report(from client: StoreClient) async throws -> Report {
            let query = page.query([
                "account": filter.account, "productId": filter.product, "type": filter.type?.type.rawValue,
                "state": state?.rawValue,
                "fromDate": from?.rfc3339(fraction: true), "untilDate": to?.rfc3339(fraction: true),
            ])
            let answer: StoreAnswer<Answer> = try await client.get(
                try await app.path(client, "/transactions\(query)"))
            return answer.report { answer in
                ListWords.text(
                    [
                        "TRANSACTION", "ORIGINAL", "ACCOUNT", "PRODUCT", "QUANTITY", "PRICE", "PURCHASED", "EXPIRES",
                        "STATE",
                    ], answer.transactions.map(\.cells), next: answer.next, none: "There are no transactions")
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
            var isFinished: Bool
            var state: String

            var cells: [String] {
                let state = revocationDate.map { "\(self.state) at \($0)" } ?? self.state
                return [
                    transactionId, originalTransactionId, account, productId, "\(quantity)",
                    Money(milliunits: price, Currency(rawValue: currency)).description, purchaseDate,
                    expiresDate ?? "-", isFinished ? state : "\(state), unfinished",
                ]
            }
        }

        var transactions: [Item]
        var next: String?
    }
}

/// The sales among which a list is: those of a customer, of a product, of a type.
struct SaleFilterOptions: ParsableArguments {
    @Option(help: ArgumentHelp("Only those of this customer.", valueName: "name"))
    var account: String?

    @Option(help: ArgumentHelp("Only those of this product.", valueName: "product-id"))
    var product: String?

    @Option(help: "Only products of this type.")
    var type: ProductKind?

    func names(_ app: AppOption) -> StoreNames {
        StoreNames(app: app.bundleID, product: product, account: account, isFilter: true)
    }
}
