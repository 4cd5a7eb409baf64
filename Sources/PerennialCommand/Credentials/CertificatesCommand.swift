import AppStoreFormats
import ArgumentParser
import Foundation

/// `perennial certificates`: the certificates and keys that a store signs with.
struct CertificatesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        "certificates", "Rotate and revoke the certificates that a store signs with.",
        examples: [
            "certificates rotate --data perennial-data", "certificates revoke --purpose receipts",
        ], subcommands: [Rotate.self, Revoke.self])

    struct Rotate: AsyncParsableCommand {
        static let configuration = CommandConfiguration(
            "rotate", "Replace the signing keys in a server's folder by new ones.",
            """
            Data that was signed before stays valid: it carries its certificates, and the root stays the same. A running server
            signs with the new keys after its next start.
            """,
            examples: ["certificates rotate --data perennial-data"])

        @Option(
            help: ArgumentHelp("The folder of perennial serve --data.", valueName: "folder"), completion: .directory)
        var data: String

        @OptionGroup var confirmation: ConfirmationOption

        var question: String { "Replace the signing keys in \(data)? The ones before are deleted." }

        func run() async throws {
            try confirmation.ask(question)
            Terminal.out(try rotate())
        }

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

    struct Revoke: DestructiveCommand {
        static let configuration = CommandConfiguration(
            "revoke", "Revoke the certificate that a running store signs with, and sign with a new one.",
            """
            Data signed with the old one fails from now on with verifiers that ask the store about certificates (online checks);
            others accept it.
            """,
            examples: [
                "certificates revoke", "certificates revoke --purpose receipts --serial-number 4b2ad6c04b1c11f0",
            ])

        private struct Request: Encodable {
            var purpose: String
            var serialNumber: String?
        }

        struct Answer: Decodable {
            var purpose: String
            var serialNumber: String
            var replacement: String
        }

        @Option(help: "The certificate of transactions or of receipts.")
        var purpose = SigningLeaf.transactions

        @Option(
            help: ArgumentHelp(
                """
                The certificate's serial number, in hexadecimal digits; the one in use if omitted. One that is revoked already \
                stays as it is, so that the command can be repeated.
                """, valueName: "digits"))
        var serialNumber: String?

        @OptionGroup var confirmation: ConfirmationOption
        @OptionGroup var store: OperatorOptions

        var names: StoreNames { StoreNames(things: serialNumber.map { [.certificate($0)] } ?? []) }
        var question: String {
            let named = serialNumber.map { " \($0)" } ?? ""
            return
                "Revoke the certificate\(named) that signs \(purpose.rawValue)? Online checks then refuse what it signed."
        }

        func report(from client: StoreClient) async throws -> Report {
            let answer: StoreAnswer<Answer> = try await client.at(.production).post(
                "control/v1/certificates/revoke", Request(purpose: purpose.rawValue, serialNumber: serialNumber))
            return answer.report {
                "\($0.serialNumber) is revoked; \($0.purpose) are signed with \($0.replacement) from now on"
            }
        }
    }
}

extension SigningLeaf: ExpressibleByArgument {}
