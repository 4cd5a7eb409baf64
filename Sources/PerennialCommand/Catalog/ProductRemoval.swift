import ArgumentParser

extension ReviewsCommand {
    struct Remove: RemovalCommand, DestructiveCommand {
        static let configuration = CommandConfiguration(
            "remove", "Remove an approved product from sale, as App Review does.",
            """
            Production doesn't sell it any more, and its subscriptions end with the period that is paid. Sandbox sells it. The \
            seller can't put it back.
            """,
            examples: ["reviews remove com.example.photomag.film.roll"])
        static let isRemoved = true

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var question: String {
            "Remove \(product) from sale in Production? Its subscriptions end with the period that is paid."
        }
    }

    struct Restore: RemovalCommand {
        static let configuration = CommandConfiguration(
            "restore", "Put a product that was removed on sale again.",
            examples: ["reviews restore com.example.photomag.film.roll"])
        static let isRemoved = false

        @Argument(help: "The product's ID.")
        var product: String

        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions
    }
}

/// A command that removes a product from sale as the store's operator, or puts it back.
protocol RemovalCommand: StoreCommand {
    static var isRemoved: Bool { get }
    var product: String { get }
    var app: AppOption { get }
}

extension RemovalCommand {
    var names: StoreNames { StoreNames(app: app.bundleID, product: product) }

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<CatalogItem> = try await client.at(.production).post(
            try await app.catalogProduct(client, product, "/removal"), ["removed": Self.isRemoved])
        return answer.report(\.sentence)
    }
}
