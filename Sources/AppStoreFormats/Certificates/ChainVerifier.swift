import Crypto
import CryptoExtras
import Foundation
import Perennial
import SwiftASN1
import Synchronization
import X509

/// Verifies chains of leaf, intermediate and pinned root, and caches the verified ones.
///
/// The shape is fixed, so the path is checked step by step and synchronously: names, signatures, basic constraints, key
/// usages, marker extensions, and no critical extension that is not understood.
struct ChainVerifier: Sendable {
    private let roots: [Certificate]
    private let rootEncodings: Set<[UInt8]>
    private let cache = ChainCache()

    init(trustedRoots: [Certificate]) {
        roots = trustedRoots
        rootEncodings = Set(trustedRoots.compactMap { try? $0.derEncoding() })
    }

    init(trustedRoots: [[UInt8]]) throws(CertificateChainError) {
        var roots: [Certificate] = []
        for root in trustedRoots { roots.append(try Certificate(der: root)) }
        self.roots = roots
        rootEncodings = Set(trustedRoots)
    }

    /// Verifies the chain of a leaf.
    ///
    /// - Parameters:
    ///   - certificates: The certificates that came with the signed data. Every one must be of use: the leaf, the
    ///     intermediate or a pinned root.
    ///   - signer: Which of them is the leaf; `nil` for the first.
    func verify(
        _ certificates: [[UInt8]], signer: CertificateIdentity?
    ) throws(CertificateChainError) -> VerifiedChain {
        let key = ChainCache.key(certificates, signer)
        if let chain = cache[key] { return chain }
        let chain = try verifyUncached(certificates, signer: signer)
        cache[key] = chain
        return chain
    }

    private func verifyUncached(
        _ certificates: [[UInt8]], signer: CertificateIdentity?
    ) throws(CertificateChainError) -> VerifiedChain {
        var others = certificates.filter { !rootEncodings.contains($0) }
        guard others.count == 2 else {
            throw CertificateChainError(
                .untrusted, subject: "certificates",
                reason: "a leaf, an intermediate and at most pinned roots are expected; \(others.count) are not pinned")
        }
        var identity = try CertificateIdentity(certificate: others[0])
        var otherIdentity = try CertificateIdentity(certificate: others[1])
        if let signer, signer != identity {
            guard signer == otherIdentity else {
                throw CertificateChainError(
                    .untrusted, subject: "signer", reason: "no certificate has its issuer and serial number")
            }
            others.swapAt(0, 1)
            swap(&identity, &otherIdentity)
        }
        let leaf = try Certificate(der: others[0])
        let intermediate = try Certificate(der: others[1])
        try leaf.checkIsLeaf()
        try intermediate.checkIsIntermediate()
        try leaf.checkIsIssued(by: intermediate)
        try checkIsIssuedByRoot(intermediate)
        return VerifiedChain(identity: identity, leaf: leaf, intermediate: intermediate)
    }

    /// Checks that a pinned root issued an intermediate.
    private func checkIsIssuedByRoot(_ intermediate: Certificate) throws(CertificateChainError) {
        for root in roots {
            do {
                return try intermediate.checkIsIssued(by: root)
            } catch { continue }
        }
        throw CertificateChainError(
            .untrusted, subject: String(describing: intermediate.subject), reason: "no trusted root has issued it")
    }
}

// MARK: - Checks of each certificate

extension Certificate {
    /// Reads a certificate.
    init(der: [UInt8]) throws(CertificateChainError) {
        do {
            try self.init(derEncoded: der)
        } catch {
            throw CertificateChainError(.unreadable, subject: "certificate", reason: "\(error)")
        }
    }

    /// The certificate's DER encoding.
    func derEncoding() throws -> [UInt8] {
        var serializer = DER.Serializer()
        try serializer.serialize(self)
        return serializer.serializedBytes
    }

    fileprivate func checkIsLeaf() throws(CertificateChainError) {
        try checkExtensions(marker: CertificateOIDs.leaf)
        if case .isCertificateAuthority = try read({ try $0.basicConstraints }) {
            throw wrongPurpose("an authority's certificate where a signer's is expected")
        }
        if let usage = try read({ try $0.keyUsage }), !usage.digitalSignature {
            throw wrongPurpose("its key must not sign data")
        }
    }

    fileprivate func checkIsIntermediate() throws(CertificateChainError) {
        try checkExtensions(marker: CertificateOIDs.intermediate)
        guard case .isCertificateAuthority = try read({ try $0.basicConstraints }) else {
            throw wrongPurpose("not an authority's certificate")
        }
        if let usage = try read({ try $0.keyUsage }), !usage.keyCertSign {
            throw wrongPurpose("its key must not sign certificates")
        }
    }

