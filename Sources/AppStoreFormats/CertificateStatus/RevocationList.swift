import Foundation
import Perennial

/// The revocation of a certificate.
package struct CertificateRevocation: Sendable, Hashable, Codable {
    /// The reason of a revocation (RFC 5280, 5.3.1).
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

/// The revoked certificates of a directory of signing identities.
///
/// Every certificate that was issued from the directory stays there under its serial number, and `revoked.json` lists
/// the revoked ones. The list is read for each question, so that processes that share a directory agree.
struct RevocationList: Sendable {
    static let file = "revoked.json"

    /// The place where certificates and revocations are kept.
    private enum Place {
        case directory(URL)
        case memory(replaced: [SigningIdentities], revocations: [String: CertificateRevocation])
    }

    private let place: Place
    /// Certificates that were issued from other directories.
    var elsewhere: Set<IssuedCertificate> = []

    init(_ directory: URL) {
        place = .directory(directory)
    }

    /// The list of a store that keeps its keys in memory.
    /// - Parameter replaced: Identities that signed before, with other certificates.
    init(replaced: [SigningIdentities], revocations: [String: CertificateRevocation]) {
        place = .memory(replaced: replaced, revocations: revocations)
    }

    /// Returns the status of a certificate.
    ///
    /// A certificate for receipts from 2050 on has the status of the certificate that it replaces, because both have
    /// one key.
    /// - Parameters:
    ///   - digits: The serial number in hexadecimal.
    ///   - issuer: The issuer that the question names.
    func status(
        of digits: String, from issuer: IssuingCertificate, in use: SigningIdentities
    ) throws(SigningIdentitiesError) -> CertificateStatus {
        let hasLate = use.hasLateReceiptChain && (issuer == .receipts || issuer == .receiptRoot)
        let serialNumber = hasLate ? LateSerialNumber.original(of: digits) : digits
        let isElsewhere = elsewhere.contains { $0.serialNumber == serialNumber && $0.issuer == issuer }
        guard isElsewhere || isIssued(serialNumber, from: issuer, in: use) else { return .unknown }
        return try revocations()[serialNumber].map(CertificateStatus.revoked) ?? .good
    }

    func isIssued(_ serialNumber: String, from issuer: IssuingCertificate, in use: SigningIdentities) -> Bool {
        switch place {
        case .memory(let replaced, _):
            return ([use] + replaced).contains { $0.issuedSerialNumbers(from: issuer).contains(serialNumber) }
        case .directory(let directory):
            return isIssued(serialNumber, from: issuer, in: use, DurableDirectory(directory))
        }
    }

    private func isIssued(
        _ serialNumber: String, from issuer: IssuingCertificate, in use: SigningIdentities, _ files: DurableDirectory
    ) -> Bool {
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

    /// Returns every revocation by serial number.
    func revocations() throws(SigningIdentitiesError) -> [String: CertificateRevocation] {
        let files: DurableDirectory
        switch place {
        case .memory(_, let revocations): return revocations
        case .directory(let directory): files = DurableDirectory(directory)
        }
        guard files.contains(Self.file) else { return [:] }
        let bytes = try files.read(Self.file)
        do {
            return try JSONDecoder().decode([String: CertificateRevocation].self, from: Data(bytes))
        } catch {
            throw SigningIdentitiesError(
                .unreadable, file: files.path(Self.file), reason: "not the JSON that lists revoked certificates")
        }
    }

    /// Adds a revocation to a directory. A second one of the same certificate changes nothing.
    static func revoke(
        _ serialNumber: String, _ revocation: CertificateRevocation, in directory: URL
    ) throws(SigningIdentitiesError) {
        let files = DurableDirectory(directory)
        let lock = try files.lock()
        defer { lock.release() }
        var revocations = try RevocationList(directory).revocations()
        guard revocations[serialNumber] == nil else { return }
        revocations[serialNumber] = revocation
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        let bytes: Data
        do {
            bytes = try encoder.encode(revocations)
        } catch {
            throw SigningIdentitiesError(.generationFailed, file: file, reason: "\(error)")
        }
        try files.write(Array(bytes), as: file, mode: 0o644)
    }
}

extension SigningIdentities {
    /// Returns the serial numbers of the certificates in use that an issuer has signed.
    fileprivate func issuedSerialNumbers(from issuer: IssuingCertificate) -> [String] {
        let receipts = issuer == receiptRootIssuer ? [receiptIntermediate.serialNumber] : []
        return switch issuer {
        case .root: [transactionIntermediate.serialNumber] + receipts
        case .receiptRoot: receipts
        case .transactions: [transactionLeaf.serialNumber]
        case .receipts: [receiptLeaf.serialNumber]
        }
    }
}
