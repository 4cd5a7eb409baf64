import ArgumentParser

/// `perennial shared-secret`: the shared secret of an app.
struct SharedSecretCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "shared-secret", "Show, create and revoke an app's shared secret.",
        "verifyReceipt asks for it if a receipt has auto-renewable subscriptions. A new one replaces the old one.",
        examples: ["shared-secret show", "shared-secret create"],
        subcommands: [Show.self, Create.self, Revoke.self], defaultSubcommand: Show.self)

    private static let path = "/shared-secret"

    struct Show: StoreCommand {
        static let configuration = CommandConfiguration(
            "show", "Show an app's shared secret.", examples: ["shared-secret show"])

        @OptionGroup var app: AppOption

        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get(
                try await app.path(client, SharedSecretCommand.path))
            return answer.report { $0.sharedSecret ?? "The app has no shared secret: it was revoked" }
        }
    }

    struct Create: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "create", "Create a new shared secret; the old one is refused from now on.",
            examples: ["shared-secret create"])

        @OptionGroup var app: AppOption

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        var question: String {
            "Replace the app's shared secret? Servers that use the old one are refused from now on."
        }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).post(
                try await app.path(client, SharedSecretCommand.path), [String: String]())
            return answer.report { $0.sharedSecret ?? "" }
        }
    }

    struct Revoke: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "revoke", "Revoke an app's shared secret, until a new one is created.",
            examples: ["shared-secret revoke"])

        @OptionGroup var app: AppOption

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        var question: String { "Revoke the app's shared secret? Servers that use it are refused from now on." }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).delete(
                try await app.path(client, SharedSecretCommand.path))
            return answer.report { _ in "The app has no shared secret any more" }
        }
    }

    private struct Answer: Decodable { var sharedSecret: String? }
}
