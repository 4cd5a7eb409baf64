import ArgumentParser
import Perennial

/// `perennial offer-codes`: the codes of an app.
struct OfferCodesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "offer-codes", "List an app's offer codes, or make some.",
        "Each is for one offer of one product; perennial redeem redeems it.",
        examples: [
            "offer-codes list --app com.example.magazine",
            "offer-codes create radio --product monthly --app com.example.magazine --code SPRING --limit 500",
        ],
        subcommands: [List.self, Create.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List an app's offer codes and how often they were redeemed.",
            examples: ["offer-codes list --app com.example.magazine"])

        @Option(help: ArgumentHelp("The app's bundle ID.", valueName: "bundle-id"))
        var app: String

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Codes> = try await client.get("control/v1/apps/\(app.percentEncoded)/offer-codes")
            return answer.report { $0.codes.isEmpty ? "The app has no offer codes" : $0.table }
        }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Make codes that one customer redeems each, or one that many do.",
            examples: [
                "offer-codes create radio --product monthly --app com.example.magazine --count 20",
                "offer-codes create radio --product monthly --app com.example.magazine --code SPRING --limit 500",
            ])

        @Argument(help: "The offer's ID.")
        var offer: String

        @Option(help: ArgumentHelp("The product that has the offer.", valueName: "id"))
        var product: String

        @Option(help: ArgumentHelp("The app's bundle ID.", valueName: "bundle-id"))
        var app: String

        @Option(help: "A word that many customers redeem; codes for one customer each where left out.")
        var code: String?

        @Option(help: "How many codes for one customer each, at most 1000.")
        var count = 1

        @Option(help: "How many customers redeem the word at most; any number where left out.")
        var limit: Int?

        @Option(help: ArgumentHelp("When they end; codes for one customer end after six months.", valueName: "time"))
        var expires: Instant?

        @OptionGroup var store: StoreOptions

        func validate() throws {
            if code == nil, limit != nil { throw ValidationError("--limit is for a word given with --code.") }
            if code != nil, count != 1 { throw ValidationError("--count is for codes without --code.") }
        }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Codes> = try await client.post(
                "control/v1/apps/\(app.percentEncoded)/offer-codes",
                Body(
                    productId: product, offerId: offer, kind: code == nil ? "oneTime" : "custom", code: code,
                    count: code == nil ? count : nil, expires: expires?.rfc3339(fraction: true),
                    maximumRedemptions: limit))
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

    struct Codes: Decodable {
        struct Item: Decodable {
            var code: String
            var productId: String
            var offerId: String
            var expires: String?
            var maximumRedemptions: Int?
            var redemptions: Int
        }

        var codes: [Item]

        var table: String {
            TextTable(
                ["CODE", "PRODUCT", "OFFER", "REDEEMED", "ENDS"],
                codes.map {
                    [
                        $0.code, $0.productId, $0.offerId,
                        "\($0.redemptions)" + ($0.maximumRedemptions.map { " of \($0)" } ?? ""), $0.expires ?? "never",
                    ]
                }
            ).text
        }
    }
}
