import ArgumentParser
import Perennial

extension CatalogCommand {
    struct Changes: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "changes", "Print the catalog's journal: who changed what, and when.",
            examples: ["catalog changes list", "catalog changes list --app com.example.photomag --after 120 --json"],
            subcommands: [List.self], defaultSubcommand: List.self)

        struct List: StoreCommand {
            static let configuration = CommandConfiguration(
                "list", "List the changes of the catalog: who changed what, and when.",
                """
                Oldest first. The authors are keys of the App Store Connect API, users, callers of the control API and users of the
                command line. An import names its file as well. --json has all values; the text has those without parts.
                """,
                examples: [
                    "catalog changes list", "catalog changes list --app com.example.photomag --after 120 --json",
                ])

            @Option(
                name: .customLong("app"), help: ArgumentHelp("Only the changes of this app.", valueName: "bundle-id"))
            var bundleID: String?

            @Option(help: ArgumentHelp("Only the changes after this position.", valueName: "position"))
            var after: Int64 = 0

            @Option(help: ArgumentHelp("At most so many rows, 1 to 1000.", valueName: "count"))
            var limit = 100

            @OptionGroup var store: StoreOptions

            var names: StoreNames { StoreNames(app: bundleID) }

            func validate() throws {
                try RowLimit.check(limit)
                try ListPosition.check(after, of: "--after")
            }

            func report(from client: StoreClient) async throws -> Report {
                let app = bundleID.map { "&bundleId=\($0.percentEncoded)" } ?? ""
                let answer: StoreAnswer<Answer> = try await client.get(
                    "control/v1/catalog/changes?limit=\(limit)&after=\(after)\(app)")
                return answer.report { answer in
                    ListWords.text(
                        ["POSITION", "TIME", "AUTHOR", "CHANGE"], answer.changes.map(\.cells),
                        next: answer.next.map { "\($0)" }, none: "The catalog has no changes")
                }
            }

            private struct Answer: Decodable {
                struct Field: Decodable {
                    var name: String
                    var before: String?
                    var after: String?

                    var text: String {
                        switch (before, after) {
                        case (nil, nil): name
                        case (let before?, nil): "\(name) \(before) → none"
                        case (nil, let after?): "\(name) → \(after)"
                        case (let before?, let after?): "\(name) \(before) → \(after)"
                        }
                    }
                }

                struct Item: Decodable {
                    var position: Int64
                    var at: String
                    var actor: String
                    var subject: String
                    var name: String
                    var kind: String
                    var fields: [Field]
                    /// Missing for an edit, and in the answers of earlier versions.
                    var importedFile: String?

                    var cells: [String] {
                        let file = importedFile.map { " from \($0)" } ?? ""
                        let changed = fields.isEmpty ? "" : ": " + fields.map(\.text).joined(separator: "; ")
                        return ["\(position)", at, actor, "\(kind) \(subject) \(name)\(file)\(changed)"]
                    }
                }

                var changes: [Item]
                var next: Int64?
            }
        }
    }
}
