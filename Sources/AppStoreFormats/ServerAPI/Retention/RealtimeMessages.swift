import FastJSON
import Foundation

/// The store's question to a seller's server while a customer is about to cancel. The payload is signed and posted as
/// `{"signedPayload": …}`.
public struct RealtimeRequestPayload: Hashable, Sendable, Codable {
    /// The subscription.
    public var originalTransactionId: String
    /// The app's number.
    public var appAppleId: Int64
    /// The product of the subscription.
    public var productId: String
    /// The customer's language, such as `en-US`.
    public var userLocale: String
    /// The name of this request.
    public var requestIdentifier: UUID
    /// The date on which the payload was signed.
    @Milliseconds public var signedDate: Date
    /// The environment of the store.
    public var environment: AppStoreEnvironment

    /// Makes a payload.
    public init(
        originalTransactionId: String, appAppleId: Int64, productId: String, userLocale: String,
        requestIdentifier: UUID, signedDate: Date, environment: AppStoreEnvironment
    ) {
        self.originalTransactionId = originalTransactionId
        self.appAppleId = appAppleId
        self.productId = productId
        self.userLocale = userLocale
        self.requestIdentifier = requestIdentifier
        self.signedDate = signedDate
        self.environment = environment
    }

    /// The JSON to sign, keys in a fixed order.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 512)
        json.beginObject()
        json.string("originalTransactionId", originalTransactionId)
        json.number("appAppleId", appAppleId)
        json.string("productId", productId)
        json.string("userLocale", userLocale)
        json.uuid("requestIdentifier", requestIdentifier)
        json.milliseconds("signedDate", signedDate)
        json.string("environment", environment.rawValue)
        json.endObject()
        return json.bytes
    }
}

/// The answer of a seller's server: exactly one of the four kinds.
public enum RealtimeResponse: Hashable, Sendable {
    /// A message of text, with or without an image.
    case message(UUID)
    /// Another product of the group to switch to.
    case alternateProduct(UUID, productID: String)
    /// An offer, with its signature: a JWS, or the original form.
    case promotionalOffer(UUID, PromotionalOfferSignature)
    /// A message for subscriptions of Advanced Commerce only.
    case advancedCommerce(UUID)

    /// The largest answer that is read: a limit of ours.
    public static let maximumBytes = 65_536

    /// The signature of an offer.
    public enum PromotionalOfferSignature: Hashable, Sendable {
        /// A JWS with `productId` and `offerIdentifier`.
        case version2(String)
        /// The original form, with the signed values beside it.
        case version1(PromotionalOfferSignatureV1)
    }

    /// The message that goes with it.
    public var messageIdentifier: UUID {
        switch self {
        case .message(let id), .alternateProduct(let id, _), .promotionalOffer(let id, _), .advancedCommerce(let id): id
        }
    }

    /// Reads an answer; `nil` for bytes that are not JSON, without a field or with several, or with a message that is
    /// not a UUID.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count <= Self.maximumBytes,
            let body = try? JSONDecoder().decode(Wire.self, from: Data(bytes)), let answer = body.answer
        else { return nil }
        self = answer
    }

    private struct Wire: Decodable {
        struct Message: Decodable { var messageIdentifier: UUID }
        struct Alternate: Decodable { var messageIdentifier: UUID, productId: String }
        struct Offer: Decodable {
            var messageIdentifier: UUID
            var promotionalOfferSignatureV2: String?
            var promotionalOfferSignatureV1: PromotionalOfferSignatureV1?

            var answer: RealtimeResponse? {
                switch (promotionalOfferSignatureV2, promotionalOfferSignatureV1) {
                case (let signature?, nil): .promotionalOffer(messageIdentifier, .version2(signature))
                case (nil, let signature?): .promotionalOffer(messageIdentifier, .version1(signature))
                default: nil
                }
            }
        }

        var message: Message?
        var alternateProduct: Alternate?
        var promotionalOffer: Offer?
        var advancedCommerceInfo: Message?

        var answer: RealtimeResponse? {
            switch (message, alternateProduct, promotionalOffer, advancedCommerceInfo) {
            case (let it?, nil, nil, nil): .message(it.messageIdentifier)
            case (nil, let it?, nil, nil): .alternateProduct(it.messageIdentifier, productID: it.productId)
            case (nil, nil, let it?, nil): it.answer
            case (nil, nil, nil, let it?): .advancedCommerce(it.messageIdentifier)
            default: nil
            }
        }
    }
}

/// A promotional offer's signature in its original form, with the values that it signs.
public struct PromotionalOfferSignatureV1: Hashable, Sendable, Codable {
    /// DER, in base64.
    public var encodedSignature: String
    /// The product of the offer.
    public var productId: String
    /// Used once.
    public var nonce: UUID
    /// The time of the signature, in milliseconds since 1970.
    public var timestamp: Int64
    /// The key that signed.
    public var keyId: String
    /// The offer.
    public var offerIdentifier: String
    /// The app's own identifier of the customer.
    public var appAccountToken: UUID?
}
