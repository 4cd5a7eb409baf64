import Crypto
import Foundation
import Perennial
import SwiftASN1
import X509

/// Answers what has become of a store's certificates. Each answer is good for a few minutes: a revocation shows soon.
///
/// The issuer of the certificate lets a responder sign, as the App Store's issuers do. It could sign itself (RFC 6960,
/// 4.2.2.2), but Apple's library for Node takes no answer but a responder's. The responder lives for one answer: its key
/// is kept nowhere, and costs less to make than the issuer's signature.
struct OCSPResponder: Sendable {
    /// How long an answer may be kept.
    static let lifetimeMilliseconds: Int64 = 600_000

    let identities: SigningIdentities
    let register: CertificateRegister

    /// Answers a request; a failure is an answer, too.
    func response(to bytes: [UInt8], at now: Instant) -> [UInt8] {
        let request: OCSPRequest
        do throws(ReceiptError) {
            request = try OCSPRequest(bytes)
        } catch {
            return OCSPResponse.failure(.malformedRequest)
        }
        guard let issuer = authorities.first(where: { request.certificates.contains(where: $0.isIssuer) }) else {
            return OCSPResponse.failure(.unauthorized)
        }
        do {
            return try response(to: request, from: issuer, at: now.wholeSeconds)
        } catch {
            return OCSPResponse.failure(.internalError)
        }
    }

    private func response(to request: OCSPRequest, from issuer: Authority, at now: Instant) throws -> [UInt8] {
        let singles = try request.certificates.map { certificate in
            // One answer has one signature: another issuer's certificates are asked about in another request.
            let status =
                issuer.isIssuer(of: certificate)
                ? try register.status(
                    of: Hexadecimal.text(certificate.serialNumber), from: issuer.kind, in: identities) : .unknown
            return OCSPResponse.single(
                certificate, status, thisUpdate: now,
                nextUpdate: now + Self.lifetimeMilliseconds)
        }
        let responder = try issuer.delegate()
        let key = responder.certificate.publicKey.subjectPublicKeyInfoBytes
        let data = OCSPResponse.data(
            responderKeyHash: Array(Insecure.SHA1.hash(data: key)), producedAt: now, singles: singles,
            nonce: request.nonce)
        return OCSPResponse.successful(
            data: data, algorithm: Self.ecdsaWithSHA256,
            signature: Array(try responder.key.signature(for: data).derRepresentation),
            certificate: responder.encoding)
    }

    /// ecdsa-with-SHA256, a whole AlgorithmIdentifier.
    private static let ecdsaWithSHA256: [UInt8] = [
        0x30, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x02,
    ]

    private var authorities: [Authority] {
        [
            Authority(.transactions, identities.transactionIntermediate),
            Authority(.receipts, identities.receiptIntermediate),
            Authority(.root, identities.root),
        ] + (identities.receiptRoot.map { [Authority(.receiptRoot, $0)] } ?? [])
    }
}

/// An issuer as OCSP knows it.
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

    /// A key that may sign one answer in the issuer's name, with the certificate that says so.
    func delegate() throws -> SigningIdentity<P256.Signing.PrivateKey> { try delegation() }

    func isIssuer(of certificate: OCSPRequest.CertificateID) -> Bool {
        guard let hash = Self.hashes[certificate.hash] else { return false }
        return hash(name) == certificate.issuerNameHash && hash(key) == certificate.issuerKeyHash
    }

    /// By the whole element of the object identifier.
    private static let hashes: [[UInt8]: @Sendable ([UInt8]) -> [UInt8]] = [
        [0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A]: { Array(Insecure.SHA1.hash(data: $0)) },
        [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]: { Array(SHA256.hash(data: $0)) },
        [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x02]: { Array(SHA384.hash(data: $0)) },
        [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x03]: { Array(SHA512.hash(data: $0)) },
    ]
}
