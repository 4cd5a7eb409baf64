import BaseEncoding
import Crypto
import Foundation
import Perennial
import SwiftASN1
import X509

/// Answers questions about the status of a store's certificates (RFC 6960).
///
/// Each answer is valid for a few minutes, so that a revocation shows soon. The certificate's issuer delegates the
/// signature to a responder, as the App Store's issuers do. It could sign itself (RFC 6960, 4.2.2.2), but Apple's
/// library for Node accepts a responder's answer only. The responder is created for one answer: its key is not stored,
/// and costs less to create than the issuer's signature.
struct OCSPResponder: Sendable {
    /// The time for which clients may cache an answer.
    static let lifetimeMilliseconds: Int64 = 600_000

    let identities: SigningIdentities
    let revocationList: RevocationList

    /// Answers a request; a failure is encoded as an answer.
    func response(to bytes: [UInt8], at now: Instant) -> [UInt8] {
        guard let request = try? OCSPRequest(bytes) else { return OCSPResponse.failure(.malformedRequest) }
        guard let issuer = authorities.first(where: { request.certificates.contains(where: $0.isIssuer) }) else {
            return OCSPResponse.failure(.unauthorized)
        }
        do {
            return try response(to: request, from: issuer, at: now.wholeSeconds)
        } catch {
            return OCSPResponse.failure(.internalError)
        }
    }

    /// Returns true if a request asks about a certificate of its issuer that isn't known to be issued.
    func hasUnknownCertificate(_ bytes: [UInt8]) -> Bool {
        guard let request = try? OCSPRequest(bytes),
            let issuer = authorities.first(where: { request.certificates.contains(where: $0.isIssuer) })
        else { return false }
        return request.certificates.contains { certificate in
            guard issuer.isIssuer(of: certificate) else { return false }
            let status = try? revocationList.status(
                of: Hexadecimal.encode(certificate.serialNumber), from: issuer.kind, in: identities)
            return status == .unknown
        }
    }

    private func response(to request: OCSPRequest, from issuer: Authority, at now: Instant) throws -> [UInt8] {
        let singles = try request.certificates.map { certificate in
            // One answer has one signature: another issuer's certificates are asked about in another request.
            let status =
                issuer.isIssuer(of: certificate)
                ? try revocationList.status(
                    of: Hexadecimal.encode(certificate.serialNumber), from: issuer.kind, in: identities) : .unknown
            return OCSPResponse.Single(
                certificate: certificate, status: status, thisUpdate: now, nextUpdate: now + Self.lifetimeMilliseconds)
        }
        let responder = try issuer.delegate()
        let key = responder.certificate.publicKey.subjectPublicKeyInfoBytes
        var coder = DER.Serializer()
        try coder.serialize(
            OCSPResponse.ResponseData(
                responderKeyHash: Array(Insecure.SHA1.hash(data: key)), producedAt: now, singles: singles,
                nonce: request.nonce))
        let data = coder.serializedBytes
        return try OCSPResponse.successful(
            data: data, signature: Array(try responder.key.signature(for: data).derRepresentation),
            certificate: responder.encoding)
    }

    private var authorities: [Authority] {
        [
            Authority(.transactions, identities.transactionIntermediate),
            Authority(.receipts, identities.receiptIntermediate),
            Authority(.root, identities.root),
        ] + (identities.receiptRoot.map { [Authority(.receiptRoot, $0)] } ?? [])
    }
}

/// An issuer of certificates, with the hashes by which requests name it.
private struct Authority {
    let kind: IssuingCertificate
    /// The public key without its algorithm.
    private let key: [UInt8]
    private let name: [UInt8]
    private let delegation: @Sendable () throws -> SigningIdentity<P256.Signing.PrivateKey>

    init<Key>(_ kind: IssuingCertificate, _ identity: SigningIdentity<Key>) {
        self.kind = kind
        key = Array(identity.certificate.publicKey.subjectPublicKeyInfoBytes)
        var serializer = DER.Serializer()
        name = (try? serializer.serialize(identity.certificate.subject)).map { serializer.serializedBytes } ?? []
        delegation = {
            try identity.issue("Perennial OCSP Responder", role: .responder, key: P256.Signing.PrivateKey())
        }
    }

    /// Creates a key that may sign one answer for the issuer, with its certificate.
    func delegate() throws -> SigningIdentity<P256.Signing.PrivateKey> { try delegation() }

    func isIssuer(of certificate: OCSPRequest.CertificateID) -> Bool {
        guard let hash = Self.hashes[certificate.hash] else { return false }
        return hash(name)[...] == certificate.issuerNameHash && hash(key)[...] == certificate.issuerKeyHash
    }

    /// The hash functions by which a request may name an issuer: SHA-1, SHA-256, SHA-384 and SHA-512.
    private static let hashes: [ASN1ObjectIdentifier: @Sendable ([UInt8]) -> [UInt8]] = [
        [1, 3, 14, 3, 2, 26]: { Array(Insecure.SHA1.hash(data: $0)) },
        [2, 16, 840, 1, 101, 3, 4, 2, 1]: { Array(SHA256.hash(data: $0)) },
        [2, 16, 840, 1, 101, 3, 4, 2, 2]: { Array(SHA384.hash(data: $0)) },
        [2, 16, 840, 1, 101, 3, 4, 2, 3]: { Array(SHA512.hash(data: $0)) },
    ]
}
