import AppStoreFormats
import ArgumentParser
import Foundation
import Perennial

/// `perennial buy PRODUCT`: buys without a device.
struct Buy: StoreCommand {
    static let configuration = CommandConfiguration(
        "buy", "Buy a product for an account.",
        """
        An account that doesn't exist yet is created, with a valid payment method. The same idempotency key with the same
        purchase gives the same transaction, however often it is sent.
        """,
        examples: [
            "buy com.example.photomag.film.roll --account ann@example.com --quantity 3",
            "buy com.example.photomag.magazine.monthly --account ann@example.com --environment staging",
            "buy com.example.photomag.film.roll --account ann@example.com --free --reason compensation",
        ])

    @Argument(help: "The product's ID.")
    var product: String

    @OptionGroup var customer: CustomerOptions

    @Option(help: "1 to 10; consumables only.")
    var quantity = 1

    @Option(help: ArgumentHelp("An offer of the product.", valueName: "id"))
    var offer: String?

    @Option(help: ArgumentHelp("The app's own name for the customer, a UUID.", valueName: "uuid"))
    var appAccountToken: String?

    @Option(help: ArgumentHelp("Makes repeating harmless: at most 128 characters.", valueName: "key"))
    var idempotencyKey: String?

    @Option(help: ArgumentHelp("The kind of device that it is bought on, for reports.", valueName: "family"))
    var deviceFamily: DeviceFamily?

    @Option(help: ArgumentHelp("The version of the app on that device, for reports.", valueName: "version"))
    var appVersion: String?

    @Flag(help: "Give the product without charge; not for auto-renewable subscriptions.")
    var free = false

    @Option(help: ArgumentHelp("Why it is given, for the customer's timeline; with --free.", valueName: "text"))
    var reason: String?

    @OptionGroup var store: StoreOptions

    var names: StoreNames { StoreNames(app: customer.bundleID, product: product, offer: offer) }

    func validate() throws {
        guard (1...10).contains(quantity) else { throw ValidationError("--quantity is 1 to 10.") }
        if reason != nil, !free { throw ValidationError("--reason says why a product is given: add --free.") }
        if let appAccountToken, UUID(uuidString: appAccountToken) == nil {
            throw ValidationError("--app-account-token is a UUID.")
        }
    }

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Answer> = try await client.post(
            "control/v1/purchases",
            Body(
                bundleId: try await client.app(customer.bundleID), account: customer.account, productId: product,
                quantity: quantity,
                offerId: offer, appAccountToken: appAccountToken, idempotencyKey: idempotencyKey,
                device: deviceFamily?.rawValue, appVersion: appVersion, free: free ? true : nil, reason: reason))
        return try answer.report { bought in
            let transaction = try Signed.transaction(bought.signedTransaction)
            let amount = quantity == 1 ? "" : " ×\(quantity)"
            let price = transaction.money.map { ", \($0)" } ?? ""
            let period = transaction.expiresDate.map { ", until \($0.rfc3339)" } ?? ""
            return
                "\(customer.account) \(free ? "was given" : "bought") \(product)\(amount)\(price)\(period): \(bought.transactionId)"
        }
    }

    private struct Body: Encodable {
        var bundleId: String
        var account: String
        var productId: String
        var quantity: Int
        var offerId: String?
        var appAccountToken: String?
        var idempotencyKey: String?
        var device: String?
        var appVersion: String?
        var free: Bool?
        var reason: String?
    }

    private struct Answer: Decodable {
        var transactionId: String
        var signedTransaction: String
    }
}
