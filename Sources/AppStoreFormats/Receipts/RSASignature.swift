import Crypto
import CryptoExtras
import Foundation

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

    /// Whether an RSA signature with PKCS #1 v1.5 padding fits the bytes.
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
