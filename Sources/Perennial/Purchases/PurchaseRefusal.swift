/// Why a purchase was not made. Nothing was charged and nothing was recorded but the refusal.
package struct PurchaseRefusal: Error, Hashable, Sendable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        case quantityOutOfRange
        case paymentsNotAllowed
        case paymentDeclined
        case productNotAvailable
        case termStillRunning
        case alreadySubscribed
        case newsstandOnly
        case offerNotAvailable
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
