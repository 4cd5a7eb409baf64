import Crypto
import CryptoExtras
import SwiftASN1
import X509

/// A private key that certificates are made for and signed with.
protocol SigningKey: Sendable {
    init(pemRepresentation: String) throws
    var pemRepresentation: String { get }
    /// The key as certificates take it.
    var certificateKey: Certificate.PrivateKey { get }
    /// How this key signs certificates.
    static var signatureAlgorithm: Certificate.SignatureAlgorithm { get }
}

extension P256.Signing.PrivateKey: SigningKey {
    var certificateKey: Certificate.PrivateKey { Certificate.PrivateKey(self) }
    static var signatureAlgorithm: Certificate.SignatureAlgorithm { .ecdsaWithSHA256 }
}

extension P384.Signing.PrivateKey: SigningKey {
    var certificateKey: Certificate.PrivateKey { Certificate.PrivateKey(self) }
    static var signatureAlgorithm: Certificate.SignatureAlgorithm { .ecdsaWithSHA384 }
}

extension _RSA.Signing.PrivateKey: SigningKey {
    var certificateKey: Certificate.PrivateKey { Certificate.PrivateKey(self) }
    static var signatureAlgorithm: Certificate.SignatureAlgorithm { .sha256WithRSAEncryption }
}

/// A private key with its certificate.
struct SigningIdentity<Key: SigningKey>: Sendable {
    let key: Key
    let certificate: Certificate
    /// The certificate in DER.
    let encoding: [UInt8]
    let identity: CertificateIdentity

    init(key: Key, encoding: [UInt8]) throws(CertificateChainError) {
        self.key = key
        certificate = try Certificate(der: encoding)
        self.encoding = encoding
        identity = try CertificateIdentity(certificate: encoding)
    }

    /// The private key in PEM.
    var keyPEM: String { key.pemRepresentation }

    /// Whether the key is the one that the certificate speaks of.
    var keyFits: Bool { key.certificateKey.publicKey == certificate.publicKey }

    /// The serial number in hexadecimal digits.
    var serialNumber: String { Hexadecimal.text(identity.serialNumber.dropFirst(2)) }

    /// Where verifiers ask about the certificate, as the certificate says it.
    var access: Certificate.Extension? { certificate.extensions[oid: .X509ExtensionID.authorityInformationAccess] }

    /// The certificate's number and encoding.
    var issued: (serialNumber: String, encoding: [UInt8]) { (serialNumber, encoding) }
}

/// Bytes as text.
enum Hexadecimal {
    static func text(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
    }
}
