import BaseEncoding
import Crypto
import Foundation
import Perennial
import PerennialStorage

/// A seller's key for offers, with the signatures of a seller's server.
package struct TestOfferKey: Sendable {
    package static let issuer = "57246542-96fe-1a63-e053-0824d011072a"
    package static let nonce = "1a2b3c4d-0000-4000-8000-abcdefabcdef"

    package let id: String
    private let key = P256.Signing.PrivateKey()

    package init(_ id: String = "OFFERKEY22") { self.id = id }

    /// Adds the key to a store.
    package func register(
        in shop: TestStore, _ kind: APIKey.Kind = .promotionalOffer, app: Int64 = TestCatalog.magazine().appleID,
        revoked: Instant? = nil
    ) async throws {
        let made = APIKey(
            id: id, app: app, kind: kind, issuerID: Self.issuer, publicKey: Array(key.publicKey.x963Representation),
            created: TestStore.opening, revoked: revoked)
        try await shop.database.write { try APIKeysTable.insert(made, on: $0) }
    }

    /// Signs a promotional offer in the original form, by default for the monthly subscription of the magazine.
    package func sign(
        _ offer: String = "half", product: String = "monthly", username: String = "", nonce: String = Self.nonce,
        at now: Instant = TestStore.opening
    ) throws -> SignedOffer {
        let text = [
            "com.example.magazine", id, product, offer, username.lowercased(), nonce.lowercased(),
            String(now.milliseconds),
        ].joined(separator: "\u{2063}")
        let signature = try key.signature(for: Data(text.utf8)).derRepresentation
        return SignedOffer(offerID: offer, keyID: id, nonce: nonce, signature: Array(signature), timestamp: now)
    }

    /// Returns a compact JWS with the common claims, and further claims in addition or in their place.
    ///
    /// - Parameter raw: Additional claims with their JSON text.
    package func token(
        _ audience: String, _ claims: [String: JSONValue] = [:], header: [String: JSONValue] = [:],
        raw: [String: String] = [:], at now: Instant = TestStore.opening
    ) throws -> String {
        let common: [String: JSONValue] = [
            "iss": .string(Self.issuer), "aud": .string(audience), "bid": "com.example.magazine",
            "iat": .number(Double(now.milliseconds / 1000)), "nonce": .string(Self.nonce), "productId": "monthly",
        ]
        let usual: [String: JSONValue] = ["alg": "ES256", "typ": "JWT", "kid": .string(id)]
        let head = JSONValue.object(usual.merging(header) { $1 })
        let body = JSONValue.object(common.merging(claims) { $1 })
        let text = [try head.encoded, try body.encoded(adding: raw)].map { Base64.encode($0, as: .url) }
            .joined(separator: ".")
        let signature = try key.signature(for: Data(text.utf8)).rawRepresentation
        return "\(text).\(Base64.encode(Array(signature), as: .url))"
    }
}
