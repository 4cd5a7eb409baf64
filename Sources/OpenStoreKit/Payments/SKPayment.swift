import Foundation

/// An immutable request to buy a product. ``SKMutablePayment`` is mutable.
///
/// Source: Apple, StoreKit documentation, "SKPayment".
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    var order: PaymentOrder

    /// Makes a payment for one piece of a product.
    public init(product: SKProduct) {
        self.order = PaymentOrder(productIdentifier: product.productIdentifier)
    }

    init(order: PaymentOrder) {
        self.order = order
    }

    /// Identifier of the product.
    open var productIdentifier: String { order.productIdentifier }
    /// Quantity, 1 to 10; always 1 for products other than consumables.
    open var quantity: Int { order.quantity }
    /// Hash of the customer's account with the seller. A UUID also becomes the purchase's app account token.
    open var applicationUsername: String? { order.applicationUsername }
    /// Reserved; must be `nil`.
    open var requestData: Data? { order.requestData }
    /// True to simulate Ask to Buy in the sandbox.
    open var simulatesAskToBuyInSandbox: Bool { order.simulatesAskToBuy }
    /// Promotional offer of the payment.
    open var paymentDiscount: SKPaymentDiscount? { order.discount.map { SKPaymentDiscount($0) } }

    /// Returns an immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any { SKPayment(order: order) }
    /// Returns a mutable copy.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { SKMutablePayment(order: order) }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? SKPayment)?.order == order
    }

    open override var hash: Int { order.hashValue }
}

/// A mutable payment. The queue copies it when it is added.
///
/// Source: Apple, StoreKit documentation, "SKMutablePayment".
open class SKMutablePayment: SKPayment {
    /// Makes an empty payment.
    public init() {
        super.init(order: PaymentOrder(productIdentifier: ""))
    }

    /// Makes a payment for one piece of a product.
    public override init(product: SKProduct) {
        super.init(product: product)
    }

    override init(order: PaymentOrder) {
        super.init(order: order)
    }

    /// Identifier of the product.
    open override var productIdentifier: String {
        get { order.productIdentifier }
        set { order.productIdentifier = newValue }
    }

    /// Quantity, 1 to 10.
    open override var quantity: Int {
        get { order.quantity }
        set { order.quantity = newValue }
    }

    /// Hash of the customer's account with the seller.
    open override var applicationUsername: String? {
        get { order.applicationUsername }
        set { order.applicationUsername = newValue }
    }

    /// Reserved; must be `nil`.
    open override var requestData: Data? {
        get { order.requestData }
        set { order.requestData = newValue }
    }

    /// True to simulate Ask to Buy in the sandbox.
    open override var simulatesAskToBuyInSandbox: Bool {
        get { order.simulatesAskToBuy }
        set { order.simulatesAskToBuy = newValue }
    }

    /// Promotional offer of the payment.
    open override var paymentDiscount: SKPaymentDiscount? {
        get { super.paymentDiscount }
        set { order.discount = newValue?.signed }
    }
}

/// The fields of a payment, as the queue processes and stores them.
struct PaymentOrder: Codable, Hashable, Sendable {
    /// A promotional offer with the seller's signature.
    struct Discount: Codable, Hashable, Sendable {
        var identifier: String
        var keyIdentifier: String
        var nonce: UUID
        var signature: String
        var timestamp: Int64
    }

    var productIdentifier: String
    var quantity = 1
    var applicationUsername: String?
    var requestData: Data?
    var simulatesAskToBuy = false
    var discount: Discount?

    /// Allowed quantities.
    ///
    /// Source: Apple, StoreKit documentation, "quantity" of SKMutablePayment.
    static let quantities = 1...10

    /// The error of an invalid payment; `nil` for a valid one.
    var objection: SKError? {
        if productIdentifier.isEmpty {
            return SKError(.paymentInvalid, message: "the payment names no product")
        }
        if !Self.quantities.contains(quantity) {
            return SKError(.paymentInvalid, message: "the quantity is \(quantity), not 1 to 10")
        }
        if requestData != nil {
            return SKError(.unauthorizedRequestData, message: "requestData is reserved")
        }
        if let discount, [discount.identifier, discount.keyIdentifier, discount.signature].contains("") {
            // Sending the payment without its offer would charge the full price.
            return SKError(.missingOfferParams, message: "the offer needs its identifier, key identifier and signature")
        }
        return nil
    }
}

/// A promotional offer with the seller's signature.
///
/// Source: Apple, StoreKit documentation, "SKPaymentDiscount".
public final class SKPaymentDiscount: NSObject, Sendable {
    let signed: PaymentOrder.Discount

    /// Makes a payment discount.
    ///
    /// - Parameters:
    ///   - identifier: Offer identifier.
    ///   - keyIdentifier: Identifier of the signing key.
    ///   - nonce: One-time UUID of the signature.
    ///   - signature: Signature in base64.
    ///   - timestamp: Signing time in milliseconds since 1970.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        self.signed = PaymentOrder.Discount(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp.int64Value)
    }

    init(_ signed: PaymentOrder.Discount) {
        self.signed = signed
    }

    /// Offer identifier.
    public var identifier: String { signed.identifier }
    /// Identifier of the signing key.
    public var keyIdentifier: String { signed.keyIdentifier }
    /// One-time UUID of the signature.
    public var nonce: UUID { signed.nonce }
    /// Signature in base64.
    public var signature: String { signed.signature }
    /// Signing time in milliseconds since 1970.
    public var timestamp: NSNumber { NSNumber(value: signed.timestamp) }
}
