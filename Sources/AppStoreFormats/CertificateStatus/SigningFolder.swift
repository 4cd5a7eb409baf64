import Crypto
import Foundation
import Perennial

/// A directory of signing identities as a running store uses it: what it signs with, what its certificates say about
/// where to ask for them, and which of them were revoked.
///
/// File work and signatures happen in the calling thread; each takes about a millisecond.
package struct SigningFolder: Sendable {
    private let directory: URL
    private var register: CertificateRegister { CertificateRegister(directory) }
    package private(set) var identities: SigningIdentities

    /// Whether a directory has keys, complete or not.
    package static func holdsKeys(_ directory: URL) -> Bool { DurableDirectory(directory).holdsKeys }

    /// The SHA-256 of the root certificate, by which a database knows its keys.
    package var rootDigest: [UInt8] { Array(SHA256.hash(data: identities.root.encoding)) }

    /// Reads the identities of a directory, or makes them there.
    ///
    /// - Parameter prepared: What is written where there are none; made when it is needed where left out.
    /// - Throws: ``SigningIdentitiesError``, which names the file that is wrong.
    package init(_ directory: URL, prepared: SigningIdentities? = nil) throws(SigningIdentitiesError) {
        self.directory = directory
        identities = try .loadOrMake(
            in: directory,
            making: { () throws(SigningIdentitiesError) in
                guard let prepared else { return try .make() }
                return prepared
            }, afterEachFile: { _ in })
    }

    /// Makes the certificates say where to ask about them. Certificates that say so already stay as they are; of others,
    /// intermediates and leaves are issued again, with the same keys.
    package mutating func publish(at urls: CertificateURLs) throws(SigningIdentitiesError) {
        identities = try SigningIdentities.reissue(in: directory, for: urls)
    }

    /// Revokes the leaf in use and replaces it.
    /// - Returns: The serial number of the revoked certificate, in hexadecimal digits.
    package mutating func revoke(
        _ leaf: SigningLeaf, _ revocation: Revocation
    ) throws(SigningIdentitiesError) -> String {
        let serialNumber = serialNumber(of: leaf)
        // The new leaf first: a crash in between must not leave a store that signs with a revoked one.
        identities = try SigningIdentities.rotateLeaves(
            in: directory, rotating: { (old) throws(SigningIdentitiesError) in try old.withNewLeaves([leaf]) },
            afterEachFile: { _ in })
        try register.revoke(serialNumber, revocation)
        return serialNumber
    }

    /// Takes over the leaves that are in the directory, where one that is in use here was revoked by another process.
    /// - Returns: Whether there was one.
    package mutating func catchUp() throws(SigningIdentitiesError) -> Bool {
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

    /// Every certificate that was revoked, by serial number.
    package func revocations() throws(SigningIdentitiesError) -> [String: Revocation] { try register.revocations() }

    /// The DER of an issuer's certificate.
    package func certificate(_ issuer: IssuingCertificate) -> [UInt8] {
        switch issuer {
        case .root: identities.rootCertificate
        case .receiptRoot: identities.receiptRootCertificate
        case .transactions: identities.transactionIntermediate.encoding
        case .receipts: identities.receiptIntermediate.encoding
        }
    }

    /// Answers an OCSP request (RFC 6960), at an instant of the world's clock.
    package func certificateStatus(_ request: [UInt8], at now: Instant) -> [UInt8] {
        OCSPResponder(identities: identities, register: register).response(to: request, at: now)
    }
}
