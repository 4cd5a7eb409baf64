import ArgumentParser

/// `perennial families`: the groups of accounts that share purchases.
struct FamiliesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "families", "Create families, whose members share what one of them buys.",
        """
        Non-consumables and auto-renewable subscriptions that the catalog calls family shareable are shared. Each member gets \
        transactions of its own, and loses them when the purchaser is refunded or one of the two leaves.
        """,
        examples: ["families create ann@example.com bob@example.com", "families list"],
        subcommands: [List.self, Create.self, Add.self, Remove.self, Delete.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the families.", examples: ["families list"])

        @OptionGroup var store: StoreOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.get("control/v1/families")
            return answer.report { answer in
                guard !answer.families.isEmpty else { return "There are no families" }
                return TerminalTable(
                    ["ID", "ORGANIZER", "MEMBERS"],
                    answer.families.map { [$0.id, $0.organizer, $0.members.joined(separator: ", ")] }
                ).text
            }
        }

        private struct Answer: Decodable { var families: [Family] }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Create a family.", "Accounts that don't exist yet are created.",
            examples: ["families create ann@example.com bob@example.com cem@example.com"])

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
            "add", "Add an account to a family.", examples: ["families add 2000000000000012 cem@example.com"])

        @Argument(help: "The family's number.")
        var id: Int64

        @Argument(help: "The account that joins.")
        var account: String

        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(account: account, things: [.family(id)]) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Family> = try await client.post(
                "control/v1/families/\(id)/members", Body(account: account))
            return answer.report(\.sentence)
        }

        private struct Body: Encodable { var account: String }
    }

    struct Remove: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "remove", "Take an account out of a family: nothing is shared with it any more.",
            examples: ["families remove 2000000000000012 cem@example.com"])

        @Argument(help: "The family's number.")
        var id: Int64

        @Argument(help: "The account that leaves.")
        var account: String

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(account: account, things: [.family(id)]) }

        var question: String { "Take \(account) out of the family \(id)? The account loses what is shared with it." }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Family> = try await client.delete(
                "control/v1/families/\(id)/members/\(account.percentEncoded)")
            return answer.report(\.sentence)
        }
    }

    struct Delete: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "delete", "Delete a family: nothing is shared any more.", examples: ["families delete 2000000000000012"])

        @Argument(help: "The family's number.")
        var id: Int64

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: StoreOptions

        var names: StoreNames { StoreNames(things: [.family(id)]) }

        var question: String { "Delete the family \(id)? Its members lose what is shared with them." }

        func report(from client: StoreClient) async throws -> Report {
            try await client.delete("control/v1/families/\(id)")
            return Report(words: "The family \(id) is deleted")
        }
    }

    struct Family: Decodable {
        var id: String
        var organizer: String
        var members: [String]

        var sentence: String {
            let others = members.isEmpty ? "no one yet" : members.joined(separator: ", ")
            return "Family \(id): \(organizer) shares with \(others)"
        }
    }
}
