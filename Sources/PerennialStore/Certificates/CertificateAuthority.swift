import AppStoreFormats
import Perennial
import Synchronization

/// A running store's certificates: it says of each whether it is good, and revokes and replaces those it signs with.
package final class CertificateAuthority: Sendable {
    /// A leaf in use.
    package struct Leaf: Sendable, Equatable {
        package let purpose: SigningLeaf
        package let serialNumber: String
    }

    /// A leaf that was revoked, with the one in its place.
    package struct Revoked: Sendable, Equatable {
        package let purpose: SigningLeaf
        package let serialNumber: String
        package let revocation: Revocation
        package let replacement: String
    }

    private let folder: Mutex<SigningFolder>
    private let signing: Signing
    /// The world's clock: certificates are no matter of an environment's.
    private let wallClock: @Sendable () -> Instant

    package init(folder: SigningFolder, signing: Signing, wallClock: @escaping @Sendable () -> Instant) {
        self.folder = Mutex(folder)
        self.signing = signing
        self.wallClock = wallClock
    }

    /// Makes the certificates say that they are asked about at these places, and signs with those that do.
    /// - Throws: `SigningIdentitiesError`, which names the file that is wrong.
    package func publish(at urls: CertificateURLs) throws(SigningIdentitiesError) {
        try change { (folder) throws(SigningIdentitiesError) in try folder.publish(at: urls) }
    }

    /// Revokes the leaf in use; a new one signs from now on. What the old one has signed fails with verifiers that ask.
    /// - Throws: `SigningIdentitiesError`, which names the file that is wrong.
    package func revoke(_ leaf: SigningLeaf, reason: Revocation.Reason) throws(SigningIdentitiesError) -> Revoked {
        let revocation = Revocation(date: wallClock().wholeSeconds, reason: reason)
        return try change { (folder) throws(SigningIdentitiesError) in
            let serialNumber = try folder.revoke(leaf, revocation)
            return Revoked(
                purpose: leaf, serialNumber: serialNumber, revocation: revocation,
                replacement: folder.serialNumber(of: leaf))
        }
    }

    /// Signs with the leaves that another process of the same folder made, if it revoked one that signs here.
    /// - Returns: Whether there was one.
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

    /// Every certificate that was revoked, by serial number.
    package func revocations() throws(SigningIdentitiesError) -> [String: Revocation] {
        try folder.withLock { $0 }.revocations()
    }

    /// The DER of an issuer's certificate.
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
