import ArgumentParser

/// `perennial family`: who shares purchases with whom.
struct FamilyCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "family", "Make families, whose members share what one of them buys.",
        """
        Shared are non-consumables and auto-renewable subscriptions that the catalog calls family shareable. Each member gets \
        transactions of its own, and loses them when the purchaser is refunded or one of the two leaves.
        """,
        examples: ["family create ann@example.com bob@example.com", "family list"],
        subcommands: [List.self, Create.self, Add.self, Remove.self, Dissolve.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the families.", examples: ["family list"])

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.get("control/v1/families")
            return answer.report { answer in
                guard !answer.families.isEmpty else { return "There are no families" }
                return TextTable(
                    ["ID", "ORGANIZER", "MEMBERS"],
                    answer.families.map { [$0.id, $0.organizer, $0.members.joined(separator: ", ")] }
                ).text
            }
        }

        private struct Answer: Decodable { var families: [Family] }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Make a family.", "Accounts that aren't there yet are made.",
            examples: ["family create ann@example.com bob@example.com cem@example.com"])

        @Argument(help: "The organizer's account.")
        var organizer: String

        @Argument(help: "Up to five others.")
        var members: [String] = []

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Family> = try await client.post(
                "control/v1/families", Body(organizer: organizer, members: members))
            return answer.report(\.sentence)
        }

        private struct Body: Encodable {
            var organizer: String
            var members: [String]
        }
    }

    struct Add: StoreCommand {
        static let configuration = CommandConfiguration(
            "add", "Add an account to a family.", examples: ["family add 2000000000000012 cem@example.com"])

        @Argument(help: "The family's number.")
        var id: Int64

        @Argument(help: "Who joins.")
        var account: String

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Family> = try await client.post(
                "control/v1/families/\(id)/members", Body(account: account))
            return answer.report(\.sentence)
        }

        private struct Body: Encodable { var account: String }
    }

    struct Remove: StoreCommand {
        static let configuration = CommandConfiguration(
            "remove", "Take an account out of a family: nothing is shared with it any more.",
            examples: ["family remove 2000000000000012 cem@example.com"])

        @Argument(help: "The family's number.")
        var id: Int64

        @Argument(help: "Who leaves.")
        var account: String

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Family> = try await client.delete(
                "control/v1/families/\(id)/members/\(account.percentEncoded)")
            return answer.report(\.sentence)
        }
    }

    struct Dissolve: StoreCommand {
        static let configuration = CommandConfiguration(
            "dissolve", "End a family: nothing is shared any more.", examples: ["family dissolve 2000000000000012"])

        @Argument(help: "The family's number.")
        var id: Int64

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            try await client.delete("control/v1/families/\(id)")
            return Report(words: "The family \(id) is dissolved")
        }
    }

    struct Family: Decodable {
        var id: String
        var organizer: String
        var members: [String]

        var sentence: String {
            let others = members.isEmpty ? "nobody yet" : members.joined(separator: ", ")
            return "Family \(id): \(organizer) shares with \(others)"
        }
    }
}
