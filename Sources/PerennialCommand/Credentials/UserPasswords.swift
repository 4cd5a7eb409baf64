import ArgumentParser
import Foundation

/// Passwords with which users sign in to the console.
extension UsersCommand {
    /// `perennial users password`: the password of a user, who may choose it by a link.
    struct Password: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "password", "Set a user's password for the console, or let the user choose it.",
            examples: ["users password set uma@example.com", "users password create-link uma@example.com"],
            subcommands: [Set.self, CreateLink.self])

        struct Set: StoreCommand {
            static let configuration = CommandConfiguration(
                "set", "Set the password with which a user signs in to the console.",
                """
                Asks for it on a terminal, and reads a line of standard input otherwise. It has at least 10 characters. The user's \
                sessions end.
                """,
                examples: ["users password set uma@example.com"])

            @Argument(help: "The user's email address.")
            var user: String

            @OptionGroup var store: OperatorOptions

            var names: StoreNames { StoreNames(things: [.user(user)]) }

            func report(from client: StoreClient) async throws -> Report {
                guard let password = Terminal.password("Password for \(user): "), !password.isEmpty else {
                    throw ValidationError("A password is typed on the terminal, or a line of standard input.")
                }
                let path = UsersCommand.path(user) + "/password"
                try await client.at(.production).put(path, Body(password: password))
                return Report(words: "\(user) has a new password; sessions with the old one have ended")
            }

            private struct Body: Encodable { var password: String }
        }

        struct CreateLink: StoreCommand {
            static let configuration = CommandConfiguration(
                "create-link", "Make a link with which a user chooses a password for the console.",
                "It is used once, within three days. Send it to the user: the store sends no mail.",
                examples: ["users password create-link uma@example.com"])

            @Argument(help: "The user's email address.")
            var user: String

            @OptionGroup var store: OperatorOptions

            var names: StoreNames { StoreNames(things: [.user(user)]) }

            func report(from client: StoreClient) async throws -> Report {
                let path = UsersCommand.path(user) + "/password-link"
                let answer: StoreAnswer<OpenCommand.Link> = try await client.at(.production).post(path, NoFields())
                return answer.report { "\(client.endpoint.url)\($0.path)" }
            }
        }
    }
}
