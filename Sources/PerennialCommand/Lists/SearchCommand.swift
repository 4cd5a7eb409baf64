import ArgumentParser

/// `perennial search TEXT`: the thing that a text names.
struct SearchCommand: StoreCommand {
    static let configuration = CommandConfiguration(
        "search", "Say what a name, a number or a UUID is.",
        """
        Finds accounts, transactions, orders, products, notifications, app account tokens and app transactions.
        """,
        examples: ["search ann@example.com", "search 2000000000000002 --json"])

    @Argument(help: "The text, as it stands in a receipt, a notification or a log.")
    var text: String

    @Option(
        name: .customLong("app"),
        help: ArgumentHelp("Only what belongs to this app; all apps if omitted.", valueName: "bundle-id"))
    var bundleID: String?

    @OptionGroup var store: StoreOptions

    var names: StoreNames { StoreNames(app: bundleID) }

    func report(from client: StoreClient) async throws -> Report {
        let query = "text=\(text.percentEncoded)" + (bundleID.map { "&bundleId=\($0.percentEncoded)" } ?? "")
        let answer: StoreAnswer<Answer> = try await client.get("control/v1/search?\(query)")
        return answer.report { answer in
            guard !answer.results.isEmpty else {
                return """
                    Nothing in this environment has that name. Search for the beginning of an account's name, a part of a \
                    product ID, or a whole ID; --environment names another environment.
                    """
            }
            return TerminalTable(
                ["KIND", "ID", "APP", "ACCOUNT", "DETAIL"],
                answer.results.map {
                    [$0.kind, $0.id, $0.bundleId ?? "-", $0.account ?? "-", $0.detail ?? "-"]
                }
            ).text
        }
    }

    private struct Answer: Decodable {
        struct Item: Decodable {
            var kind: String
            var id: String
            var bundleId: String?
            var account: String?
            var detail: String?
        }

        var results: [Item]
    }
}
