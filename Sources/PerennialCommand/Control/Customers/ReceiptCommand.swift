import AppStoreFormats
import ArgumentParser
import Foundation

/// `perennial receipt`: a customer's app receipt.
struct ReceiptCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "receipt", "Get a customer's app receipt.",
        """
        Prints it in base64, as verifyReceipt takes it; --output writes a file in DER, as a device keeps it.
        """,
        examples: [
            "receipt --account ann@example.com --app com.example.magazine | perennial verify -",
            "receipt --account ann@example.com --app com.example.magazine --output receipt.der",
        ])

    @OptionGroup var customer: CustomerOptions

    @Option(
        name: .shortAndLong, help: ArgumentHelp("Where to write the receipt in DER.", valueName: "file"),
        completion: .file())
    var output: String?

    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        let query = "bundleId=\(customer.app.percentEncoded)&account=\(customer.account.percentEncoded)"
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
