/// A customer's claim to an offer, sent with a purchase and proven by the store before the sale.
package enum OfferClaim: Hashable, Sendable, Codable {
    /// A promotional offer with the seller's signature in the original form.
    case signed(SignedOffer)
    /// A compact JWS by which the seller grants a promotional offer, or decides on eligibility for the introductory
    /// one.
    case token(String)
    /// A win-back offer. The store's rules decide.
    case winBack(id: String)
    /// An offer code.
    case code(String)

    /// A limit of ours on IDs, codes and signatures from a device. A token may be as long as its parser accepts.
    package static let maximumTextLength = 255

    /// A text that is equal for equal claims and doesn't depend on the process.
    package var fingerprint: String {
        switch self {
        case .signed(let offer):
            "signed\u{1e}\(offer.offerID)\u{1e}\(offer.keyID)\u{1e}\(offer.nonce)\u{1e}\(offer.timestamp.milliseconds)"
                + "\u{1e}\(offer.signature)"
        case .token(let text): "token\u{1e}\(text)"
        case .winBack(let id): "winBack\u{1e}\(id)"
        case .code(let code): "code\u{1e}\(code)"
        }
    }
}

/// A promotional offer with the seller's signature, as in `SKPaymentDiscount`.
package struct SignedOffer: Hashable, Sendable, Codable {
    package var offerID: String
    package var keyID: String
    /// A UUID for one purchase.
    package var nonce: String
    /// ECDSA P-256 with SHA-256, in DER.
    package var signature: [UInt8]
    package var timestamp: Instant

    package init(offerID: String, keyID: String, nonce: String, signature: [UInt8], timestamp: Instant) {
        self.offerID = offerID
        self.keyID = keyID
        self.nonce = nonce
        self.signature = signature
        self.timestamp = timestamp
    }

    /// Returns the signed parts for a purchase.
    package func signature(
        for product: Product.ID, of app: App.BundleID, applicationUsername: String?
    ) -> PromotionalOfferSignature {
        PromotionalOfferSignature(
            bundleID: app, keyID: keyID, productID: product, offerID: offerID, accountToken: applicationUsername ?? "",
            nonce: nonce, timestamp: timestamp)
    }
}