    fileprivate func checkIsIssued(by issuer: Certificate) throws(CertificateChainError) {
        guard self.issuer == issuer.subject, issuer.publicKey.isValidSignature(signature, for: self) else {
            throw CertificateChainError(
                .untrusted, subject: String(describing: subject), reason: "not issued by \(issuer.subject)")
        }
    }

    /// Checks that the marker is present and that every critical extension is understood. A critical marker is refused
    /// as well, as in the App Store's own libraries.
    private func checkExtensions(marker: ASN1ObjectIdentifier) throws(CertificateChainError) {
        guard extensions[oid: marker] != nil else { throw wrongPurpose("no extension \(marker)") }
        for each in extensions where each.critical {
            let isUnderstood =
                each.oid == .X509ExtensionID.basicConstraints || each.oid == .X509ExtensionID.keyUsage
            guard isUnderstood else { throw wrongPurpose("a critical extension \(each.oid)") }
        }
    }

    private func read<Value>(_ property: (Extensions) throws -> Value) throws(CertificateChainError) -> Value {
        do {
            return try property(extensions)
        } catch {
            throw CertificateChainError(.unreadable, subject: String(describing: subject), reason: "\(error)")
        }
    }

    private func wrongPurpose(_ reason: String) -> CertificateChainError {
        CertificateChainError(.wrongPurpose, subject: String(describing: subject), reason: reason)
    }
}

/// A leaf whose chain to a pinned root was verified. Its validity is checked at the instant of each use.
struct VerifiedChain: Sendable {
    let identity: CertificateIdentity
    /// The leaf's subject, for messages.
    let subject: String
    /// The leaf's key, if it is an RSA key.
    let rsaKey: _RSA.Signing.PublicKey?
    /// The leaf's key, if it is on the curve P-256.
    let p256Key: P256.Signing.PublicKey?
    /// The validity of leaf and intermediate. A pinned root's own dates don't count: it is trusted as a name and a key
    /// (RFC 5280, 6.1.1).
    private let validities: [(subject: String, notBefore: Date, notAfter: Date)]

    init(identity: CertificateIdentity, leaf: Certificate, intermediate: Certificate) {
        self.identity = identity
        subject = String(describing: leaf.subject)
        rsaKey = _RSA.Signing.PublicKey(leaf.publicKey)
        p256Key = P256.Signing.PublicKey(leaf.publicKey)
        validities = [leaf, intermediate].map {
            (String(describing: $0.subject), $0.notValidBefore, $0.notValidAfter)
        }
    }

    /// Checks that leaf and intermediate cover an instant.
    func check(at instant: Date) throws(CertificateChainError) {
        // Compared as numbers, so that a date which is none is refused as well.
        let seconds = instant.timeIntervalSince1970
        for (subject, notBefore, notAfter) in validities
        where !(notBefore.timeIntervalSince1970 <= seconds && seconds <= notAfter.timeIntervalSince1970) {
            let (from, to, at) = (Self.text(notBefore), Self.text(notAfter), Self.text(instant))
            throw CertificateChainError(
                .outsideValidity, subject: subject, reason: "valid from \(from) to \(to), not at \(at)")
        }
    }

    /// Formats a date for messages. Foundation's own description crashes for dates beyond the calendar.
    private static func text(_ date: Date) -> String {
        ReceiptDate.instant(date).rfc3339()
    }
}

/// A cache of verified chains by SHA-256, of the certificates or of a JWS header. Chains that failed are not cached.
final class ChainCache: Sendable {
    typealias Key = SHA256.Digest

    /// The most chains. Each rotation of the leaves adds one; when a sender presents more, the cache is emptied.
    static let capacity = 64

    private let chains = Mutex<[Key: VerifiedChain]>([:])

    static func key(_ certificates: [[UInt8]], _ signer: CertificateIdentity?) -> Key {
        var hash = SHA256()
        let parts = certificates + (signer.map { [$0.issuer, $0.serialNumber] } ?? [])
        for part in parts {
            // The lengths keep the borders between the parts.
            withUnsafeBytes(of: UInt64(truncatingIfNeeded: part.count).bigEndian) { hash.update(bufferPointer: $0) }
            hash.update(data: part)
        }
        return hash.finalize()
    }

    subscript(key: Key) -> VerifiedChain? {
        get { chains.withLock { $0[key] } }
        set {
            chains.withLock { chains in
                if chains.count >= Self.capacity { chains.removeAll(keepingCapacity: true) }
                chains[key] = newValue
            }
        }
    }
}
