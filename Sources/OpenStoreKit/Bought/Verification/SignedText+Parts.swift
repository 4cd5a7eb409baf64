import BaseEncoding
import Crypto
import Foundation

extension SignedText {
    /// The header, decoded from base64url; empty if it is malformed.
    var headerData: Data {
        Data(Base64.decode(segments[0], as: .url) ?? [])
    }

    /// The signature, decoded from base64url; empty if it is malformed.
    var signatureData: Data {
        parts?.signature ?? Data(Base64.decode(segments[2], as: .url) ?? [])
    }

    /// The bytes that were signed: header and payload in base64url.
    var signedData: Data {
        let text = text
        guard let end = text.utf8.lastIndex(of: UInt8(ascii: ".")) else { return Data() }
        return Data(text.utf8[..<end])
    }

    /// The signature; zeros for one that isn't an ES256 signature.
    var signature: P256.Signing.ECDSASignature {
        (try? P256.Signing.ECDSASignature(rawRepresentation: signatureData)) ?? Self.noSignature
    }

    /// A signature of zeros, which fits no data.
    static var noSignature: P256.Signing.ECDSASignature {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: Data(count: 64)) else {
            preconditionFailure("64 bytes are the raw form of a signature")
        }
        return signature
    }

    private var segments: [ArraySlice<UInt8>] {
        let segments = Array(text.utf8).split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        return segments.count == 3 ? segments : [[], [], []]
    }
}
