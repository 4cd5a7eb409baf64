import AppStoreFormats
import ArgumentParser
import Perennial

/// `perennial offer-codes`: the offer codes of an app.
struct OfferCodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "offer-codes", "List, create, redeem and deactivate an app's offer codes.",
        "A code is for one offer of one product.",
        examples: [
            "offer-codes list",
            "offer-codes create radio --product com.example.photomag.magazine.monthly --code SPRING --maximum-redemptions 500",
            "offer-codes redeem SPRING --account ann@example.com",
        ],
        subcommands: [List.self, Create.self, Redeem.self, Deactivate.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List an app's offer codes and how often they were redeemed.",
            examples: ["offer-codes list"])

        @OptionGroup var app: AppOption

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Codes> = try await client.get(try await app.path(client, "/offer-codes"))
            return answer.report { $0.codes.isEmpty ? "The app has no offer codes" : $0.table }
        }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Create codes for one customer each, or one code for many customers.",
            examples: [
                "offer-codes create radio --product com.example.photomag.magazine.monthly --count 20",
                "offer-codes create radio --product com.example.photomag.magazine.monthly --code SPRING --maximum-redemptions 500",
            ])

        @Argument(help: "The offer's ID.")
        var offer: String

        @Option(help: ArgumentHelp("The product that has the offer.", valueName: "product-id"))
        var product: String

        @OptionGroup var app: AppOption

        @Option(help: "A word that many customers redeem; codes for one customer each if omitted.")
        var code: String?

        @Option(help: "How many codes for one customer each, at most 1000.")
        var count = 1

        @Option(
            help: ArgumentHelp(
                "How many customers redeem the word at most; any number if omitted.", valueName: "count"))
        var maximumRedemptions: Int?

        @Option(help: ArgumentHelp("When they end; codes for one customer end after six months.", valueName: "time"))
        var expires: Instant?

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product, offer: offer) }

        func validate() throws {
            if code == nil, maximumRedemptions != nil {
                throw ValidationError("--maximum-redemptions is for a word given with --code.")
            }
            if code != nil, count != 1 { throw ValidationError("--count is for codes without --code.") }
        }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Codes> = try await client.post(
                try await app.path(client, "/offer-codes"),
                Body(
                    productId: product, offerId: offer, kind: code == nil ? "oneTime" : "custom", code: code,
                    count: code == nil ? count : nil, expires: expires?.rfc3339(fraction: true),
                    maximumRedemptions: maximumRedemptions))
            return answer.report { $0.codes.map(\.code).joined(separator: "\n") }
        }

        private struct Body: Encodable {
            var productId: String
            var offerId: String
            var kind: String
            var code: String?
            var count: Int?
            var expires: String?
            var maximumRedemptions: Int?
        }
    }

    struct Redeem: StoreCommand {
        static let configuration = CommandConfiguration(
            "redeem", "Redeem an offer code for an account, without a device.",
            "Buys the product of the code, with its offer.",
            examples: ["offer-codes redeem SPRING --account ann@example.com"])

        @Argument(help: "The code; case doesn't count.")
        var code: String

        @OptionGroup var customer: CustomerOptions

        @Option(help: ArgumentHelp("Makes repeating harmless: at most 128 characters.", valueName: "key"))
        var idempotencyKey: String?

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: customer.bundleID, things: [.code(code)]) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.post(
                "control/v1/redemptions",
                Body(
                    bundleId: try await client.app(customer.bundleID), account: customer.account, code: code,
                    idempotencyKey: idempotencyKey))
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

    struct Deactivate: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "deactivate", "Deactivate a code, and those that were created together with it, for good.",
            examples: ["offer-codes deactivate SPRING"])

        @Argument(help: "One of the codes; case doesn't count.")
        var code: String

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, things: [.code(code)]) }
        var question: String { "Deactivate \(code) and the codes that were created together with it?" }

        func report(from client: StoreClient) async throws -> Report {
            try await client.post(try await app.path(client, "/offer-codes/\(code.percentEncoded)/deactivate"))
            return Report(words: "\(code) can't be redeemed any more")
        }
    }

    struct Codes: Decodable {
        struct Item: Decodable {
            var code: String
            var productId: String
            var offerId: String
            var expires: String?
            var maximumRedemptions: Int?
            var redemptions: Int
            var isActive: Bool
        }

        var codes: [Item]

        var table: String {
            TerminalTable(
                ["CODE", "PRODUCT", "OFFER", "REDEEMED", "ENDS"],
                codes.map {
                    [
                        $0.code, $0.productId, $0.offerId,
                        "\($0.redemptions)" + ($0.maximumRedemptions.map { " of \($0)" } ?? ""),
                        $0.isActive ? $0.expires ?? "never" : "deactivated",
                    ]
                }
            ).text
        }
    }
}
