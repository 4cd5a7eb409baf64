import AppStoreFormats
import BaseEncoding
import HTTPTypes
import Perennial
import PerennialStore

extension StoreModels {
    struct RedemptionBody: RequestModel {
        var code: String
        var idempotencyKey: String?
        var includeSigned: Bool?

        static let constraints: [String: Constraint] = ["idempotencyKey": .idempotencyKey]
    }

    /// An offer that a device claims with a purchase: a promotional one in the original form of its signature, a
    /// token, or a win-back offer.
    struct OfferBody: Decodable, Sendable {
        fileprivate enum Key: String, CodingKey, CaseIterable {
            case identifier, keyIdentifier, nonce, signature, timestamp
            case token, winBack
        }

        private static let signedKeys: [Key] = [.identifier, .keyIdentifier, .nonce, .signature, .timestamp]

        let claim: OfferClaim

        fileprivate init(_ claim: OfferClaim) { self.claim = claim }

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
            for key in signedKeys where !fields.contains(key) {
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

/// An offer has one of three forms, which its decoder tells apart by their fields.
extension StoreModels.OfferBody: SchemaProviding {
    static var sample: Self { Self(.token("")) }

    static func schema(_ use: SchemaUse) -> OpenAPINode {
        let text = Constraint.text(bytes: 1...OfferClaim.maximumTextLength)
        let string: OpenAPINode = ["type": "string"]
        func form(_ fields: [Key: OpenAPINode], _ description: OpenAPINode) -> OpenAPINode {
            [
                "type": "object", "description": description,
                "properties": .object(Dictionary(uniqueKeysWithValues: fields.map { ($0.key.rawValue, $0.value) })),
                "required": .array(fields.keys.map(\.rawValue).sorted().map { .string($0) }),
                "additionalProperties": false,
            ]
        }
        return [
            "anyOf": [
                form(
                    [
                        .identifier: text.apply(to: string), .keyIdentifier: text.apply(to: string),
                        .nonce: text.apply(to: string),
                        .signature: Constraint.pattern(
                            "^(?:[A-Za-z0-9+/]{4}){1,\(OfferClaim.maximumTextLength / 4)}$", "Base64 of ECDSA in DER"
                        ).apply(to: string),
                        .timestamp: ["type": "integer", "minimum": 0, "maximum": 253_402_300_799_999],
                    ], "A promotional offer in the original form of its signature"),
                form(
                    [.token: Constraint.text(bytes: 1...SignedJWT.maximumLength).apply(to: string)],
                    "A compact JWS, ES256"),
                form([.winBack: text.apply(to: string)], "A win-back offer by its ID"),
            ]
        ]
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
