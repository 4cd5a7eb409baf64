import BaseEncoding
import Crypto
import Foundation

/// Values derived from a session's token: the token of its forms, and the seal of notices that the browser carries.
struct SessionKeys: Sendable {
    private let key: SymmetricKey

    /// - Parameter token: The session's.
    init(token: String) { key = SymmetricKey(data: SHA256.hash(data: Data(token.utf8))) }

    /// The token that each form of the session sends.
    var formToken: String { Hexadecimal.encode(code("form")) }

    /// Compares in constant time.
    func isFormToken(_ token: String) -> Bool {
        guard let bytes = Hexadecimal.decode(token) else { return false }
        return HMAC<SHA256>.isValidAuthenticationCode(bytes, authenticating: Data("form".utf8), using: key)
    }

    /// Returns a text for a cookie, which only this session takes back.
    func sealed(_ text: String) -> String {
        Base64.encode(Array(text.utf8), as: .url) + "." + Hexadecimal.encode(code("notice " + text))
    }

    /// Returns a sealed text; `nil` for one that this session hasn't sealed.
    func opened(_ value: String) -> String? {
        let parts = value.split(separator: ".")
        guard parts.count == 2, let bytes = Base64.decode(parts[0], as: .url),
            let code = Hexadecimal.decode(parts[1])
        else { return nil }
        let text = String(decoding: bytes, as: UTF8.self)
        let isOwn = HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: Data("notice \(text)".utf8), using: key)
        return isOwn ? text : nil
    }

    private func code(_ text: String) -> HMAC<SHA256>.MAC {
        HMAC<SHA256>.authenticationCode(for: Data(text.utf8), using: key)
    }
}
