import ArgumentParser
import Perennial

/// `perennial journal`: the events of commerce.
struct JournalCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "journal", "List the events of commerce with their money.",
        examples: ["journal list", "journal list --kind renewed --limit 20"], subcommands: [List.self],
        defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the entries of an app's journal, newest first, or those after a position.",
            "Each entry's postings sum to zero.",
            examples: ["journal list --kind refunded", "journal list --after 0 --limit 50 --json"])

        @OptionGroup var app: AppOption

        @Option(
            help: ArgumentHelp("Only entries of this kind, such as purchased or renewed.", valueName: "kind"),
            transform: {
                try NamedValue.find($0, "a kind of entries", in: JournalEntry.Kind.allCases, named: \.rawValue)
            })
        var kind: JournalEntry.Kind?

        @Option(help: ArgumentHelp("The entries after this position, oldest first.", valueName: "position"))
        var after: Int64?

        @Option(help: ArgumentHelp("The entries before this position, newest first.", valueName: "position"))
        var before: Int64?

        @OptionGroup var page: PageLimitOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func validate() throws {
            guard after == nil || before == nil else {
                throw ValidationError("--after and --before exclude each other.")
            }
            try ListPosition.check(after, of: "--after")
            try ListPosition.check(before, of: "--before")
        }

        func report(from client: StoreClient) async throws -> Report {
            let query = ListQuery.text([
                "kind": kind?.rawValue, "position": after.map { "\($0 + 1)" },
                "limit": page.limit.map { "\($0)" }, "after": before.map { "\($0)" },
            ])
            let answer: StoreAnswer<Answer> = try await client.get(try await app.path(client, "/journal\(query)"))
            return answer.report { answer in
                ListWords.text(
                    ["POSITION", "TIME", "KIND", "ACCOUNT", "TRANSACTION", "PRODUCT", "POSTINGS"],
                    answer.entries.map(\.cells), next: answer.next, none: "There are no entries",
                    cursor: after == nil ? "before" : "after")
            }
        }
    }

    private struct Answer: Decodable {
        struct Line: Decodable {
            var account: String
            var amount: Int64
            var currency: String
        }

        struct Grant: Decodable {
            var actor: String
            var reason: String?
        }

        struct Item: Decodable {
            var position: Int64
            var kind: String
            var at: String
            var account: String?
            var transactionId: String?
            var productId: String?
            var postings: [Line]
            var grant: Grant?

            var cells: [String] {
                var lines = postings.map {
                    "\($0.account) \(Money(milliunits: $0.amount, Currency(rawValue: $0.currency)))"
                }
                if let grant { lines.append("granted by \(grant.actor)\(grant.reason.map { ": \($0)" } ?? "")") }
                return [
                    "\(position)", at, kind, account ?? "-", transactionId ?? "-", productId ?? "-",
                    lines.isEmpty ? "-" : lines.joined(separator: ", "),
                ]
            }
        }

        var entries: [Item]
        var next: String?
    }
}
