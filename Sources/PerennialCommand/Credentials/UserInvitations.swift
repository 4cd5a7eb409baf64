import ArgumentParser

extension UsersCommand {
    /// `perennial users invitations`: people who are invited to the team.
    struct Invitations: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "invitations", "List, create, accept and cancel invitations to the team.",
            examples: ["users invitations list", "users invitations accept ivy@example.com"],
            subcommands: [List.self, Create.self, Accept.self, Cancel.self], defaultSubcommand: List.self)

        struct List: StoreCommand {
            static let configuration = CommandConfiguration(
                "list", "List the invitations that can be accepted.", examples: ["users invitations list"])

            @OptionGroup var store: OperatorOptions

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<Answer> = try await client.at(.production).get("control/v1/user-invitations")
                return answer.report { answer in
                    guard !answer.invitations.isEmpty else { return "No one is invited" }
                    return TerminalTable(
                        ["EMAIL", "NAME", "ROLES", "EXPIRES"],
                        answer.invitations.map {
                            [$0.email, "\($0.firstName) \($0.lastName)", $0.roles.joined(separator: ","), $0.expires]
                        }
                    ).text
                }
            }

            private struct Answer: Decodable { var invitations: [Invitation] }
        }

        struct Create: StoreCommand {
            static let configuration = CommandConfiguration(
                "create", "Invite a person to the team, for three days.",
                examples: ["users invitations create ivy@example.com --first-name Ivy --last-name Ink --role sales"])

            @OptionGroup var person: PersonOptions
            @OptionGroup var store: OperatorOptions

            var names: StoreNames { StoreNames(things: person.apps.map(NamedThing.app)) }

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<Invitation> = try await client.at(.production).post(
                    "control/v1/user-invitations", person.body)
                return answer.report { "\($0.email) is invited until \($0.expires)" }
            }
        }

        struct Accept: StoreCommand {
            static let configuration = CommandConfiguration(
                "accept", "Accept an invitation for the person.", examples: ["users invitations accept ivy@example.com"]
            )

            @Argument(help: "The email address.")
            var email: String

            @OptionGroup var store: OperatorOptions

            var names: StoreNames { StoreNames(things: [.invitation(email)]) }

            func report(from client: StoreClient) async throws -> Report {
                let answer: StoreAnswer<User> = try await client.at(.production).post(
                    "control/v1/user-invitations/\(email.percentEncoded)/accept", NoFields())
                return answer.report(\.sentence)
            }
        }

        struct Cancel: StoreCommand {
            static let configuration = CommandConfiguration(
                "cancel", "Take an invitation back.", examples: ["users invitations cancel ivy@example.com"])

            @Argument(help: "The email address.")
            var email: String

            @OptionGroup var store: OperatorOptions

            var names: StoreNames { StoreNames(things: [.invitation(email)]) }

            func report(from client: StoreClient) async throws -> Report {
                try await client.at(.production).delete("control/v1/user-invitations/\(email.percentEncoded)")
                return Report(words: "\(email) is not invited any more")
            }
        }

        struct Invitation: Decodable {
            var email: String
            var firstName: String
            var lastName: String
            var roles: [String]
            var expires: String
        }
    }
}
