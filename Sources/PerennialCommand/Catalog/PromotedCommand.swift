import ArgumentParser

/// `perennial promoted`: the products that the App Store promotes on an app's page.
struct PromotedCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "promoted", "List, add, order and remove the products that the App Store promotes.",
        "They stand on the app's page in the App Store, at most 20, the same in all environments.",
        examples: ["promoted list"],
        subcommands: [List.self, Add.self, Order.self, Remove.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the promoted products in their order.", examples: ["promoted list"])

        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get(
                try await app.path(client, "/catalog/promoted"))
            return answer.report(\.table)
        }
    }

    struct Add: StoreCommand {
        static let configuration = CommandConfiguration(
            "add", "Promote a product, after the others.",
            examples: ["promoted add com.example.photomag.film.roll"])

        @Argument(help: "The product's ID.")
        var product: String

        @Flag(help: "Show it only to customers for whom the app does.")
        var hidden = false

        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).post(
                try await app.path(client, "/catalog/promoted"), Body(productId: product, visible: !hidden))
            return answer.report(\.table)
        }

        private struct Body: Encodable {
            var productId: String
            var visible: Bool
        }
    }

    struct Order: StoreCommand {
        static let configuration = CommandConfiguration(
            "order", "Put the promoted products in another order.",
            examples: ["promoted order com.example.photomag.film.roll"])

        @Argument(help: "Each of the promoted products once, in the new order.")
        var products: [String]

        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, things: products.map(NamedThing.product)) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).put(
                try await app.path(client, "/catalog/promoted"), ["productIds": products])
            return answer.report(\.table)
        }
    }

    struct Remove: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "remove", "End the promotion of a product.",
            examples: ["promoted remove com.example.photomag.film.roll"])

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

        var question: String { "End the promotion of \(product)?" }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).delete(
                try await app.path(client, "/catalog/promoted/\(product.percentEncoded)"))
            return answer.report(\.table)
        }
    }

    private struct Answer: Decodable {
        struct Product: Decodable {
            var productId: String
            var name: String
            var visible: Bool
        }

        var promoted: [Product]

        var table: String {
            guard !promoted.isEmpty else { return "The app promotes no product" }
            return TerminalTable(
                ["PRODUCT", "NAME", "SHOWN"],
                promoted.map { [$0.productId, $0.name, $0.visible ? "to all" : "by the app"] }
            ).text
        }
    }
}
