import ArgumentParser
import Foundation
import Perennial
import PerennialConnect

extension APIKey.Kind: ExpressibleByArgument {
    package init?(argument: String) {
        guard let kind = Self.allCases.first(where: { $0.word == argument }) else { return nil }
        self = kind
    }

    package static var allValueStrings: [String] { allCases.map(\.word) }
    package var defaultValueDescription: String { word }

    /// As the command line says it.
    var word: String {
        switch self {
        case .serverAPI: "server-api"
        case .connectAPI: "connect-api"
        case .promotionalOffer: "promotional-offer"
        }
    }
}

/// `perennial keys`: what an app's servers prove themselves with.
struct KeysCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "keys", "Make, list and revoke an app's keys.",
        """
        The store keeps public keys only: a private key is written once, when it is made. Keys are those of the whole store,
        the same in every environment.
        """,
        examples: [
            "keys list com.example.magazine", "keys create com.example.magazine --kind promotional-offer",
            "keys revoke com.example.magazine 2X9R4HXF34",
        ],
        subcommands: [List.self, Create.self, Revoke.self], defaultSubcommand: List.self)

    /// An app's keys in control/v1.
    static func path(_ bundleID: String) -> String { "control/v1/apps/\(bundleID.percentEncoded)/keys" }

    struct List: StoreCommand {
        static let configuration = CommandConfiguration(
            "list", "List an app's keys, revoked ones too.", examples: ["keys list com.example.magazine"])

        @Argument(help: "The app's bundle ID.")
        var app: String

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).get(KeysCommand.path(app))
            return answer.report { answer in
                let rows = answer.keys.map { key in
                    [
                        key.keyId, APIKey.Kind(rawValue: key.kind)?.word ?? key.kind, key.issuerId, key.created,
                        key.revoked ?? "",
                    ]
                }
                return TextTable(["KEY ID", "KIND", "ISSUER ID", "CREATED", "REVOKED"], rows).text
            }
        }

        private struct Answer: Decodable { var keys: [Key] }
    }

    struct Create: StoreCommand {
        static let configuration = CommandConfiguration(
            "create", "Make a key, and write its private half to a file.",
            examples: [
                "keys create com.example.magazine",
                "keys create com.example.magazine --kind connect-api --output AuthKey.p8",
            ])

        @Argument(help: "The app's bundle ID.")
        var app: String

        @Option(help: "What the key is for.")
        var kind = APIKey.Kind.serverAPI

        @Option(
            help: ArgumentHelp(
                "Where the private key goes; a file of Apple's name in this folder where left out.", valueName: "file"),
            completion: .file())
        var output: String?

        @OptionGroup var store: OperatorOptions

        func validate() throws {
            if let output, FileManager.default.fileExists(atPath: output) {
                throw ValidationError("\(output) is there already: a key is not written over.")
            }
        }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Key> = try await client.at(.production).post(
                KeysCommand.path(app), ["kind": kind.rawValue])
            let path = output ?? KeyFile.name(of: kind, id: answer.value.keyId)
            try KeyFile.write(answer.value.privateKey ?? "", to: path)
            return answer.report { key in
                "\(key.keyId): its private key is in \(path), and nowhere else; issuer ID \(key.issuerId)"
            }
        }
    }

    struct Revoke: StoreCommand {
        static let configuration = CommandConfiguration(
            "revoke", "Revoke a key for good.", examples: ["keys revoke com.example.magazine 2X9R4HXF34"])

        @Argument(help: "The app's bundle ID.")
        var app: String

        @Argument(help: "The key's ID.")
        var id: String

        @OptionGroup var store: OperatorOptions

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Key> = try await client.at(.production).delete(
                "\(KeysCommand.path(app))/\(id.percentEncoded)")
            return answer.report { "\($0.keyId) is revoked: it proves nothing any more" }
        }
    }

    struct Key: Decodable {
        var keyId: String
        var kind: String
        var issuerId: String
        var created: String
        var revoked: String?
        var privateKey: String?
    }
}
