/// The claims of a token (JWS) by which a seller grants an offer. The signature is verified by the decoder.
///
/// Source: Apple, "Generating JWS to sign App Store requests".
package struct OfferToken: Hashable, Sendable {
    package enum Audience: String, Sendable, CaseIterable {
        case promotionalOffer = "promotional-offer"
        case introductoryEligibility = "introductory-offer-eligibility"
    }

    package var audience: String
    package var bundleID: App.BundleID
    package var issuedAt: Instant
    /// `nbf`, if the seller sets it: the token isn't valid before (RFC 7519).
    package var notBefore: Instant?
    /// `exp`, if the seller sets it: the token isn't valid from then on (RFC 7519).
    package var expires: Instant?
    /// A UUID in upper or lower case.
    package var nonce: String
    package var productID: Product.ID
    package var offerID: String?
    package var allowIntroductoryOffer: Bool?
    /// A transaction or app transaction of the token's customer; optional for a promotional offer.
    package var transactionID: String?

    package init(
        audience: String, bundleID: App.BundleID, issuedAt: Instant, nonce: String, productID: Product.ID,
        offerID: String? = nil, allowIntroductoryOffer: Bool? = nil, transactionID: String? = nil
    ) {
        self.audience = audience
        self.bundleID = bundleID
        self.issuedAt = issuedAt
        self.nonce = nonce
        self.productID = productID
        self.offerID = offerID
        self.allowIntroductoryOffer = allowIntroductoryOffer
        self.transactionID = transactionID
    }

    /// Returns the offer that the token grants for a product.
    ///
    /// - Parameters:
    ///   - now: The clock readings that decide about its age.
    ///   - isCustomers: Returns true if a transaction or app transaction belongs to the customer.
    /// - Throws: ``OfferError``.
    package func request(
        for product: Product.ID, of app: App.BundleID, at now: SigningTimes, isCustomers: (String) throws -> Bool
    ) throws -> OfferRequest {
        let name = offerID ?? productID.rawValue
        guard bundleID == app, productID == product else {
            throw OfferError(.wrongSubject, name, "the token is for \(productID) of \(bundleID)")
        }
        guard PromotionalOfferSignature.isUUID(nonce) else {
            throw OfferError(.signatureInvalid, name, "the nonce must be a UUID")
        }
        guard now.isFresh(issuedAt, notBefore: notBefore, expires: expires) else {
            throw OfferError(
                .signatureExpired, name,
                """
                a token is good for 24 hours from its iat, not before its nbf and not after its exp, by the environment's \
                clock or the world's
                """)
        }
        if let transactionID, try !isCustomers(transactionID) {
            throw OfferError(.wrongSubject, name, "the token is for another customer")
        }
        switch Audience(rawValue: audience) {
        case .promotionalOffer:
            guard let offerID else { throw OfferError(.unknownOffer, name, "the token names no offer") }
            return .promotional(id: offerID)
        case .introductoryEligibility:
            guard let allowIntroductoryOffer, transactionID != nil else {
                throw OfferError(.wrongSubject, name, "the token must say whether whom may have the offer")
            }
            return .automatic(allowIntroductory: allowIntroductoryOffer)
        case nil: throw OfferError(.wrongSubject, name, "the audience \(audience) is no offer's")
        }
    }
}
