/// What a customer asks the store to sell.
package struct PurchaseRequest: Hashable, Sendable, Codable {
    /// StoreKit's bounds on `SKPayment.quantity`.
    package static let quantities = 1...10
    /// A limit of ours: keys are stored for good.
    package static let maximumKeyLength = 128
    /// A limit of ours, generous for a hash or UUID.
    package static let maximumUsernameLength = 255

    package var productID: Product.ID
    package var quantity: Int
    package var applicationUsername: String?
    /// An offer that the caller grants: for tests and operators.
    package var offerID: String?
    /// An offer that the customer claims, to be proven.
    package var claim: OfferClaim?
    /// The client's name for this request: the same key is the same purchase, however often it is sent.
    package var idempotencyKey: String?

    package init(
        productID: Product.ID, quantity: Int = 1, applicationUsername: String? = nil, offerID: String? = nil,
        claim: OfferClaim? = nil, idempotencyKey: String? = nil
    ) {
        self.productID = productID
        self.quantity = quantity
        self.applicationUsername = applicationUsername
        self.offerID = offerID
        self.claim = claim
        self.idempotencyKey = idempotencyKey
    }

    /// All that makes two requests the same one, as text that does not depend on the process.
    package var fingerprint: String {
        let text = "\(productID)\u{1f}\(quantity)\u{1f}\(applicationUsername ?? "")\u{1f}\(offerID ?? "")"
        return claim.map { "\(text)\u{1f}\($0.fingerprint)" } ?? text
    }
}
