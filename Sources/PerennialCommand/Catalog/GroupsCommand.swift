import ArgumentParser
import Perennial

/// `perennial groups`: the groups of auto-renewable subscriptions of an app.
struct GroupsCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "groups", "List, create and change an app's subscription groups.",
        "A customer has one subscription of a group at a time.",
        examples: ["groups list", "groups create Club --display-name en-US=Club"],
        subcommands: [List.self, Create.self, Edit.self, Submit.self, Delete.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List an app's subscription groups with their products, the highest level first.",
            examples: ["groups list", "groups list --json"])

        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get(
                try await app.path(client, "/catalog/groups"))
            return answer.report { answer in
                guard !answer.groups.isEmpty else { return "The app has no subscription groups" }
                return TerminalTable(
                    ["GROUP", "NAME", "TEXTS", "PRODUCTS", "REVISION"],
                    answer.groups.map {
                        [$0.groupId, $0.name, $0.versionState, $0.products.joined(separator: ", "), "\($0.revision)"]
                    }
                ).text
            }
        }

        private struct Answer: Decodable { var groups: [Group] }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Create a subscription group.",
            examples: ["groups create Club --display-name en-US=Club --app-name en-US=Photomag"])

        @Argument(help: "The reference name, which only the seller sees.")
        var name: String

        @OptionGroup var texts: GroupTexts
        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Group> = try await client.at(.production).post(
                try await app.path(client, "/catalog/groups"), Body(name: name, localizations: texts.all))
            return answer.report { "\($0.name) has the ID \($0.groupId)" }
        }
    }

    struct Edit: StoreCommand {
        static let configuration = CommandConfiguration(
            "edit", "Change a subscription group; options that are left out change nothing.",
            examples: ["groups edit Club --name Circle", "groups edit Circle --display-name de-DE=Kreis"])

        @Argument(help: "The group's ID or reference name.")
        var group: String

        @Option(help: "Another reference name.")
        var name: String?

        @Option(
            name: .customLong("remove-locale"), parsing: .singleValue,
            help: ArgumentHelp("A language whose texts are removed; may be repeated.", valueName: "locale"))
        var removedLocales: [String] = []

        @OptionGroup var expected: RevisionOption
        @OptionGroup var texts: GroupTexts
        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, group: group) }

        func report(from client: StoreClient) async throws -> Report {
            let body = Body(
                name: name, localizations: texts.all, removedLocales: removedLocales.isEmpty ? nil : removedLocales,
                revision: expected.revision)
            let answer: StoreAnswer<Group> = try await client.at(.production).post(
                try await app.path(client, "/catalog/groups/\(group.percentEncoded)"), body)
            return answer.report { "\($0.groupId): \($0.name), texts are \($0.versionState)" }
        }
    }

    struct Submit: StoreCommand {
        static let configuration = CommandConfiguration(
            "submit", "Submit a group's names for review.", examples: ["groups submit Club"])

        @Argument(help: "The group's ID or reference name.")
        var group: String

        @OptionGroup var app: AppOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, group: group) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Group> = try await client.at(.production).post(
                try await app.path(client, "/catalog/groups/\(group.percentEncoded)/submit"), NoFields())
            return answer.report { "\($0.groupId): \($0.name), texts are \($0.versionState)" }
        }
    }

    struct Delete: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "delete", "Delete a group without subscriptions.", examples: ["groups delete Club"])

        @Argument(help: "The group's ID or reference name.")
        var group: String

        @OptionGroup var expected: RevisionOption
        @OptionGroup var app: AppOption
        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, group: group) }

        var question: String { "Delete the subscription group \(group)?" }

        func report(from client: StoreClient) async throws -> Report {
            try await client.at(.production).delete(
                try await app.path(client, "/catalog/groups/\(group.percentEncoded)\(expected.query)"))
            return Report(words: "\(group) is deleted")
        }
    }

    struct Group: Decodable {
        var groupId: String
        var name: String
        var products: [String]
        var versionState: String
        var revision: Int64
    }

    private struct Body: Encodable {
        var name: String?
        var localizations: [GroupTexts.Text]?
        var removedLocales: [String]?
        var revision: Int64?
    }
}

/// The texts of a group that customers see.
struct GroupTexts: ParsableArguments {
    @Option(
        name: .customLong("display-name"), parsing: .singleValue,
        help: ArgumentHelp("A name that customers see; may be repeated.", valueName: "locale=text"))
    var displayNames: [LocalizedText] = []

    @Option(
        name: .customLong("app-name"), parsing: .singleValue,
        help: ArgumentHelp("The app's name above the group's; may be repeated.", valueName: "locale=text"))
    var appNames: [LocalizedText] = []

    var all: [Text]? {
        LocalizedText.joined(displayNames, appNames) { Text(locale: $0, name: $1, customAppName: $2) }
    }

    struct Text: Encodable {
        var locale: String
        var name: String?
        var customAppName: String?
    }
}
