import BaseEncoding
import Foundation

/// The facts of a purchase from its options.
package struct PurchaseTerms: Sendable {
    package private(set) var appAccountToken: UUID?
    package private(set) var quantity = 1
    package private(set) var offer: SaleOrder.Offer?
    var simulatesAskToBuy = false
    var questions: [Product.StorefrontQuestion] = []

    /// Allowed quantities.
    ///
    /// Source: Apple, StoreKit documentation, "quantity" of SKMutablePayment.
    static let quantities = 1...10

    /// Reads the options of a purchase.
    ///
    /// - Throws: ``Product/PurchaseError`` or ``StoreKitError`` for options that contradict the product, each other, or the
    ///   store: an offer without proof is never bought at the full price.
    package init(_ options: Set<Product.PurchaseOption>, type: Product.ProductType) throws {
        var custom: [String: Product.PurchaseOption.CustomValue] = [:]
        var offers: [SaleOrder.Offer] = []
        for option in options {
            switch option.value {
            case .appAccountToken(let token): appAccountToken = token
            case .quantity(let number): quantity = number
            case .signedOffer(let id, let signature): offers.append(try .signed(id: id, signature))
            case .winBackOffer(let id):
                guard let id else { throw Product.PurchaseError.invalidOfferIdentifier }
                offers.append(.winBack(id))
            case .billingPlan(let plan):
                guard plan == .upFront else { throw StoreKitError.unsupported }
            case .seats(let seats):
                guard seats == 1 else { throw Product.PurchaseError.multiSeatPurchaseDisabled }
            case .simulatesAskToBuy(let asks): simulatesAskToBuy = asks
            case .storefrontChange(let question): questions.append(question)
            case .custom(let key, let value): custom[key] = value
            case .suppressesInvitationSheet: break
            // Only a session's `buyProduct` sells an offer without proof, and at another date.
            case .testCodeOffer, .testPromotionalOffer: throw Product.PurchaseError.missingOfferParameters
            case .testPurchaseDate: throw StoreKitError.unsupported
            }
        }
        offers += try Self.tokens(in: custom)
        guard offers.count <= 1 else { throw Product.PurchaseError.ineligibleForOffer }
        offer = offers.first
        guard Self.quantities.contains(quantity), quantity == 1 || type == .consumable else {
            throw Product.PurchaseError.invalidQuantity
        }
        guard offer == nil || type.isSubscription else { throw Product.PurchaseError.invalidOfferIdentifier }
    }

    /// Returns the offers of a purchase's custom options.
    private static func tokens(
        in custom: [String: Product.PurchaseOption.CustomValue]
    ) throws -> [SaleOrder.Offer] {
        typealias Key = Product.PurchaseOption.CustomKey
        var offers: [SaleOrder.Offer] = []
        if case .text(let token) = custom[Key.introductoryToken] {
            guard !token.isEmpty else { throw Product.PurchaseError.missingOfferParameters }
            offers.append(.token(token))
        }
        switch (custom[Key.offerID], custom[Key.offerToken]) {
        case (nil, nil): break
        case (.text(let id), .text(let base64)):
            guard !id.isEmpty, !base64.isEmpty else { throw Product.PurchaseError.missingOfferParameters }
            guard let data = Data(base64Encoded: base64), let token = String(data: data, encoding: .utf8),
                !token.isEmpty
            else { throw Product.PurchaseError.invalidOfferSignature }
            guard SaleOrder.offerIdentifier(inToken: token) == id else {
                throw Product.PurchaseError.invalidOfferIdentifier
            }
            offers.append(.token(token))
        default: throw Product.PurchaseError.missingOfferParameters
        }
        return offers
    }
}

/// A purchase in the messages of the store.
package struct SaleOrder: Encodable, Hashable, Sendable {
    /// An offer with its proof.
    package enum Offer: Encodable, Hashable, Sendable {
        /// A promotional offer in the original form of its signature.
        case signed(id: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int)
        /// A compact JWS.
        case token(String)
        case winBack(String)

        /// Makes an offer from a seller's signature.
        ///
        /// - Throws: ``Product/PurchaseError/missingOfferParameters``.
        static func signed(id: String, _ signature: Product.SubscriptionOffer.Signature) throws -> Offer {
            guard !id.isEmpty, !signature.keyID.isEmpty, !signature.signature.isEmpty else {
                throw Product.PurchaseError.missingOfferParameters
            }
            return .signed(
                id: id, keyID: signature.keyID, nonce: signature.nonce, signature: signature.signature,
                timestamp: signature.timestamp)
        }

        /// Identifier of the offer; `nil` for a token.
        package var identifier: String? {
            switch self {
            case .signed(let id, _, _, _, _), .winBack(let id): id
            case .token(let token): SaleOrder.offerIdentifier(inToken: token)
            }
        }

        private enum Key: String, CodingKey {
            case identifier, keyIdentifier, nonce, signature, timestamp, token, winBack
        }

        package func encode(to encoder: any Encoder) throws {
            var fields = encoder.container(keyedBy: Key.self)
            switch self {
            case .signed(let id, let keyID, let nonce, let signature, let timestamp):
                try fields.encode(id, forKey: .identifier)
                try fields.encode(keyID, forKey: .keyIdentifier)
                // In lower case, as in the signature.
                try fields.encode(nonce.uuidString.lowercased(), forKey: .nonce)
                try fields.encode(signature.base64EncodedString(), forKey: .signature)
                try fields.encode(timestamp, forKey: .timestamp)
            case .token(let token): try fields.encode(token, forKey: .token)
            case .winBack(let id): try fields.encode(id, forKey: .winBack)
            }
        }
    }

    var productId: String
    var quantity: Int
    var appAccountToken: String?
    var offer: Offer?
    var simulatesAskToBuy: Bool
    /// StoreKit 2 has no receipt of one transaction, whose RSA signature takes longer than the sale.
    var includeReceipt = false
    var includeSigned = true
    /// Key of the purchase; empty until it is sent.
    var idempotencyKey = ""

    init(productID: String, terms: PurchaseTerms, asksToBuy: Bool?) {
        self.productId = productID
        self.quantity = terms.quantity
        self.appAccountToken = terms.appAccountToken?.uuidString.lowercased()
        self.offer = terms.offer
        self.simulatesAskToBuy = asksToBuy ?? terms.simulatesAskToBuy
    }

    /// Returns the offer that an unverified token names; `nil` if there is none.
    static func offerIdentifier(inToken token: String) -> String? {
        struct Claims: Decodable {
            var offerIdentifier: String?
        }
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        guard parts.count == 3, let payload = Base64.decode(parts[1], as: .url) else { return nil }
        return try? JSONDecoder().decode(Claims.self, from: Data(payload)).offerIdentifier
    }
}
