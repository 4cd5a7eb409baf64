import ArgumentParser
import Foundation
import Perennial

/// `perennial products`: the products of an app in an environment.
struct ProductsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "products", "List an app's products, change prices, and take products off sale.",
        examples: [
            "products list", "products price com.example.photomag.magazine.monthly 6.99",
            "products off-sale com.example.photomag.magazine.monthly",
        ],
        subcommands: [
            List.self, Prices.self, Price.self, CancelPrice.self, PricePoints.self, OffSale.self, OnSale.self,
        ], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List an app's products with their prices in an environment.",
            examples: ["products list", "products list --json"])

        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.get(try await app.path(client, "/products"))
            return answer.report { answer in
                guard !answer.products.isEmpty else { return "The app has no products" }
                return TextTable(
                    ["PRODUCT", "TYPE", "PRICE", "STATE", "NAME"],
                    answer.products.map { product in
                        [
                            product.productId, product.type,
                            Money(milliunits: product.price, Currency(rawValue: product.currency)).description,
                            product.clearedForSale ? "for sale" : "off sale", product.name,
                        ]
                    }
                ).text
            }
        }

        private struct Answer: Decodable {
            struct Item: Decodable {
                var productId: String
                var type: String
                var name: String
                var price: Int64
                var currency: String
                var clearedForSale: Bool
            }

            var products: [Item]
        }
    }

    struct Price: StoreCommand {
        static let configuration = CommandConfiguration(
            "price", "Change a product's price in an environment.",
            """
            New customers pay it from now on, subscribers from their next renewal; some increases need their consent. The price \
            holds until the catalog changes its own.
            """,
            examples: [
                "products price com.example.photomag.magazine.monthly 6.99",
                "products price com.example.photomag.magazine.monthly 6.99 --storefront DEU --consent",
                "products price com.example.photomag.magazine.monthly 7.99 --at 2094-01-01 --preserve",
            ])

        @Argument(help: "The product's ID.")
        var product: String

        @Argument(help: ArgumentHelp("Such as 6.99, in the storefront's currency.", valueName: "amount"))
        var amount: PriceAmount

        @OptionGroup var app: AppOption

        @Option(
            help: ArgumentHelp(
                "Three letters of a country; every storefront of the same currency if omitted.", valueName: "code"))
        var storefront: String?

        @Flag(inversion: .prefixedNo, help: "Whether subscribers must agree; Apple's rules decide if omitted.")
        var consent: Bool?

        @Flag(help: "Let subscribers keep the price they have.")
        var preserve = false

        @Option(
            help: ArgumentHelp(
                "The date by the environment's clock, such as 2027-01-01 (0:00 UTC); now if omitted.",
                valueName: "date"))
        var at: PriceDate?

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<ChangedProduct> = try await client.post(
                try await app.path(client, "/products/\(product.percentEncoded)/price"),
                Body(
                    price: amount.milliunits, storefront: storefront, consent: consent,
                    preserve: preserve ? true : nil, at: at?.instant.rfc3339()),
                timeout: StoreClient.advanceTimeout)
            return answer.report { changed in
                if let at {
                    return "\(changed.productId) costs \(amount) from \(at.instant.rfc3339()) on"
                        + (storefront.map { " in \($0)" } ?? "")
                }
                let price = storefront.flatMap { changed.prices[$0] } ?? changed.price
                let currency =
                    storefront.flatMap { Storefront(rawValue: $0).currency } ?? Currency(rawValue: changed.currency)
                return "\(changed.productId) costs \(Money(milliunits: price, currency))"
                    + (storefront.map { " in \($0)" } ?? "")
            }
        }

        private struct Body: Encodable {
            var price: Int64
            var storefront: String?
            var consent: Bool?
            var preserve: Bool?
            var at: String?
        }
    }

    struct OffSale: SaleStateCommand {
        static let configuration = CommandConfiguration(
            "off-sale", "Take a product off sale in an environment.",
            "Its subscriptions end with the period that is paid.",
            examples: ["products off-sale com.example.photomag.magazine.monthly"])
        static let isCleared = false

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions
    }

    struct OnSale: SaleStateCommand {
        static let configuration = CommandConfiguration(
            "on-sale", "Put a product on sale again in an environment.",
            examples: ["products on-sale com.example.photomag.magazine.monthly"])
        static let isCleared = true

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption
        @OptionGroup var store: StoreOptions
    }
}

/// A command that takes a product off sale, or puts it back.
protocol SaleStateCommand: StoreCommand {
    static var isCleared: Bool { get }
    var product: String { get }
    var app: AppOption { get }
}

extension SaleStateCommand {
    var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<ChangedProduct> = try await client.post(
            try await app.path(client, "/products/\(product.percentEncoded)/sale"),
            ["clearedForSale": Self.isCleared])
        return answer.report { "\($0.productId) is \($0.clearedForSale ? "for" : "off") sale" }
    }
}

/// A changed product in control/v1.
struct ChangedProduct: Decodable {
    var productId: String
    var price: Int64
    var currency: String
    var prices: [String: Int64]
    var clearedForSale: Bool
}

/// An amount in the currency's unit, such as 4.99.
struct PriceAmount: ExpressibleByArgument, CustomStringConvertible {
    /// The limit on digits before the point, far above any price.
    private static let maximumDigits = 9

    let milliunits: Int64
    let description: String

    init?(argument: String) {
        let parts = argument.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), let whole = parts.first, (1...Self.maximumDigits).contains(whole.count),
            case let fraction = parts.count == 2 ? parts[1] : "0", (1...3).contains(fraction.count),
            (whole + fraction).utf8.allSatisfy({ (48...57).contains($0) }), let units = Int64(whole),
            let thousandths = Int64(fraction.padding(toLength: 3, withPad: "0", startingAt: 0))
        else { return nil }
        milliunits = units * 1000 + thousandths
        description = argument
    }
}
