import ArgumentParser
import Perennial

/// `perennial users`: the users of the seller's team.
struct UsersCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "users", "List and change the users of the seller's team, and their invitations.",
        """
        Roles decide what a user may do in the App Store Connect API with an individual key. People who are invited there are \
        accepted here: the store sends no mail.
        """,
        examples: [
            "users list", "users create uma@example.com --first-name Uma --last-name Urban --role developer",
            "users invitations accept ivy@example.com", "users password set uma@example.com",
        ],
        subcommands: [
            List.self, Create.self, Edit.self, Delete.self, Transfer.self, Invitations.self, Password.self,
        ], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List the users, by email address.", examples: ["users list", "users list --json"])

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get("control/v1/users")
            return answer.report { answer in
                guard !answer.users.isEmpty else { return "The team has no users" }
                return TerminalTable(
                    ["USER", "NAME", "ROLES", "APPS", "ID"],
                    answer.users.map { user in
                        [
                            user.username, "\(user.firstName) \(user.lastName)", user.roles.joined(separator: ","),
                            user.allAppsVisible ? "all" : user.visibleApps.joined(separator: ","), user.id,
                        ]
                    }
                ).text
            }
        }

        private struct Answer: Decodable { var users: [User] }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Add a user without an invitation.",
            "One user may be the account holder.",
            examples: [
                "users create ada@example.com --first-name Ada --last-name Able --role account-holder",
                "users create uma@example.com --first-name Uma --last-name Urban --role developer --app com.example.photomag",
            ])

        @OptionGroup var person: PersonOptions
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(things: person.apps.map(NamedThing.app)) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<User> = try await client.at(.production).post("control/v1/users", person.body)
            return answer.report(\.sentence)
        }
    }

    struct Edit: StoreCommand {
        static let configuration = CommandConfiguration(
            "edit", "Change a user's roles and apps; options that are left out change nothing.",
            examples: [
                "users edit uma@example.com --role marketing", "users edit uma@example.com --app com.example.photomag",
                "users edit uma@example.com --all-apps",
            ])

        @Argument(help: "The user's email address.")
        var user: String

        @Option(name: .customLong("role"), parsing: .singleValue, help: "All of the user's roles; may be repeated.")
        var roles: [ConnectRole] = []

        @Option(
            name: .customLong("app"), parsing: .singleValue,
            help: ArgumentHelp("An app that the user may see; may be repeated.", valueName: "bundle-id"))
        var apps: [String] = []

        @Flag(name: .customLong("all-apps"), help: "Let the user see all apps.")
        var allApps = false

        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(things: [.user(user)] + apps.map(NamedThing.app)) }

        func validate() throws {
            guard apps.isEmpty || !allApps else { throw ValidationError("--app and --all-apps exclude each other.") }
        }

        func report(from client: StoreClient) async throws -> Report {
            let body = Body(
                roles: roles.isEmpty ? nil : Set(roles).names, visibleApps: apps.isEmpty && !allApps ? nil : apps)
            let answer: StoreAnswer<User> = try await client.at(.production).post(UsersCommand.path(user), body)
            return answer.report(\.sentence)
        }

        private struct Body: Encodable {
            var roles: [String]?
            var visibleApps: [String]?
        }
    }

    struct Delete: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "delete", "Remove a user from the team and revoke the user's keys.",
            examples: ["users delete uma@example.com"])

        @Argument(help: "The user's email address.")
        var user: String

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(things: [.user(user)]) }

        var question: String { "Remove \(user) from the team? The user's keys are revoked." }

        func report(from client: StoreClient) async throws -> Report {
            try await client.at(.production).delete(UsersCommand.path(user))
            return Report(words: "\(user) is no user any more")
        }
    }

    struct Transfer: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "transfer", "Make a user the account holder; the one before becomes an admin.",
            examples: ["users transfer uma@example.com"])

        @Argument(help: "The user's email address.")
        var user: String

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(things: [.user(user)]) }

        var question: String { "Make \(user) the account holder? The one before becomes an admin." }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<User> = try await client.at(.production).post(
                "\(UsersCommand.path(user))/account-holder", NoFields())
            return answer.report(\.sentence)
        }
    }

    /// The path of a user in control/v1.
    static func path(_ user: String) -> String { "control/v1/users/\(user.percentEncoded)" }

    struct User: Decodable {
        var id: String
        var username: String
        var firstName: String
        var lastName: String
        var roles: [String]
        var allAppsVisible: Bool
        var visibleApps: [String]

        var sentence: String {
            let apps = allAppsVisible ? "all apps" : visibleApps.joined(separator: ", ")
            return "\(username): \(roles.joined(separator: ", ")), \(apps)"
        }
    }
}

/// A person who becomes a user, with roles and apps.
struct PersonOptions: ParsableArguments {
    @Argument(help: "The email address.")
    var email: String

    @Option(name: .customLong("first-name"), help: "The first name.")
    var firstName: String

    @Option(name: .customLong("last-name"), help: "The last name.")
    var lastName: String

    @Option(name: .customLong("role"), parsing: .singleValue, help: "A role; may be repeated.")
    var roles: [ConnectRole]

    @Option(
        name: .customLong("app"), parsing: .singleValue,
        help: ArgumentHelp("An app that the user may see; may be repeated, all if omitted.", valueName: "bundle-id"))
    var apps: [String] = []

    var body: Body {
        Body(
            username: email, firstName: firstName, lastName: lastName, roles: Set(roles).names, visibleApps: apps)
    }

    struct Body: Encodable {
        var username: String
        var firstName: String
        var lastName: String
        var roles: [String]
        var visibleApps: [String]
    }
}
