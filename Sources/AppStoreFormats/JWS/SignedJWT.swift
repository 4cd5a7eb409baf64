import BaseEncoding
import Crypto
import FastJSON
import Foundation

/// A compact JWS that names its key (`kid`) and is signed with ES256: the credential of a seller's server.
///
/// Reading it proves nothing: look the key up, then call ``isSigned(by:)``.
package struct SignedJWT: Sendable {
    /// The longest token that is read; tokens of Apple's libraries have about 400 characters.
    package static let maximumLength = 4096

    /// An error of a text that is not such a token.
    package struct Malformed: Error, Hashable, CustomStringConvertible {
        package let description: String
    }

    package let keyID: String
    /// The claims in JSON.
    package let payload: [UInt8]
    private let signedText: [UInt8]
    private let signature: [UInt8]

    /// - Throws: ``Malformed``.
    package init(_ text: some StringProtocol) throws(Malformed) {
        let bytes = Array(text.utf8)
        guard bytes.count <= Self.maximumLength else { throw Malformed(description: "the token is too long") }
        let parts = bytes.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
        guard parts.count == 3, let header = Base64.decode(parts[0], as: .url),
            let payload = Base64.decode(parts[1], as: .url), let signature = Base64.decode(parts[2], as: .url)
        else { throw Malformed(description: "a token has three parts in base64url") }
        self.keyID = try Self.keyID(header: header)
        self.payload = payload
        self.signature = signature
        signedText = Array(bytes[..<parts[1].endIndex])
    }

    /// Returns true if the signature was made with a key.
    package func isSigned(by key: P256.Signing.PublicKey) -> Bool {
        guard let signature = try? P256.Signing.ECDSASignature(rawRepresentation: signature) else { return false }
        return key.isValidSignature(signature, for: signedText)
    }

    private static func keyID(header: [UInt8]) throws(Malformed) -> String {
        var scanner = JSONScanner(header)
        var members: [String: String] = [:]
        var names: Set<String> = []
        var isStrict = true
        do {
            try scanner.scanEveryMember { key, value in
                // Nothing that must be understood is; and names are unique (RFC 7515, section 4).
                if key == "crit" || !names.insert(key).inserted { isStrict = false }
                if case .string(let text) = value { members[key] = text }
            }
        } catch {
            throw Malformed(description: "the header is no JSON object: \(error)")
        }
        guard isStrict, members["alg"] == "ES256", let id = members["kid"],
            members["typ"].map({ $0.uppercased() == "JWT" }) ?? true
        else { throw Malformed(description: "the header has alg ES256, kid and typ JWT") }
        return id
    }

    /// True if the claims are a JSON object with unique names (RFC 7519, section 4). Readers that take different ones
    /// of two claims with the same name would disagree.
    package var hasUniqueClaims: Bool {
        var scanner = JSONScanner(payload)
        var names: Set<String> = []
        var isUnique = true
        let isScanned: Void? = try? scanner.scanEveryMember { name, _ in
            if !names.insert(name).inserted { isUnique = false }
        }
        return isScanned != nil && isUnique
    }
}
