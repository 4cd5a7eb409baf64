import AppStoreFormats
import ArgumentParser

/// `perennial redeem CODE`: an offer code, redeemed without a device.
struct Redeem: StoreCommand {
    static let configuration = CommandConfiguration(
        "redeem", "Redeem an offer code for an account.",
        "Buys the product that the code is for, under its offer; perennial offer-codes lists and makes codes.",
        examples: ["redeem SPRING --account ann@example.com --app com.example.magazine"])

    @Argument(help: "The code; case doesn't count.")
    var code: String

    @OptionGroup var customer: CustomerOptions

    @Option(help: ArgumentHelp("Makes repeating harmless: at most 128 characters.", valueName: "key"))
    var idempotencyKey: String?

    @OptionGroup var store: StoreOptions

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Answer> = try await client.post(
            "control/v1/redemptions",
            Body(
                bundleId: customer.app, account: customer.account, code: code, idempotencyKey: idempotencyKey))
        return try answer.report { redeemed in
            let transaction = try Signed.transaction(redeemed.signedTransaction)
            let price = transaction.money.map { ", \($0)" } ?? ""
            let period = transaction.expiresDate.map { ", until \($0.rfc3339)" } ?? ""
            return "\(customer.account) redeemed \(code): "
                + "\(transaction.productId)\(price)\(period): \(redeemed.transactionId)"
        }
    }

    private struct Body: Encodable {
        var bundleId: String
        var account: String
        var code: String
        var idempotencyKey: String?
    }

    private struct Answer: Decodable {
        var transactionId: String
        var signedTransaction: String
    }
}
