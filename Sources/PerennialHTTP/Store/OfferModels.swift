import AppStoreFormats
import HTTPTypes
import Perennial
import PerennialStore

extension StoreModels {
    struct RedemptionBody: Decodable {
        var code: String
        var idempotencyKey: String?
    }

    /// An offer that a device claims with a purchase: a promotional one in the original form of its signature, a
    /// token, or a win-back offer.
    struct OfferBody: Decodable {
        private enum Key: String, CodingKey, CaseIterable {
            case identifier, keyIdentifier, nonce, signature, timestamp
            case token, winBack
        }

        let claim: OfferClaim

        init(from decoder: any Decoder) throws {
            let fields = try decoder.container(keyedBy: Key.self)
            if let token = try fields.decodeIfPresent(String.self, forKey: .token) {
                claim = .token(token)
            } else if let id = try fields.decodeIfPresent(String.self, forKey: .winBack) {
                claim = .winBack(id: id)
            } else {
                claim = try .signed(Self.signed(fields))
            }
        }

        private static func signed(_ fields: KeyedDecodingContainer<Key>) throws -> SignedOffer {
            for key in [Key.identifier, .keyIdentifier, .nonce, .signature, .timestamp] where !fields.contains(key) {
                throw APIError.missingOfferPart(key.rawValue)
            }
            guard let signature = Base64.decode(try fields.decode(String.self, forKey: .signature)) else {
                throw APIError(
                    .badRequest, "malformedRequest", "the signature is not base64", field: "offer.signature",
                    skError: 12)
            }
            let identifier = try fields.decode(String.self, forKey: .identifier)
            guard !identifier.isEmpty else { throw APIError.missingOfferPart(Key.identifier.rawValue) }
            return SignedOffer(
                offerID: identifier, keyID: try fields.decode(String.self, forKey: .keyIdentifier),
                nonce: try fields.decode(String.self, forKey: .nonce), signature: signature,
                timestamp: Instant(milliseconds: try fields.decode(Int64.self, forKey: .timestamp)))
        }
    }
}

extension APIError {
    /// StoreKit's `missingOfferParams`.
    fileprivate static func missingOfferPart(_ name: String) -> APIError {
        APIError(
            .badRequest, "missingOfferParameters", "a promotional offer needs its \(name)", field: "offer.\(name)",
            skError: 13)
    }
}
