import BaseEncoding
import Crypto
import CryptoExtras
import SwiftASN1
import X509

/// A private key that certificates are issued for and signed with.
protocol SigningKey: Sendable {
    init(pemRepresentation: String) throws
    var pemRepresentation: String { get }
    /// The key in the type that certificates use.
    var certificateKey: Certificate.PrivateKey { get }
    /// The algorithm with which this key signs certificates.
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

    /// True if the certificate has this key.
    var keyFits: Bool { key.certificateKey.publicKey == certificate.publicKey }

    /// The serial number in hexadecimal digits.
    var serialNumber: String { Hexadecimal.encode(identity.serialNumber.dropFirst(2)) }

    /// The extension with the URLs at which verifiers ask about the certificate.
    var access: Certificate.Extension? { certificate.extensions[oid: .X509ExtensionID.authorityInformationAccess] }

    /// The certificate's number and encoding.
    var issued: (serialNumber: String, encoding: [UInt8]) { (serialNumber, encoding) }
}
