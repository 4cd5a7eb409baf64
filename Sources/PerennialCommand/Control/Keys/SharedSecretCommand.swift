import ArgumentParser

/// `perennial shared-secret`: what verifyReceipt asks for.
struct SharedSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "shared-secret", "Show an app's shared secret, make a new one, or revoke it.",
        "What verifyReceipt asks for where a receipt holds auto-renewable subscriptions. A new one takes the place of the old.",
        examples: ["shared-secret show com.example.magazine", "shared-secret create com.example.magazine"],
        subcommands: [Show.self, Create.self, Revoke.self], defaultSubcommand: Show.self)

    /// An app's secret in control/v1.
    static func path(_ bundleID: String) -> String { "control/v1/apps/\(bundleID.percentEncoded)/shared-secret" }

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show an app's shared secret.", examples: ["shared-secret show com.example.magazine"])

        @Argument(help: "The app's bundle ID.")
        var app: String

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get(SharedSecretCommand.path(app))
            return answer.report { $0.sharedSecret ?? "\(app) has no shared secret: it was revoked" }
        }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Make a new shared secret; the old one is refused from now on.",
            examples: ["shared-secret create com.example.magazine"])

        @Argument(help: "The app's bundle ID.")
        var app: String

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).post(
                SharedSecretCommand.path(app), [String: String]())
            return answer.report { $0.sharedSecret ?? "" }
        }
    }

    struct Revoke: StoreCommand {
        static let configuration = CommandConfiguration(
            "revoke", "Revoke an app's shared secret, until one is made.",
            examples: ["shared-secret revoke com.example.magazine"])

        @Argument(help: "The app's bundle ID.")
        var app: String

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).delete(SharedSecretCommand.path(app))
            return answer.report { _ in "\(app) has no shared secret any more" }
        }
    }

    private struct Answer: Decodable { var sharedSecret: String? }
}
