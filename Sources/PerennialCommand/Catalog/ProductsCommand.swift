import ArgumentParser
import Foundation
import Perennial
import PerennialStore

/// `perennial products`: the products of an app in an environment.
struct ProductsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "products", "List, create and change an app's products, and take products off sale.",
        """
        The catalog is the same in every environment: create, show, edit, submit and delete are about it. The other commands \
        are about an environment, which may have other prices and sell fewer products.
        """,
        examples: [
            "products list", "products create com.example.photomag.coins --type consumable --name Coins",
            "products off-sale com.example.photomag.magazine.monthly",
        ],
        subcommands: [
            List.self, Show.self, Create.self, Edit.self, Screenshot.self, Content.self,
            Submit.self, Withdraw.self, Delete.self, OffSale.self, OnSale.self,
        ], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List an app's products with their prices in an environment.",
            examples: ["products list", "products list --type auto-renewable --json"])

        @OptionGroup var app: AppOption

        @Option(help: "Only products of this type.")
        var type: ProductKind?

        @Option(help: ArgumentHelp("Only what has this in its ID or name, in any case.", valueName: "text"))
        var search: String?

        @OptionGroup var page: PageOptions
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let query = page.query(["type": type?.type.rawValue, "search": search])
            let answer: StoreAnswer<Answer> = try await client.get(try await app.path(client, "/products\(query)"))
            return answer.report { answer in
                ListWords.text(
                    ["PRODUCT", "TYPE", "PRICE", "STATE", "NAME"],
                    answer.products.map { product in
                        [
                            product.productId, OptionName.of(product.type),
                            Money(milliunits: product.price, Currency(rawValue: product.currency)).description,
                            product.clearedForSale ? "for sale" : "off sale", product.name,
                        ]
                    }, next: answer.next, none: "The app has no products")
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
            var next: String?
        }
    }

    struct OffSale: SaleStateCommand, DestructiveCommand {
        static let configuration = CommandConfiguration(
            "off-sale", "Take a product off sale in an environment.",
            "Its subscriptions end with the period that is paid.",
            examples: ["products off-sale com.example.photomag.magazine.monthly"])
        static let isCleared = false

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: StoreOptions

        var question: String { "Take \(product) off sale? Its subscriptions end with the period that is paid." }
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
