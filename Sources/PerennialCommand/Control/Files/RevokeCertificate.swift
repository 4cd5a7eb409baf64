import AppStoreFormats
import ArgumentParser
import Foundation

/// `perennial certificates revoke`: of a running store, since it is the one that is asked about them.
struct RevokeCertificate: StoreCommand {
    static let configuration = CommandConfiguration(
        "revoke", "Revoke the certificate that a running store signs with, and sign with a new one.",
        """
        What the old one has signed fails from now on with verifiers that ask the store about certificates (online checks);
        others find nothing wrong.
        """,
        examples: [
            "certificates revoke --ready-file ready.json",
            "certificates revoke --purpose receipts --ready-file ready.json",
        ])

    struct Answer: Decodable {
        var purpose: String
        var serialNumber: String
        var replacement: String
    }

    @Option(help: "The certificate of transactions or of receipts.")
    var purpose = SigningLeaf.transactions

    @OptionGroup var store: OperatorOptions

    func report(from client: StoreClient) async throws -> Report {
        let answer: StoreAnswer<Answer> = try await client.at(.production).post(
            "control/v1/certificates/revoke", ["purpose": purpose.rawValue])
        return answer.report {
            "\($0.serialNumber) is revoked; \($0.purpose) are signed with \($0.replacement) from now on"
        }
    }
}

extension SigningLeaf: ExpressibleByArgument {}
