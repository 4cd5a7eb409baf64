/// Why a purchase was not made. Nothing was charged and nothing was recorded but the refusal.
package struct PurchaseRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case quantityOutOfRange
        case paymentsNotAllowed
        case paymentDeclined
        /// The customer must act outside the app first; the purchase arrives by itself afterwards.
        case purchaseInterrupted
        case productNotAvailable
        case termStillRunning
        case alreadySubscribed
        case newsstandOnly
        /// The offer isn't for this customer, or not now.
        case offerNotAvailable
        /// The product has no such offer.
        case offerNotFound
        /// The seller's word for the offer is not what it must be: forged, too old, used before, or for somebody else.
        case offerSignatureInvalid
        /// The offer costs more than the product without it.
        case offerPriceInvalid
        /// Nobody can redeem the code: it is unknown, has ended or is used up.
        case codeNotRedeemable
        case idempotencyKeyReused
    }

    package let code: Code
    package let productID: Product.ID
    /// For a person: what was wrong, and what would be right.
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
