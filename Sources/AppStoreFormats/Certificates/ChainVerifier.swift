import Crypto
import Foundation
import SwiftASN1
import Synchronization
import X509

/// Verifies chains of leaf, intermediate and pinned root, and remembers those it has verified.
///
/// The shape is fixed, so the path is checked here step by step and synchronously: names, signatures, basic
/// constraints, key usages, marker extensions, and no critical extension that is not understood.
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

// MARK: - What each certificate must be

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
        try checkExtensions(marker: CertificateMarker.leaf)
        if case .isCertificateAuthority = try read({ try $0.basicConstraints }) {
            throw wrongPurpose("an authority's certificate where a signer's is expected")
        }
        if let usage = try read({ try $0.keyUsage }), !usage.digitalSignature {
            throw wrongPurpose("its key must not sign data")
        }
    }

    fileprivate func checkIsIntermediate() throws(CertificateChainError) {
        try checkExtensions(marker: CertificateMarker.intermediate)
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

    /// Checks that the marker is there and that no critical extension is left which nobody looks at. A critical
    /// marker is refused as well, as the App Store's own libraries do.
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
