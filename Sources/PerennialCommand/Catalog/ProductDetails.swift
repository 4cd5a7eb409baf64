import ArgumentParser
import Perennial

extension ProductsCommand {
    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show a product of the catalog: its state, texts and what it lacks for a review.",
            examples: ["products show com.example.photomag.magazine.monthly"])

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<CatalogItem> = try await client.at(.production).get(
                try await app.catalogProduct(client, product))
            return answer.report(\.table)
        }
    }

    struct Submit: StoreCommand {
        static let configuration = CommandConfiguration(
            "submit", "Submit a product for review.",
            "The store approves it at once, unless it was started with --review manual.",
            examples: ["products submit com.example.photomag.coins"])

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<CatalogItem> = try await client.at(.production).post(
                try await app.catalogProduct(client, product, "/submit"), NoFields())
            return answer.report(\.sentence)
        }
    }

    struct Delete: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "delete", "Delete a product of the catalog, which is not on sale.",
            "Its ID is never used again. Purchases stay.", examples: ["products delete com.example.photomag.coins"])

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        var question: String { "Delete the product \(product)? Its ID is never used again." }

        func report(from client: StoreClient) async throws -> Report {
            try await client.at(.production).delete(try await app.catalogProduct(client, product))
            return Report(words: "\(product) is deleted")
        }
    }
}

/// A body without fields.
struct NoFields: Encodable {}
