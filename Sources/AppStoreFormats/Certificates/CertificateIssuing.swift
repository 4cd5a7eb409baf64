import Foundation
import SwiftASN1
import X509

/// What a certificate is for: it decides its constraints, its key usages and its marker.
enum CertificateRole {
    case root
    case intermediate
    case leaf
    /// Signs an issuer's answers about its certificates (RFC 6960, 4.2.2.2).
    case responder

    fileprivate var basicConstraints: BasicConstraints {
        switch self {
        case .root: .isCertificateAuthority(maxPathLength: nil)
        case .intermediate: .isCertificateAuthority(maxPathLength: 0)
        case .leaf, .responder: .notCertificateAuthority
        }
    }

    fileprivate var keyUsage: KeyUsage {
        switch self {
        case .root, .intermediate: KeyUsage(keyCertSign: true, cRLSign: true)
        case .leaf, .responder: KeyUsage(digitalSignature: true)
        }
    }

    fileprivate var purpose: [Certificate.Extension] {
        get throws {
            switch self {
            case .root: []
            case .intermediate: [CertificateMarker.certificateExtension(CertificateMarker.intermediate)]
            case .leaf: [CertificateMarker.certificateExtension(CertificateMarker.leaf)]
            case .responder:
                [
                    try Certificate.Extension(ExtendedKeyUsage([.ocspSigning]), critical: false),
                    CertificateMarker.certificateExtension(CertificateMarker.noStatus),
                ]
            }
        }
    }
}

/// How long our certificates are valid. Signed data is verified at the date it carries, and a store's clock can be set
/// anywhere: so they begin before any App Store and end after any plan.
enum CertificateValidity {
    /// 2000-01-01T00:00:00Z.
    static let notBefore = Date(timeIntervalSince1970: 946_684_800)
    /// 2060-01-01T00:00:00Z.
    static let notAfter = Date(timeIntervalSince1970: 2_840_140_800)
}

extension SigningIdentity {
    /// Makes a self-signed certificate.
    static func makeRoot(_ commonName: String, key: Key) throws -> Self {
        try make(
            commonName, role: .root, key: key, issuer: try .perennial(commonName), issuerKey: key,
            authorityKey: key.certificateKey.publicKey)
    }

    /// Makes the certificate of a key, signed by this identity.
    /// - Parameter access: Where verifiers ask about it, as an extension; see ``CertificateURLs``.
    func issue<Subject: SigningKey>(
        _ commonName: String, role: CertificateRole, key: Subject, access: Certificate.Extension? = nil
    ) throws -> SigningIdentity<Subject> {
        try .make(
            commonName, role: role, key: key, issuer: certificate.subject, issuerKey: self.key,
            authorityKey: certificate.publicKey, access: access)
    }

    private static func make(
        _ commonName: String, role: CertificateRole, key: Key, issuer: DistinguishedName,
        issuerKey: some SigningKey, authorityKey: Certificate.PublicKey, access: Certificate.Extension? = nil
    ) throws -> Self {
        let publicKey = key.certificateKey.publicKey
        var extensions = try Certificate.Extensions {
            Critical(role.basicConstraints)
            Critical(role.keyUsage)
            SubjectKeyIdentifier(hash: publicKey)
            // The identifier of the issuer's key, as the issuer's certificate states it.
            AuthorityKeyIdentifier(keyIdentifier: SubjectKeyIdentifier(hash: authorityKey).keyIdentifier)
        }
        if let access { try extensions.append(access) }
        for purpose in try role.purpose { try extensions.append(purpose) }
        let certificate = try Certificate(
            version: .v3, serialNumber: .unpredictable(),
            publicKey: publicKey, notValidBefore: CertificateValidity.notBefore,
            notValidAfter: CertificateValidity.notAfter, issuer: issuer, subject: try .perennial(commonName),
            signatureAlgorithm: type(of: issuerKey).signatureAlgorithm, extensions: extensions,
            issuerPrivateKey: issuerKey.certificateKey)
        return try Self(key: key, encoding: try certificate.derEncoding())
    }
}

extension DistinguishedName {
    static func perennial(_ commonName: String) throws -> DistinguishedName {
        try DistinguishedName {
            CommonName(commonName)
            OrganizationName("Perennial")
        }
    }
}

extension Certificate.SerialNumber {
    /// 63 bits: positive, and never the same twice.
    static func unpredictable() -> Self { Self(UInt64.random(in: 1...UInt64(Int64.max))) }
}
