import BaseEncoding
import Foundation

/// Reads what signed data says, without verifying it: it is the store's own.
enum DecodedJWS {
    /// Returns the payload of a JWS in readable JSON; `nil` for a text that is none.
    static func payload(_ jws: String) -> String? {
        object(jws).flatMap(readable)
    }

    /// Returns JSON with a member on each line; `nil` for bytes that are none.
    static func readable(_ json: [UInt8]) -> String? {
        (try? JSONSerialization.jsonObject(with: Data(json))).flatMap(readable)
    }

    private static func readable(_ object: Any) -> String? {
        let options: JSONSerialization.WritingOptions = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
        guard let data = try? JSONSerialization.data(withJSONObject: object, options: options) else { return nil }
        return String(decoding: data, as: UTF8.self)
    }

    /// Returns the signed data inside a notification's payload by its name: `signedTransactionInfo`.
    static func part(_ name: String, of jws: String) -> String? {
        guard let payload = object(jws) as? [String: Any], let data = payload["data"] as? [String: Any] else {
            return nil
        }
        return data[name] as? String
    }

    private static func object(_ jws: String) -> Any? {
        let parts = jws.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let bytes = Base64.decode(parts[1], as: .url) else { return nil }
        return try? JSONSerialization.jsonObject(with: Data(bytes))
    }
}
