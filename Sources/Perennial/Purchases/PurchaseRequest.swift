/// A customer's request to buy a product.
package struct PurchaseRequest: Hashable, Sendable, Codable {
    /// StoreKit's bounds on `SKPayment.quantity`.
    package static let quantities = 1...10
    /// A limit of ours, because keys are stored forever.
    package static let maximumKeyLength = 128
    /// A limit of ours, generous for a hash or UUID.
    package static let maximumUsernameLength = 255

    package var productID: Product.ID
    package var quantity: Int
    package var applicationUsername: String?
    /// An offer granted by the caller, for tests and operators.
    package var offerID: String?
    /// Kind of the granted offer; `nil` for one of any kind with that ID.
    package var offerKind: AppliedOffer.Kind?
    /// An offer claimed by the customer, which the store must prove.
    package var claim: OfferClaim?
    /// The client's key for this request. The same key is the same purchase, however often it is sent.
    package var idempotencyKey: String?
    /// True if an operator gives the product without charge. A grant never waits, so it isn't stored with pending requests.
    package var isGrant = false
    /// The author and the reason of a grant, which are kept with the sale.
    package var grantNote: GrantNote?

    private enum CodingKeys: CodingKey {
        case productID, quantity, applicationUsername, offerID, claim, idempotencyKey
    }

    package init(
        productID: Product.ID, quantity: Int = 1, applicationUsername: String? = nil, offerID: String? = nil,
        offerKind: AppliedOffer.Kind? = nil, claim: OfferClaim? = nil, idempotencyKey: String? = nil,
        isGrant: Bool = false, grantNote: GrantNote? = nil
    ) {
        self.productID = productID
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.offerID = offerID
        self.offerKind = offerKind
        self.claim = claim
        self.idempotencyKey = idempotencyKey
        self.isGrant = isGrant
        self.grantNote = grantNote
    }

    /// A text that is equal for equal requests and doesn't depend on the process.
    package var fingerprint: String {
        var text = "\(productID)\u{1f}\(quantity)\u{1f}\(applicationUsername ?? "")\u{1f}\(offerID ?? "")"
        if let offerKind { text += "\u{1e}\(offerKind)" }
        if isGrant { text += "\u{1f}grant" }
        return claim.map { "\(text)\u{1f}\($0.fingerprint)" } ?? text
    }
}

/// The reason why a purchase is refused. Nothing was charged, and only the refusal was recorded.
package struct PurchaseRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case quantityOutOfRange
        case paymentsNotAllowed
        case paymentDeclined
        /// The customer must act outside the app first. The purchase arrives by itself afterwards.
        case purchaseInterrupted
        case productNotAvailable
        case termStillRunning
        case alreadySubscribed
        case newsstandOnly
        /// The customer isn't eligible for the offer now.
        case offerNotAvailable
        /// The product has no such offer.
        case offerNotFound
        /// The seller's proof of the offer is invalid: forged, expired, used before, or for another customer.
        case offerSignatureInvalid
        /// The offer costs more than the regular price.
        case offerPriceInvalid
        /// The code can't be redeemed: it is unknown, has expired or is used up.
        case codeNotRedeemable
        case idempotencyKeyReused
    }

    package let code: Code
    package let productID: Product.ID
    /// A message for people: the problem and its cure.
    package let reason: String

    package init(_ code: Code, _ productID: Product.ID, _ reason: String) {
        self.code = code
        self.productID = productID
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(productID): \(reason)" }
    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
    package func hash(into hasher: inout Hasher) { hasher.combine(code) }
}
