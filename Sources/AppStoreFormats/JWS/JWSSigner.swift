import Crypto
import Foundation

/// Signs transactions, renewal information and notifications as the App Store does: compact JWS, ES256, with the chain
/// in `x5c`.
///
/// The header is the same for all that one key signs, and is prepared once.
public struct JWSSigner: Sendable {
    private let key: P256.Signing.PrivateKey
    /// The header in base64url with the dot behind it.
    private let header: [UInt8]
    /// What has read the header: all that is signed begins with it.
    private let digestOfHeader: SHA256
    /// Tells this key and chain from others.
    package let fingerprint: [UInt8]

    /// Makes a signer.
    /// - Parameter identities: The certificates and the key of signed transactions.
    public init(identities: SigningIdentities) {
        self.init(key: identities.transactionLeaf.key, chain: identities.transactionChain)
    }

    /// Makes a signer with any key and chain: for tests of verifiers.
    init(key: P256.Signing.PrivateKey, chain: CertificateChain) {
        self.key = key
        var json = JSONWriter()
        json.beginObject()
        json.string("alg", "ES256")
        json.beginArray("x5c")
        for certificate in chain.certificates { json.element(base64: certificate) }
        json.endArray()
        json.endObject()
        header = Base64.encoded(json.bytes, as: .url) + [UInt8(ascii: ".")]
        var digest = SHA256()
        digest.update(data: header)
        digestOfHeader = digest
        fingerprint = Array(digest.finalize().prefix(Self.fingerprintLength))
    }

    /// Signs a payload.
    /// - Parameter payload: JSON, such as ``TransactionPayload/encoded()``. It must not have the registered JWT claims
    ///   (`iat`, `nbf`, `exp`, `aud`, `sub`), which some official libraries check.
    /// - Returns: Header, payload and the raw signature r ‖ s, in base64url.
    /// - Throws: An error of the cryptographic library.
    public func sign(payload: [UInt8]) throws -> String {
        let prepared = prepare(payload: payload)
        return Self.text(prepared, signature: try signature(of: prepared))
    }
}

/// Signing in steps, for those who keep signatures to make the same text again.
extension JWSSigner {
    /// Bytes of a raw signature r ‖ s on P-256.
    package static let signatureLength = 64
    private static let fingerprintLength = 8

    /// What is signed: header and payload in base64url with a dot between them.
    package func prepare(payload: [UInt8]) -> [UInt8] {
        var text = [UInt8]()
        text.reserveCapacity(header.count + payload.count * 4 / 3 + 92)
        text += header
        Base64.append(payload, as: .url, to: &text)
        return text
    }

    /// - Parameter prepared: By this signer.
    /// - Throws: An error of the cryptographic library.
    package func signature(of prepared: [UInt8]) throws -> [UInt8] {
        var digest = digestOfHeader
        prepared.withUnsafeBytes { digest.update(bufferPointer: .init(rebasing: $0[header.count...])) }
        return Array(try key.signature(for: digest.finalize()).rawRepresentation)
    }

    /// - Parameter prepared: Becomes the text, without being copied where nobody else has it.
    package static func text(_ prepared: consuming [UInt8], signature: [UInt8]) -> String {
        var text = prepared
        text.append(UInt8(ascii: "."))
        Base64.append(signature, as: .url, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
