import Crypto
import Foundation
import Perennial
import SwiftASN1
import X509

/// Answers what has become of a store's certificates. Each answer is signed by the certificate's own issuer, so nothing
/// has to be delegated, and is good for a few minutes: a revocation shows soon.
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
                nextUpdate: Instant(milliseconds: now.milliseconds + Self.lifetimeMilliseconds))
        }
        let data = OCSPResponse.data(
            responderKeyHash: Array(Insecure.SHA1.hash(data: issuer.key)), producedAt: now, singles: singles,
            nonce: request.nonce)
        return OCSPResponse.successful(
            data: data, algorithm: issuer.algorithm, signature: try issuer.sign(data), certificate: issuer.encoding)
    }

    private var authorities: [Authority] {
        [
            Authority(.transactions, identities.transactionIntermediate, algorithm: Authority.ecdsaWithSHA384),
            Authority(.receipts, identities.receiptIntermediate, algorithm: Authority.sha256WithRSA),
            Authority(.root, identities.root, algorithm: Authority.ecdsaWithSHA384),
        ]
    }
}

/// An issuer as OCSP knows it.
private struct Authority {
    /// ecdsa-with-SHA384, a whole AlgorithmIdentifier.
    static let ecdsaWithSHA384: [UInt8] = [
        0x30, 0x0A, 0x06, 0x08, 0x2A, 0x86, 0x48, 0xCE, 0x3D, 0x04, 0x03, 0x03,
    ]
    /// sha256WithRSAEncryption, a whole AlgorithmIdentifier.
    static let sha256WithRSA: [UInt8] = [
        0x30, 0x0D, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B, 0x05, 0x00,
    ]

    let kind: IssuingCertificate
    let encoding: [UInt8]
    let algorithm: [UInt8]
    /// The public key without its algorithm.
    let key: [UInt8]
    private let name: [UInt8]
    private let signing: @Sendable ([UInt8]) throws -> [UInt8]

    init<Key>(_ kind: IssuingCertificate, _ identity: SigningIdentity<Key>, algorithm: [UInt8]) {
        self.kind = kind
        self.algorithm = algorithm
        encoding = identity.encoding
        key = Array(identity.certificate.publicKey.subjectPublicKeyInfoBytes)
        var serializer = DER.Serializer()
        name = (try? serializer.serialize(identity.certificate.subject)).map { serializer.serializedBytes } ?? []
        let key = identity.key.certificateKey
        signing = { try key.sign(bytes: $0, signatureAlgorithm: Key.signatureAlgorithm).rawRepresentation }
    }

    func sign(_ bytes: [UInt8]) throws -> [UInt8] { try signing(bytes) }

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
