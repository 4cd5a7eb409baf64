import ArgumentParser
import Perennial

extension ProductsCommand {
    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show a product of the catalog: its state, texts and what it lacks for a review.",
            examples: ["products show com.example.photomag.magazine.monthly"])

        @OptionGroup var product: ProductArguments
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { product.names }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<CatalogItem> = try await client.at(.production).get(
                try await product.path(client))
            return answer.report(\.table)
        }
    }

    struct Submit: StoreCommand {
        static let configuration = CommandConfiguration(
            "submit", "Submit a product for review.",
            "The store approves it at once, unless it was started with --review manual.",
            examples: ["products submit com.example.photomag.coins"])

        @OptionGroup var product: ProductArguments
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { product.names }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<CatalogItem> = try await client.at(.production).post(
                try await product.path(client, "/submit"), NoFields())
            return answer.report(\.sentence)
        }
    }

    struct Withdraw: StoreCommand {
        static let configuration = CommandConfiguration(
            "withdraw", "Withdraw a product from review.", examples: ["products withdraw com.example.photomag.coins"])

        @OptionGroup var product: ProductArguments
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { product.names }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<CatalogItem> = try await client.at(.production).post(
                try await product.path(client, "/withdraw"), NoFields())
            return answer.report(\.sentence)
        }
    }

    struct Delete: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "delete", "Delete a product of the catalog, which is not on sale.",
            "Its ID is never used again. Purchases stay.", examples: ["products delete com.example.photomag.coins"])

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var expected: RevisionOption
        @OptionGroup var app: AppOption
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        var question: String { "Delete the product \(product)? Its ID is never used again." }

        func report(from client: StoreClient) async throws -> Report {
            try await client.at(.production).delete(try await app.catalogProduct(client, product, expected.query))
            return Report(words: "\(product) is deleted")
        }
    }
}

/// A product of the catalog.
struct ProductArguments: ParsableArguments {
    @Argument(help: "The product's ID.")
    var product: String

    /// Declared a second time, for the reason given at ``StoreOptions``.
    @Option(name: .customLong("app"), help: AppOption.help)
    var bundleID: String?

    var names: StoreNames { StoreNames(app: bundleID, product: product) }

    /// Returns the path of the product in control/v1, or that of something below it.
    func path(_ client: StoreClient, _ rest: String = "") async throws -> String {
        let app = try await client.app(bundleID)
        return "control/v1/apps/\(app.percentEncoded)/catalog/products/\(product.percentEncoded)\(rest)"
    }
}

/// A body without fields.
struct NoFields: Encodable {}
