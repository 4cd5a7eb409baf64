import AppStoreFormats
import ArgumentParser
import Foundation

/// `perennial certificates`: the keys that a store signs with.
struct CertificatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "certificates", "Look after the keys that a store signs with.",
        examples: [
            "certificates rotate --data perennial-data", "certificates revoke --ready-file ready.json",
        ], subcommands: [Rotate.self, RevokeCertificate.self])

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "rotate", "Replace the signing keys in a server's folder by new ones.",
            """
            What was signed before stays valid: it carries its certificates, and the root stays the same. A server that runs
            signs with the new keys once it is started again.
            """,
            examples: ["certificates rotate --data perennial-data"])

        @Option(
            help: ArgumentHelp("The folder of perennial serve --data.", valueName: "folder"), completion: .directory)
        var data: String

        func run() async throws { Terminal.out(try rotate()) }

        /// - Throws: ``CommandError`` for a folder without keys, `SigningIdentitiesError`, which names the file that is wrong.
        func rotate() throws -> String {
            let keys = URL(fileURLWithPath: data).appendingPathComponent("keys")
            guard FileManager.default.fileExists(atPath: keys.path) else {
                throw CommandError("\(data) holds no keys: name the folder of perennial serve --data")
            }
            _ = try SigningIdentities.rotateLeaves(in: keys)
            return "\(keys.path) has new signing keys: start the server again to sign with them"
        }
    }
}
