import Foundation
import SwiftASN1
import X509

/// The purpose of a certificate, which decides its constraints, its key usages and its marker.
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
            case .intermediate: [CertificateOIDs.certificateExtension(CertificateOIDs.intermediate)]
            case .leaf: [CertificateOIDs.certificateExtension(CertificateOIDs.leaf)]
            case .responder:
                [
                    try Certificate.Extension(ExtendedKeyUsage([.ocspSigning]), critical: false),
                    CertificateOIDs.certificateExtension(CertificateOIDs.noStatus),
                ]
            }
        }
    }
}

/// The period for which a certificate is valid.
struct CertificateValidity {
    let notBefore: Date
    let notAfter: Date

    /// The time from 1970-01-01T00:00:00Z to 9999-12-31T23:59:59Z, the end that means none (RFC 5280, 4.1.2.5).
    ///
    /// Signed data is verified at the date it carries, and a store's clock can be set to any date of the protocols.
    static let unlimited = CertificateValidity(
        notBefore: Date(timeIntervalSince1970: 0), notAfter: Date(timeIntervalSince1970: 253_402_300_799))

    /// The time from 1970 to 2049-12-31T23:59:59Z, the last second that a certificate writes as UTCTime.
    ///
    /// From 2050 on it would write GeneralizedTime (RFC 5280, 4.1.2.5), which strict readers of receipts don't know.
    static let utcTime = CertificateValidity(
        notBefore: Date(timeIntervalSince1970: 0), notAfter: Date(timeIntervalSince1970: 2_524_607_999))
}

extension SigningIdentity {
    /// Creates a self-signed certificate.
    static func makeRoot(_ commonName: String, key: Key, validity: CertificateValidity = .unlimited) throws -> Self {
        try make(
            commonName, role: .root, key: key, validity: validity, issuer: try .perennial(commonName), issuerKey: key,
            authorityKey: key.certificateKey.publicKey)
    }

    /// Issues the certificate of a key, signed by this identity.
    /// - Parameters:
    ///   - access: The extension with the URLs of its status; see ``CertificateURLs``.
    ///   - validity: The issuer's own by default.
    ///   - serialNumber: Unpredictable by default.
    func issue<Subject: SigningKey>(
        _ commonName: String, role: CertificateRole, key: Subject, access: Certificate.Extension? = nil,
        validity: CertificateValidity? = nil, serialNumber: Certificate.SerialNumber = .unpredictable()
    ) throws -> SigningIdentity<Subject> {
        let own = CertificateValidity(notBefore: certificate.notValidBefore, notAfter: certificate.notValidAfter)
        return try .make(
            commonName, role: role, key: key, validity: validity ?? own, issuer: certificate.subject,
            issuerKey: self.key, authorityKey: certificate.publicKey, access: access, serialNumber: serialNumber)
    }

    private static func make(
        _ commonName: String, role: CertificateRole, key: Key, validity: CertificateValidity,
        issuer: DistinguishedName, issuerKey: some SigningKey, authorityKey: Certificate.PublicKey,
        access: Certificate.Extension? = nil, serialNumber: Certificate.SerialNumber = .unpredictable()
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
            version: .v3, serialNumber: serialNumber,
            publicKey: publicKey, notValidBefore: validity.notBefore,
            notValidAfter: validity.notAfter, issuer: issuer, subject: try .perennial(commonName),
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
    /// Creates a random positive number of 63 bits.
    static func unpredictable() -> Self { Self(UInt64.random(in: 1...UInt64(bitPattern: .max))) }
}

/// The object identifiers of the App Store's marker extensions, and of one of OCSP's. They are non-critical and have
/// the value NULL.
enum CertificateOIDs {
    /// Marks the certificates that sign receipts and transactions.
    static let leaf: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 11, 1]
    /// Marks the authority that issues them.
    static let intermediate: ASN1ObjectIdentifier = [1, 2, 840, 113635, 100, 6, 2, 1]
    /// id-pkix-ocsp-nocheck: tells clients not to ask about an OCSP responder's own certificate (RFC 6960, 4.2.2.2.1).
    static let noStatus: ASN1ObjectIdentifier = [1, 3, 6, 1, 5, 5, 7, 48, 1, 5]

    static func certificateExtension(_ marker: ASN1ObjectIdentifier) -> Certificate.Extension {
        Certificate.Extension(oid: marker, critical: false, value: [0x05, 0x00])
    }
}
