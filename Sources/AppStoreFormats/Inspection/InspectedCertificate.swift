import BaseEncoding
import Crypto
import CryptoExtras
import Foundation
import Perennial
import SwiftASN1
import X509

/// A certificate that inspected data carries, in words.
package struct InspectedCertificate: Sendable, Equatable {
    package enum Role: String, Sendable, CaseIterable { case leaf, intermediate, root }
    /// The issuer of the chain's root.
    package enum Origin: String, Sendable, CaseIterable { case thisStore, apple, xcode, otherStore, unknown }

    package var role: Role
    package var origin: Origin
    /// The common names.
    package var subject: String
    package var issuer: String
    /// Hexadecimal digits.
    package var serialNumber: String
    /// RFC 3339.
    package var notBefore: String
    package var notAfter: String
    /// `P-256`, `RSA-2048`.
    package var key: String
    /// SHA-256 of the DER encoding, in hexadecimal digits.
    package var fingerprint: String
    /// The App Store's marker extensions, as object identifiers.
    package var markers: [String]
}

/// A certificate with its encoding, while a chain is built.
struct ChainCertificate {
    let certificate: Certificate
    let encoding: [UInt8]

    init?(_ encoding: [UInt8]) {
        guard let certificate = try? Certificate(der: encoding) else { return nil }
        self.certificate = certificate
        self.encoding = encoding
    }

    var name: String { Self.commonName(certificate.subject) }
    var issuerName: String { Self.commonName(certificate.issuer) }
    var isSelfIssued: Bool { certificate.subject == certificate.issuer }
    var fingerprint: String { Hexadecimal.encode(Array(SHA256.hash(data: encoding))) }
    var serialNumber: String {
        guard let identity = try? CertificateIdentity(certificate: encoding) else {
            return Hexadecimal.encode(Array(certificate.serialNumber.bytes))
        }
        return Hexadecimal.encode(identity.serialNumber.dropFirst(2))
    }

    var isAuthority: Bool {
        if case .isCertificateAuthority = (try? certificate.extensions.basicConstraints) ?? .notCertificateAuthority {
            return true
        }
        return false
    }

    var role: InspectedCertificate.Role { isSelfIssued && isAuthority ? .root : isAuthority ? .intermediate : .leaf }

    func has(_ marker: ASN1ObjectIdentifier) -> Bool { certificate.extensions[oid: marker] != nil }

    func isSigned(by issuer: ChainCertificate) -> Bool {
        issuer.certificate.publicKey.isValidSignature(certificate.signature, for: certificate)
    }

    /// Returns the common name, or all of a name without one.
    static func commonName(_ name: DistinguishedName) -> String {
        let text = String(describing: name)
        let parts = text.split(separator: ",")
        let common = parts.first { $0.hasPrefix("CN=") }?.dropFirst(3)
        return String((common ?? Substring(text)).prefix(200))
    }

    private var keyName: String {
        if let key = _RSA.Signing.PublicKey(certificate.publicKey) { return "RSA-\(key.keySizeInBits)" }
        if P256.Signing.PublicKey(certificate.publicKey) != nil { return "P-256" }
        if P384.Signing.PublicKey(certificate.publicKey) != nil { return "P-384" }
        return String(String(describing: certificate.publicKey).prefix(40))
    }

    func described(from origin: InspectedCertificate.Origin) -> InspectedCertificate {
        let markers = [CertificateOIDs.leaf, CertificateOIDs.intermediate].filter(has)
        return InspectedCertificate(
            role: role, origin: origin, subject: name, issuer: issuerName, serialNumber: serialNumber,
            notBefore: InspectionDate.text(certificate.notValidBefore),
            notAfter: InspectionDate.text(certificate.notValidAfter),
            key: keyName, fingerprint: fingerprint, markers: markers.map { "\($0)" })
    }
}

/// Apple's roots, recognised by their SHA-256.
enum AppleRoot {
    static let names = [
        "b0b1730ecbc7ff4505142c49f1295e6eda6bcaed7e2c68c5be91b5a11001f024": "Apple Root CA",
        "c2b9b042dd57830e7d117dac55ac8ae19407d38e41d88f3215bc3a890444a050": "Apple Root CA - G2",
        "63343abfb89a6a03ebb57e9b3f5fa7be7c4f5c756f3017b3a8c488c3653e9179": "Apple Root CA - G3",
    ]
}

/// Dates of inspected data, which may be any number.
enum InspectionDate {
    static func text(_ date: Date) -> String { ReceiptDate.instant(date).rfc3339() }

    /// Returns a time in milliseconds since 1970 as text; `nil` outside of the years with four digits.
    static func text(milliseconds: Double) -> String? {
        guard (0...253_402_300_799_000).contains(milliseconds) else { return nil }
        return text(Date(timeIntervalSince1970: (milliseconds / 1000).rounded(.down)))
    }
}
