import ArgumentParser
import Perennial

/// `perennial offers`: the offers of a product of the catalog.
struct OffersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "offers", "List, create, change and delete the offers of products.",
        "Introductory, promotional and win-back offers of subscriptions, and offers for codes: offer-codes makes the codes.",
        examples: [
            "offers list com.example.photomag.magazine.monthly",
            "offers create com.example.photomag.magazine.weekly introductory --mode free-trial --period P3D",
        ],
        subcommands: [List.self, Create.self, Edit.self, Delete.self])

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List a product's offers.", examples: ["offers list com.example.photomag.magazine.monthly"])

        @OptionGroup var product: ProductArguments
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { product.names }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get(
                try await product.path(client, "/offers"))
            return answer.report(\.table)
        }
    }

    struct Delete: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "delete", "Delete an offer. Customers who have it keep it.",
            "An offer for codes is ended instead: its codes can't be redeemed any more.",
            examples: [
                "offers delete com.example.photomag.magazine.monthly promotional half",
                "offers delete com.example.photomag.magazine.monthly introductory all",
            ])

        @OptionGroup var offer: OfferArguments
        @OptionGroup var expected: RevisionOption
        @OptionGroup var app: AppOption
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: offer.product, offer: offer.id) }

        var question: String { "Delete the \(offer)?" }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).delete(
                try await app.catalogProduct(client, offer.product, offer.path + expected.query))
            return answer.report { _ in "The \(offer) is gone" }
        }
    }

    struct Answer: Decodable {
        struct Offer: Decodable {
            var kind: String
            var offerId: String?
            var name: String?
            var paymentMode: String?
            var period: String?
            var periodCount: Int?
            var starts: String?
            var ends: String?
            var active: Bool
            var storefronts: [String]?
            var prices: [String: Int64]
        }

        var productId: String
        var offers: [Offer]

        var table: String {
            guard !offers.isEmpty else { return "The product has no offers" }
            return TerminalTable(
                ["KIND", "OFFER", "MODE", "DURATION", "PRICE", "STOREFRONTS", "DAYS"],
                offers.map { offer in
                    let kind = CatalogOfferKind(rawValue: offer.kind).map { OfferKind($0).rawValue } ?? offer.kind
                    let days = [offer.starts.map { "from \($0)" }, offer.ends.map { "until \($0)" }].compactMap { $0 }
                    let count = offer.periodCount.map { $0 == 1 ? "" : " × \($0)" } ?? ""
                    return [
                        kind, offer.offerId ?? "", offer.paymentMode ?? "one time",
                        offer.period.map { $0 + count } ?? "", Self.price(offer),
                        offer.storefronts.map { $0.count > 3 ? "\($0.count)" : $0.joined(separator: " ") } ?? "all",
                        offer.active ? days.joined(separator: " ") : "ended",
                    ]
                }
            ).text
        }

        /// The price in the United States, or in the first storefront.
        private static func price(_ offer: Offer) -> String {
            guard let code = offer.prices["USA"] == nil ? offer.prices.keys.min() : "USA",
                let amount = offer.prices[code]
            else { return "free" }
            let currency = Storefront(rawValue: code).currency ?? .usd
            return "\(Money(milliunits: amount, currency)) in \(code)"
        }
    }
}

/// The kinds of offers, as the command line spells them.
enum OfferKind: String, NamedArgument {
    case introductory, promotional, code
    case winBack = "win-back"

    init(_ kind: CatalogOfferKind) {
        switch kind {
        case .introductory: self = .introductory
        case .promotional: self = .promotional
        case .code: self = .code
        case .winBack: self = .winBack
        }
    }

    /// The name in control/v1.
    var name: String {
        switch self {
        case .introductory: CatalogOfferKind.introductory.rawValue
        case .promotional: CatalogOfferKind.promotional.rawValue
        case .code: CatalogOfferKind.code.rawValue
        case .winBack: CatalogOfferKind.winBack.rawValue
        }
    }
}
