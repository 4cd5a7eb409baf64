import ArgumentParser
import Foundation
import Perennial
import PerennialConnect

/// The kinds of API keys, as the command line spells them.
enum KeyKind: String, ExpressibleByArgument, CaseIterable {
    case serverAPI = "server-api"
    case connectAPI = "connect-api"
    case promotionalOffer = "promotional-offer"

    /// Takes `connect` for `connect-api`, too.
    init?(argument: String) { self.init(rawValue: argument == "connect" ? Self.connectAPI.rawValue : argument) }

    init(_ kind: APIKey.Kind) {
        switch kind {
        case .serverAPI: self = .serverAPI
        case .connectAPI: self = .connectAPI
        case .promotionalOffer: self = .promotionalOffer
        }
    }

    var kind: APIKey.Kind {
        switch self {
        case .serverAPI: .serverAPI
        case .connectAPI: .connectAPI
        case .promotionalOffer: .promotionalOffer
        }
    }
}

/// `perennial keys`: the API keys of an app's servers, and the seller's keys of the App Store Connect API.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "keys", "List, create and revoke an app's keys.",
        """
        The store keeps public keys only: a private key is written once, when it is created. Keys are valid in every environment. \
        Keys of the App Store Connect API have roles, and open all apps; a user's individual key has the user's.
        """,
        examples: [
            "keys list", "keys create --kind promotional-offer", "keys create --kind connect --role finance",
            "keys revoke 2X9R4HXF34",
        ],
        subcommands: [List.self, Create.self, Revoke.self], defaultSubcommand: List.self)

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List an app's keys, revoked ones too.",
            examples: ["keys list", "keys list --app com.example.photomag --json"])

        @OptionGroup var app: AppOption

        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID) }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get(
                try await app.path(client, "/keys"))
            return answer.report { answer in
                let rows = answer.keys.map { key in
                    [
                        key.keyId, APIKey.Kind(rawValue: key.kind).map { KeyKind($0).rawValue } ?? key.kind,
                        key.issuerId, key.created,
                        key.roles?.joined(separator: ",") ?? key.user.map { "user \($0)" } ?? "", key.lastUsed ?? "",
                        key.revoked ?? "",
                    ]
                }
                return TerminalTable(
                    ["KEY ID", "KIND", "ISSUER ID", "CREATED", "ROLES", "LAST USED", "REVOKED"], rows
                ).text
            }
        }

        private struct Answer: Decodable { var keys: [Key] }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Create a key, and write its private half to a file.",
            examples: [
                "keys create",
                "keys create --kind connect --role finance --role sales --output AuthKey.p8",
                "keys create --kind connect --user uma@example.com",
            ])

        @OptionGroup var app: AppOption

        @Option(help: "The API that the key opens; connect is short for connect-api.")
        var kind = KeyKind.serverAPI

        @Option(
            name: .customLong("role"), parsing: .singleValue,
            help: ArgumentHelp(
                "A role of a key of the App Store Connect API; may be repeated, admin if omitted.", valueName: "role"))
        var roles: [ConnectRole] = []

        @Option(
            help: ArgumentHelp(
                "The user whose individual key of the App Store Connect API it is, with the user's roles and apps.",
                valueName: "email"))
        var user: String?

        @Option(
            help: ArgumentHelp(
                "The file for the private key; one with Apple's name in this folder if omitted.", valueName: "file"),
            completion: .file())
        var output: String?

        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, things: user.map { [.user($0)] } ?? []) }

        func validate() throws {
            if let output, FileManager.default.fileExists(atPath: output) {
                throw ValidationError("\(output) is there already: a key is not written over.")
            }
            guard roles.isEmpty && user == nil || kind == .connectAPI else {
                throw ValidationError("--role and --user are for --kind connect: other keys have no roles.")
            }
            guard roles.isEmpty || user == nil else {
                throw ValidationError("--role and --user exclude each other: a user's key has the user's roles.")
            }
            if let role = roles.first(where: { !ConnectRole.ofKeys.contains($0) }) {
                throw ValidationError("A team key can't have the role \(role.rawValue): users have it.")
            }
        }

        func report(from client: StoreClient) async throws -> Report {
            let answer = try await created(by: client)
            let path = output ?? KeyFile.name(of: kind.kind, id: answer.value.keyId)
            try KeyFile.write(answer.value.privateKey ?? "", to: path)
            return answer.report { key in
                "\(key.keyId): its private key is in \(path), and nowhere else; issuer ID \(key.issuerId)"
            }
        }

        /// Creates the key: one of the App Store Connect API is no app's.
        private func created(by client: StoreClient) async throws -> StoreAnswer<Key> {
            guard kind == .connectAPI else {
                return try await client.at(.production).post(
                    try await app.path(client, "/keys"), ["kind": kind.kind.rawValue])
            }
            if let user { return try await client.at(.production).post("control/v1/connect-keys", ["user": user]) }
            let names = Set(roles.isEmpty ? [.admin] : roles).names
            return try await client.at(.production).post("control/v1/connect-keys", ["roles": names])
        }
    }

    struct Revoke: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "revoke", "Revoke a key for good.", examples: ["keys revoke 2X9R4HXF34"])

        @OptionGroup var app: AppOption

        @Argument(help: "The key's ID.")
        var id: String

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(app: app.bundleID, things: [.key(id)]) }

        var question: String { "Revoke the key \(id)? Servers that use it are refused from now on." }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Key> = try await client.at(.production).delete(
                try await app.path(client, "/keys/\(id.percentEncoded)"))
            return answer.report { "\($0.keyId) is revoked: servers that use it are refused" }
        }
    }

    struct Key: Decodable {
        var keyId: String
        var kind: String
        var issuerId: String
        var created: String
        var revoked: String?
        var roles: [String]?
        var user: String?
        var lastUsed: String?
        var privateKey: String?
    }
}
