import Crypto
import Foundation
import Perennial

/// The signing identities of a running store, in a directory or in memory: the keys and certificates, the URLs stated in the
/// certificates, and the revoked certificates.
///
/// File access and signatures run in the calling thread; each takes about a millisecond.
package struct SigningFolder: Sendable {
    /// The directory; `nil` if all is kept in memory.
    let directory: URL?
    /// The cache in memory: the identities with certificates that were replaced, and the revocations.
    private var replaced: [SigningIdentities] = []
    var revoked: [String: CertificateRevocation] = [:]
    /// The certificates that other nodes of the database have issued.
    var issuedElsewhere: Set<IssuedCertificate> = []
    var revocationList: RevocationList {
        var list = directory.map { RevocationList($0) } ?? RevocationList(replaced: replaced, revocations: revoked)
        list.elsewhere = issuedElsewhere
        return list
    }
    package private(set) var identities: SigningIdentities

    /// Returns true if a directory has keys, complete or not.
    package static func holdsKeys(_ directory: URL) -> Bool { DurableDirectory(directory).holdsKeys }

    /// The SHA-256 of the root certificate, which a database stores to recognise its keys.
    package var rootDigest: [UInt8] { Array(SHA256.hash(data: identities.root.encoding)) }

    /// Reads the identities of a directory, or creates them there.
    ///
    /// - Parameter prepared: The identities to write into an empty directory; created on demand if missing.
    /// - Throws: ``SigningIdentitiesError`` with the wrong file.
    package init(_ directory: URL, prepared: SigningIdentities? = nil) throws(SigningIdentitiesError) {
        self.directory = directory
        identities = try .loadOrMake(
            in: directory,
            making: { () throws(SigningIdentitiesError) in
                guard let prepared else { return try .make() }
                return prepared
            }, afterEachFile: { _ in })
    }

    /// Keeps identities in memory: they end with the process, and no file has their keys.
    package init(inMemory identities: SigningIdentities) {
        directory = nil
        self.identities = identities
    }

    /// Issues intermediates and leaves again, with the same keys, if their certificates don't state these URLs.
    package mutating func publish(at urls: CertificateURLs) throws(SigningIdentitiesError) {
        if let directory {
            identities = try SigningIdentities.reissue(in: directory, for: urls)
        } else if try !identities.transactionsState(urls) {
            replaced.append(identities)
            identities = try identities.reissued(for: urls)
        }
    }

    /// Revokes the leaf in use and replaces it.
    /// - Returns: The serial number of the revoked certificate, in hexadecimal digits.
    package mutating func revoke(
        _ leaf: SigningLeaf, _ revocation: CertificateRevocation
    ) throws(SigningIdentitiesError) -> String {
        let serialNumber = serialNumber(of: leaf)
        guard let directory else {
            replaced.append(identities)
            identities = try identities.withNewLeaves([leaf])
            if revoked[serialNumber] == nil { revoked[serialNumber] = revocation }
            return serialNumber
        }
        // The new leaf first: a crash in between must not leave a store that signs with a revoked one.
        identities = try SigningIdentities.rotateLeaves(
            in: directory, rotating: { (old) throws(SigningIdentitiesError) in try old.withNewLeaves([leaf]) },
            afterEachFile: { _ in })
        try RevocationList.revoke(serialNumber, revocation, in: directory)
        return serialNumber
    }

    /// Reads the leaves of the directory again if another process revoked one that is in use here.
    /// - Returns: Whether there was one.
    package mutating func catchUp() throws(SigningIdentitiesError) -> Bool {
        guard let directory else { return false }
        let revoked = try revocations()
        guard SigningLeaf.allCases.contains(where: { revoked[serialNumber(of: $0)] != nil }) else { return false }
        identities = try .loadOrMake(in: directory)
        return true
    }

    /// The serial number of the leaf in use, in hexadecimal digits.
    package func serialNumber(of leaf: SigningLeaf) -> String {
        switch leaf {
        case .transactions: identities.transactionLeaf.serialNumber
        case .receipts: identities.receiptLeaf.serialNumber
        }
    }

    /// Returns the revoked certificates by serial number.
    package func revocations() throws(SigningIdentitiesError) -> [String: CertificateRevocation] {
        try revocationList.revocations()
    }

    /// Returns the DER of an issuer's certificate.
    package func certificate(_ issuer: IssuingCertificate) -> [UInt8] {
        switch issuer {
        case .root: identities.rootCertificate
        case .receiptRoot: identities.receiptRootCertificate
        case .transactions: identities.transactionIntermediate.encoding
        case .receipts: identities.receiptIntermediate.encoding
        }
    }

    /// Returns true if an OCSP request asks about a certificate of one of the issuers that isn't known to be issued.
    package func hasUnknownCertificate(_ request: [UInt8]) -> Bool {
        OCSPResponder(identities: identities, revocationList: revocationList).hasUnknownCertificate(request)
    }

    /// Answers an OCSP request (RFC 6960) at an instant of real time.
    package func certificateStatus(_ request: [UInt8], at now: Instant) -> [UInt8] {
        OCSPResponder(identities: identities, revocationList: revocationList).response(to: request, at: now)
    }
}
