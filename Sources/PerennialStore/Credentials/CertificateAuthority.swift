import AppStoreFormats
import Perennial
import Synchronization

/// The certificates of a running store: answers OCSP requests, and revokes and replaces the leaves it signs with.
package final class CertificateAuthority: Sendable {
    /// A leaf in use.
    package struct Leaf: Sendable, Equatable {
        package let purpose: SigningLeaf
        package let serialNumber: String
    }

    /// A revoked leaf, with its replacement.
    package struct Revoked: Sendable, Equatable {
        package let purpose: SigningLeaf
        package let serialNumber: String
        package let revocation: CertificateRevocation
        package let replacement: String
    }

    private let folder: Mutex<SigningFolder>
    private let signing: Signing
    /// The wall clock: certificates don't depend on an environment's clock.
    private let wallClock: @Sendable () -> Instant

    package init(folder: SigningFolder, signing: Signing, wallClock: @escaping @Sendable () -> Instant) {
        self.folder = Mutex(folder)
        self.signing = signing
        self.wallClock = wallClock
    }

    /// Issues leaves whose certificates name the given OCSP and issuer URLs, and signs with them.
    ///
    /// - Throws: `SigningIdentitiesError`, which names the file that is wrong.
    package func publish(at urls: CertificateURLs) throws(SigningIdentitiesError) {
        try change { (folder) throws(SigningIdentitiesError) in try folder.publish(at: urls) }
    }

    /// Revokes the leaf in use. A new one signs from now on; verifiers that check revocation refuse what the old one
    /// signed.
    ///
    /// - Throws: `SigningIdentitiesError`, which names the file that is wrong.
    package func revoke(_ leaf: SigningLeaf, reason: CertificateRevocation.Reason) throws(SigningIdentitiesError)
        -> Revoked
    {
        let revocation = CertificateRevocation(date: wallClock().wholeSeconds, reason: reason)
        return try change { (folder) throws(SigningIdentitiesError) in
            let serialNumber = try folder.revoke(leaf, revocation)
            return Revoked(
                purpose: leaf, serialNumber: serialNumber, revocation: revocation,
                replacement: folder.serialNumber(of: leaf))
        }
    }

    /// Switches to the leaves that another process of the same folder issued, if it revoked one that signs here.
    ///
    /// - Returns: True if there was one.
    /// - Throws: `SigningIdentitiesError`, which names the file that is wrong.
    package func catchUp() throws(SigningIdentitiesError) -> Bool {
        try folder.withLock { (folder) throws(SigningIdentitiesError) in
            guard try folder.catchUp() else { return false }
            signing.replace(with: folder.identities)
            return true
        }
    }

    package func leaves() -> [Leaf] {
        folder.withLock { folder in
            SigningLeaf.allCases.map { Leaf(purpose: $0, serialNumber: folder.serialNumber(of: $0)) }
        }
    }

    /// Returns every revoked certificate, by serial number.
    package func revocations() throws(SigningIdentitiesError) -> [String: CertificateRevocation] {
        try folder.withLock { $0 }.revocations()
    }

    /// Returns the DER of an issuer's certificate.
    package func certificate(_ issuer: IssuingCertificate) -> [UInt8] {
        folder.withLock { $0.certificate(issuer) }
    }

    /// Answers an OCSP request.
    package func certificateStatus(_ request: [UInt8]) -> [UInt8] {
        folder.withLock { $0 }.certificateStatus(request, at: wallClock())
    }

    private func change<Value: Sendable>(
        _ body: (inout SigningFolder) throws(SigningIdentitiesError) -> Value
    ) throws(SigningIdentitiesError) -> Value {
        try folder.withLock { (folder) throws(SigningIdentitiesError) in
            let value = try body(&folder)
            signing.replace(with: folder.identities)
            return value
        }
    }
}
