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
    }

    /// Signs a payload.
    /// - Parameter payload: JSON, such as ``TransactionPayload/encoded()``. It must not have the registered JWT claims
    ///   (`iat`, `nbf`, `exp`, `aud`, `sub`), which some official libraries check.
    /// - Returns: Header, payload and the raw signature r ‖ s, in base64url.
    /// - Throws: An error of the cryptographic library.
    public func sign(payload: [UInt8]) throws -> String {
        var text = [UInt8]()
        text.reserveCapacity(header.count + payload.count * 4 / 3 + 92)
        text += header
        Base64.append(payload, as: .url, to: &text)
        let signature = try key.signature(for: text)
        text.append(UInt8(ascii: "."))
        Base64.append(Array(signature.rawRepresentation), as: .url, to: &text)
        return String(decoding: text, as: UTF8.self)
    }
}
