import ArgumentParser
import Perennial
import PerennialStore

/// `perennial refunds list`: the refunded transactions of an app.
struct RefundList: StoreCommand {
    static let configuration = CommandConfiguration(
        "list", "List the refunds of an app, the newest purchase dates first.",
        examples: [
            "refunds list --account ann@example.com", "refunds list --reason app-issue --limit 20 --json",
            "refunds list --from 2026-01-01T00:00:00Z",
        ])

    @OptionGroup var app: AppOption

    @OptionGroup var filter: SaleFilterOptions
    @OptionGroup var page: PageOptions

    @Option(help: "Only refunds for this reason.")
    var reason: CreateRefund.Reason?

    @Option(help: ArgumentHelp("The earliest date of a refund.", valueName: "time"))
    var from: Instant?

    @Option(help: ArgumentHelp("The end of the dates of refunds, itself excluded.", valueName: "time"))
    var to: Instant?

    @OptionGroup var store: StoreOptions

    var names: StoreNames { filter.names(app) }

    func report(from client: StoreClient) async throws -> Report {
        let query = page.query([
            "account": filter.account, "productId": filter.product, "type": filter.type?.type.rawValue,
            "reason": reason.map { "\($0.number)" },
            "fromDate": from?.rfc3339(fraction: true), "untilDate": to?.rfc3339(fraction: true),
        ])
        let answer: StoreAnswer<Answer> = try await client.get(try await app.path(client, "/refunds\(query)"))
        return answer.report { answer in
            ListWords.text(
                ["TRANSACTION", "ACCOUNT", "PRODUCT", "QUANTITY", "PRICE", "SHARE", "REFUNDED", "REASON"],
                answer.refunds.map(\.cells), next: answer.next, none: "There are no refunds")
        }
    }

    private struct Answer: Decodable {
        struct Item: Decodable {
            var transactionId: String
            var account: String
            var productId: String
            var quantity: Int
            var price: Int64
            var currency: String
            var revocationDate: String
            var revocationReason: Int64
            var revocationPercentage: Int64?

            var cells: [String] {
                let reason = CreateRefund.Reason.allCases.first { $0.number == revocationReason }
                // Thousandths of a percent.
                let share = revocationPercentage.map { "\($0 / 1000) %" }
                return [
                    transactionId, account, productId, "\(quantity)",
                    Money(milliunits: price, Currency(rawValue: currency)).description, share ?? "-", revocationDate,
                    reason?.optionName ?? "\(revocationReason)",
                ]
            }
        }

        var refunds: [Item]
        var next: String?
    }
}
