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

    /// The status of a certificate that an issuer is said to have issued. One for receipts from 2050 on has the status of
    /// the one that it stands in for: the key is the same.
    /// - Parameter digits: The serial number, hexadecimal.
    func status(
        of digits: String, from issuer: IssuingCertificate, in use: SigningIdentities
    ) throws(SigningIdentitiesError) -> CertificateStatus {
        let hasLate = use.hasLateReceiptChain && (issuer == .receipts || issuer == .receiptRoot)
        let serialNumber = hasLate ? LateSerialNumber.original(of: digits) : digits
        guard isIssued(serialNumber, from: issuer, in: use) else { return .unknown }
        return try revocations()[serialNumber].map(CertificateStatus.revoked) ?? .good
    }

    private func isIssued(_ serialNumber: String, from issuer: IssuingCertificate, in use: SigningIdentities) -> Bool {
        let names: [String]
        switch issuer {
        case .root, .receiptRoot:
            var issued =
                issuer == .root
                ? [(IdentityFile.transactionIntermediate, use.transactionIntermediate.serialNumber)] : []
            if issuer == use.receiptRootIssuer {
                issued.append((IdentityFile.receiptIntermediate, use.receiptIntermediate.serialNumber))
            }
            if issued.contains(where: { $0.1 == serialNumber }) { return true }
            names = issued.map { IdentityFile.retired($0.0, serialNumber) }
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
