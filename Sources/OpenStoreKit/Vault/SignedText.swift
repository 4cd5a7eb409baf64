import BaseEncoding
import Foundation

/// A JWS in compact form, kept in less space: its header, which most share, and the decoded payload and signature.
struct SignedText: Sendable, Equatable {
    private enum Form: Sendable, Equatable {
        case parts(header: String, signature: Data)
        /// A text that its decoded parts don't give back byte by byte.
        case verbatim(String)
    }

    private let form: Form
    /// The payload, which is JSON.
    let payload: Data

    /// Splits a JWS. Returns `nil` unless it has three segments with a payload in base64url.
    init?(_ jws: String) {
        let bytes = Array(jws.utf8)
        let dot = UInt8(ascii: ".")
        // Base64 has no dot, so that a text of more segments is none that the decoder takes.
        guard let first = bytes.firstIndex(of: dot), let last = bytes.lastIndex(of: dot), first < last,
            let payload = Base64.decode(bytes[(first + 1)..<last], as: .url)
        else { return nil }
        self.payload = Data(payload)
        // The decoder accepts one spelling only: what it takes is given back byte by byte.
        if let signature = Base64.decode(bytes[(last + 1)...], as: .url), signature.count <= UInt8.max {
            form = .parts(header: String(decoding: bytes[..<first], as: UTF8.self), signature: Data(signature))
        } else {
            form = .verbatim(jws)
        }
    }

    /// Makes a text from its stored parts.
    init(header: String, payload: Data, signature: Data) {
        form = .parts(header: header, signature: signature)
        self.payload = payload
    }

    /// Makes a text that is kept verbatim.
    init(verbatim: String, payload: Data) {
        form = .verbatim(verbatim)
        self.payload = payload
    }

    /// The text in compact form.
    var text: String {
        switch form {
        case .verbatim(let text): text
        case .parts(let header, let signature):
            "\(header).\(Base64.encode(Array(payload), as: .url)).\(Base64.encode(Array(signature), as: .url))"
        }
    }

    /// Header, and signature; `nil` for a text that is kept verbatim.
    var parts: (header: String, signature: Data)? {
        if case .parts(let header, let signature) = form { (header, signature) } else { nil }
    }
}
