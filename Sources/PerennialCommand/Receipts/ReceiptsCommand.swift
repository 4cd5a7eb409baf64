import AppStoreFormats
import ArgumentParser
import BaseEncoding
import Foundation

/// `perennial receipts`: app receipts.
struct ReceiptsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "receipts", "Show a customer's app receipt, or verify one.",
        examples: [
            "receipts show --account ann@example.com --output receipt.der", "receipts verify receipt.der",
        ],
        subcommands: [Show.self, VerifyReceiptCommand.self])

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show a customer's app receipt.",
            """
            Prints it in base64, as verifyReceipt takes it, on a terminal with its contents; --output writes a file in DER, as
            a device keeps it.
            """,
            examples: [
                "receipts show --account ann@example.com | perennial receipts verify -",
                "receipts show --account ann@example.com --output receipt.der",
            ])

        @OptionGroup var customer: CustomerOptions

        @Option(
            help: ArgumentHelp("The file for the receipt in DER.", valueName: "file"),
            completion: .file())
        var output: String?

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: customer.bundleID, account: customer.account) }
        /// A program that reads the output wants the receipt alone.
        var showsSignedData: Bool { output == nil && Terminal.columns != nil }

        func report(from client: StoreClient) async throws -> Report {
            let app = try await client.app(customer.bundleID)
            let query = "bundleId=\(app.percentEncoded)&account=\(customer.account.percentEncoded)"
            let answer: StoreAnswer<Answer> = try await client.get("control/v1/receipt?\(query)")
            return try answer.report { answer in
                guard let output else { return answer.appReceipt }
                guard let bytes = Base64.decode(answer.appReceipt) else {
                    throw StoreClientError(.notUnderstood, client.endpoint.base, "the receipt is not in base64")
                }
                do {
                    try Data(bytes).write(to: URL(fileURLWithPath: output), options: .atomic)
                } catch {
                    throw CommandError("\(output) can't be written")
                }
                return "The receipt is in \(output): \(bytes.count) bytes"
            }
        }

        private struct Answer: Decodable {
            var appReceipt: String
        }
    }
}
