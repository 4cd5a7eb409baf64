import ArgumentParser

/// `perennial apps`: the apps of a store.
struct AppsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "apps", "List the apps of a store.", examples: ["apps list", "apps list --json"], subcommands: [List.self],
        defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the apps of a store, by bundle ID.", examples: ["apps list", "apps list --json"])

        @Option(help: ArgumentHelp("Only what has this in its ID or name, in any case.", valueName: "text"))
        var search: String?

        @OptionGroup var page: PageOptions
        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get(
                "control/v1/apps\(page.query(["search": search]))")
            return answer.report { answer in
                ListWords.text(
                    ["APP", "NUMBER", "PRODUCTS", "NAME"],
                    answer.apps.map { [$0.bundleId, "\($0.appAppleId)", "\($0.productCount)", $0.name] },
                    next: answer.next, none: "The store has no apps")
            }
        }

        private struct Answer: Decodable {
            struct Item: Decodable {
                var bundleId: String
                var appAppleId: Int64
                var name: String
                var productCount: Int
            }

            var apps: [Item]
            var next: String?
        }
    }
}
