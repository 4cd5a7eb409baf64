import Crypto
import CryptoExtras
import Foundation

/// The fixed parts of a receipt's container: CMS SignedData (RFC 5652) in the one form that genuine receipts have.
///
///     ContentInfo { signedData, [0] { SignedData {
///         version 1, SET { digest algorithm }, { data, [0] { OCTET STRING payload } },
///         [0] { leaf, intermediate, root },
///         SET { SignerInfo { version 1, issuer and serial, digest algorithm, rsaEncryption, OCTET STRING signature } }
///     } } }
enum ReceiptContainer {
    // Object identifiers, whole elements.
    static let signedData: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
    static let data: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01]
    static let rsaEncryption: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x01]
    static let sha1WithRSA: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x05]
    static let sha256WithRSA: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x01, 0x0B]
    static let contentType: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x03]
    static let messageDigest: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x04]

    static let null: [UInt8] = [0x05, 0x00]
    static let versionOne: [UInt8] = [0x02, 0x01, 0x01]

    /// The most certificates that a container is read with, as validators report it.
    static let maximumCertificates = 10
    /// The most signed attributes that a signer is read with.
    static let maximumSignedAttributes = 32
    /// The size of a signature by an RSA key of 2048 bits, in bytes.
    static let signatureSize = 256
}

/// The digest under a receipt's signature.
public enum ReceiptDigest: Sendable, CaseIterable {
    /// The digest that the App Store signs with today.
    case sha256
    /// The digest that the App Store signed with until January 2025, for validators of that time.
    case sha1

    /// The algorithm's object identifier, a whole element.
    var objectIdentifier: [UInt8] {
        switch self {
        case .sha256: [0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01]
        case .sha1: [0x06, 0x05, 0x2B, 0x0E, 0x03, 0x02, 0x1A]
        }
    }

    /// The combined algorithm, which some signers name in place of rsaEncryption.
    var signatureAlgorithm: [UInt8] {
        switch self {
        case .sha256: ReceiptContainer.sha256WithRSA
        case .sha1: ReceiptContainer.sha1WithRSA
        }
    }
}

extension ReceiptDigest {
    /// An RSA signature with PKCS #1 v1.5 padding over bytes.
    func signature(over bytes: [UInt8], with key: _RSA.Signing.PrivateKey) throws -> [UInt8] {
        let signature =
            switch self {
            case .sha256: try key.signature(for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
            case .sha1: try key.signature(for: Insecure.SHA1.hash(data: bytes), padding: .insecurePKCS1v1_5)
            }
        return Array(signature.rawRepresentation)
    }

    /// Returns true if an RSA signature with PKCS #1 v1.5 padding fits the bytes.
    func isValid(_ signature: some Collection<UInt8>, over bytes: [UInt8], with key: _RSA.Signing.PublicKey) -> Bool {
        let signature = _RSA.Signing.RSASignature(rawRepresentation: Data(signature))
        return switch self {
        case .sha256: key.isValidSignature(signature, for: SHA256.hash(data: bytes), padding: .insecurePKCS1v1_5)
        case .sha1: key.isValidSignature(signature, for: Insecure.SHA1.hash(data: bytes), padding: .insecurePKCS1v1_5)
        }
    }

    /// The digest of bytes.
    func hash(_ bytes: [UInt8]) -> [UInt8] {
        switch self {
        case .sha256: Array(SHA256.hash(data: bytes))
        case .sha1: Array(Insecure.SHA1.hash(data: bytes))
        }
    }
}
