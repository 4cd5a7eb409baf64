import AppStoreFormats
import Crypto
import Foundation
import HTTPTypes
import Hummingbird

extension Request {
    /// Limits of ours on tokens, in bytes: the content server's name an app, the store's are shorter.
    private static let maximumTokenLength = 1024
    private static let maximumStoreTokenLength = 512

    /// The token of `Authorization: Bearer TOKEN` (RFC 6750, 2.1); `nil` without one, and for one that is too long.
    ///
    /// The scheme's name is in any case (RFC 9110, 11.1).
    var bearer: String? {
        guard let header = headers[.authorization]?.utf8,
            zip(header, "bearer ".utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }),
            case let token = header.dropFirst(7).drop(while: { $0 == UInt8(ascii: " ") }),
            (1...Self.maximumTokenLength).contains(token.count)
        else { return nil }
        return String(Substring(token))
    }

    /// The store's token, or the control token, of `Authorization: Bearer TOKEN`.
    ///
    /// - Throws: ``APIError`` `unauthorized`.
    func bearerToken() throws -> String {
        guard let bearer, bearer.utf8.count <= Self.maximumStoreTokenLength else {
            throw APIError(
                .unauthorized, "unauthorized", "the request needs the header Authorization: Bearer TOKEN", skError: 1)
        }
        return bearer
    }

    /// The token of a header of Apple's APIs, in the one spelling that Apple documents; `nil` without one, and for one that is too long.
    var signedBearer: String? {
        let prefix = "Bearer ".utf8
        guard let header = headers[.authorization]?.utf8, header.count <= SignedJWT.maximumLength,
            header.starts(with: prefix)
        else { return nil }
        return String(Substring(header.dropFirst(prefix.count)))
    }
}

/// A token that a whole server shares with its operator.
struct SharedToken: Sendable {
    private let digest: SHA256.Digest

    init(_ token: String) { digest = SHA256.hash(data: Data(token.utf8)) }

    /// Compares digests, so that the time it takes says nothing about the token.
    func matches(_ token: String) -> Bool { SHA256.hash(data: Data(token.utf8)) == digest }
}
