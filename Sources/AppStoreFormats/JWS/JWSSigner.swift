import BaseEncoding
import Crypto
import FastJSON
import Foundation

/// Signs transactions, renewal information and notifications as the App Store does: compact JWS, ES256, with the chain
/// in `x5c`.
///
/// The header is the same for all that one key signs, and is prepared once.
public struct JWSSigner: Sendable {
    private let key: P256.Signing.PrivateKey
    /// The header in base64url with the dot behind it.
    private let header: [UInt8]
    /// The state of the digest after the header, with which every signed text begins.
    private let digestOfHeader: SHA256
    /// Identifies the key and chain.
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
        var text: [UInt8] = []
        _ = try append(payload, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}

/// Appending to other text, and reusing a signature.
extension JWSSigner {
    /// Bytes of a raw signature r ‖ s on P-256.
    package static let signatureLength = 64
    private static let fingerprintLength = 8

    /// Appends header, payload and signature in base64url.
    /// - Parameter signature: An earlier signature of this signer for the same payload; `nil` to make a new one.
    /// - Returns: The signature.
    /// - Throws: An error of the cryptographic library.
    package func append(
        _ payload: [UInt8], signature known: [UInt8]? = nil, to text: inout [UInt8]
    ) throws -> [UInt8] {
        let start = text.count
        // The most bytes of the JWS, and some for the text behind it.
        text.reserveCapacity(
            start + header.count + Base64.encodedCount(of: payload.count) + 1
                + Base64.encodedCount(of: Self.signatureLength) + 32)
        text += header
        Base64.append(payload, as: .url, to: &text)
        let signature = try known ?? self.signature(of: text[start...])
        text.append(UInt8(ascii: "."))
        Base64.append(signature, as: .url, to: &text)
        return signature
    }

    /// - Parameter signed: Header and payload, with the dot between them.
    private func signature(of signed: ArraySlice<UInt8>) throws -> [UInt8] {
        var digest = digestOfHeader
        signed.dropFirst(header.count).withUnsafeBytes { digest.update(bufferPointer: $0) }
        return Array(try key.signature(for: digest.finalize()).rawRepresentation)
    }
}
