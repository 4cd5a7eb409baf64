import Crypto
import StoreKit

/// Signs promotional offers, as an app's server does.
struct OfferSigner {
    struct Signature {
        var keyID: String
        var nonce: UUID
        var timestamp: Int
        var bytes: Data
    }

    private let bundleID: String
    private let keyID: String
    private let issuerID: String
    private let key: P256.Signing.PrivateKey

    /// - Parameter privateKey: PEM, as App Store Connect gives it out.
    init(bundleID: String, keyID: String, issuerID: String, privateKey: String) throws {
        (self.bundleID, self.keyID, self.issuerID) = (bundleID, keyID, issuerID)
        key = try P256.Signing.PrivateKey(pemRepresentation: privateKey)
    }

    /// Signs the text of Apple's page "Generating a signature for promotional offers".
    func signature(offer: String, of product: String, token: UUID, date: Date) throws -> Signature {
        let (nonce, timestamp) = (UUID(), Int(date.timeIntervalSince1970 * 1000))
        let text = [
            bundleID, keyID, product, offer, token.uuidString.lowercased(), nonce.uuidString.lowercased(),
            "\(timestamp)",
        ].joined(separator: "\u{2063}")
        return Signature(
            keyID: keyID, nonce: nonce, timestamp: timestamp,
            bytes: try key.signature(for: Data(text.utf8)).derRepresentation)
    }

    /// Makes the compact JWS of Apple's page "Generating JWS to sign App Store requests".
    func jws(offer: String, of product: String, date: Date) throws -> String {
        let parts = try [
            ["alg": "ES256", "kid": keyID, "typ": "JWT"],
            [
                "iss": issuerID, "iat": Int(date.timeIntervalSince1970), "aud": "promotional-offer", "bid": bundleID,
                "nonce": UUID().uuidString.lowercased(), "productId": product, "offerIdentifier": offer,
            ],
        ].map { try Self.base64(JSONSerialization.data(withJSONObject: $0)) }
        let text = parts.joined(separator: ".")
        return text + "." + Self.base64(try key.signature(for: Data(text.utf8)).rawRepresentation)
    }

    private static func base64(_ data: Data) -> String {
        data.base64EncodedString().replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }
}
