import Foundation
import Perennial

/// That a certificate must not be trusted any more.
package struct Revocation: Sendable, Hashable, Codable {
    /// Why (RFC 5280, 5.3.1).
    package enum Reason: Int, Sendable, Hashable, Codable, CaseIterable {
        case unspecified = 0
        case keyCompromise = 1
        case affiliationChanged = 3
        case superseded = 4
        case cessationOfOperation = 5
    }

    package let date: Instant
    package let reason: Reason

    package init(date: Instant, reason: Reason) {
        self.date = date
        self.reason = reason
    }

    private enum CodingKeys: String, CodingKey {
        case date, reason
    }

    package init(from decoder: any Decoder) throws {
        let container = try decoder.container(keyedBy: CodingKeys.self)
        date = Instant(milliseconds: try container.decode(Int64.self, forKey: .date))
        reason = try container.decode(Reason.self, forKey: .reason)
    }

    package func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: CodingKeys.self)
        try container.encode(date.milliseconds, forKey: .date)
        try container.encode(reason, forKey: .reason)
    }
}

/// What a directory of signing identities says of the certificates that were ever issued from it: every certificate
/// stays there under its serial number, and `revoked.json` lists those that must not be trusted.
///
/// It is read anew for each question, so that processes that share a directory agree.
struct CertificateRegister: Sendable {
    static let file = "revoked.json"

    private let directory: URL
    private var files: DurableDirectory { DurableDirectory(directory) }

    init(_ directory: URL) {
        self.directory = directory
    }

    /// The status of a certificate that an issuer is said to have issued.
    /// - Parameter serialNumber: In hexadecimal digits.
    func status(
        of serialNumber: String, from issuer: IssuingCertificate, in use: SigningIdentities
    ) throws(SigningIdentitiesError) -> CertificateStatus {
        guard isIssued(serialNumber, from: issuer, in: use) else { return .unknown }
        return try revocations()[serialNumber].map(CertificateStatus.revoked) ?? .good
    }

    private func isIssued(_ serialNumber: String, from issuer: IssuingCertificate, in use: SigningIdentities) -> Bool {
        let names: [String]
        switch issuer {
        case .root:
            let current = [use.transactionIntermediate.serialNumber, use.receiptIntermediate.serialNumber]
            if current.contains(serialNumber) { return true }
            names = [IdentityFile.transactionIntermediate, IdentityFile.receiptIntermediate].map {
                IdentityFile.retired($0, serialNumber)
            }
        case .transactions: names = [IdentityFile.transactionLeaf(serialNumber)]
        case .receipts: names = [IdentityFile.receiptLeaf(serialNumber)]
        }
        return names.contains { files.contains(IdentityFile.certificate($0)) }
    }

    /// Every revocation by serial number.
    func revocations() throws(SigningIdentitiesError) -> [String: Revocation] {
        guard files.contains(Self.file) else { return [:] }
        let bytes = try files.read(Self.file)
        do {
            return try JSONDecoder().decode([String: Revocation].self, from: Data(bytes))
        } catch {
            throw SigningIdentitiesError(
                .unreadable, file: files.path(Self.file), reason: "not the JSON that lists revoked certificates")
        }
    }

    /// Adds a revocation. The first one of a certificate stands.
    func revoke(_ serialNumber: String, _ revocation: Revocation) throws(SigningIdentitiesError) {
        let lock = try files.lock()
        defer { lock.release() }
        var revocations = try revocations()
        guard revocations[serialNumber] == nil else { return }
        revocations[serialNumber] = revocation
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let bytes: Data
        do {
            bytes = try encoder.encode(revocations)
        } catch {
            throw SigningIdentitiesError(.generationFailed, file: Self.file, reason: "\(error)")
        }
        try files.write(Array(bytes), as: Self.file, mode: 0o644)
    }
}
