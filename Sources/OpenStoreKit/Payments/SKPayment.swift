import Foundation

/// A request to buy a product. Unchangeable; its subclass ``SKMutablePayment`` can be filled in.
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    var order: PaymentOrder

    /// One piece of a product.
    public init(product: SKProduct) {
        self.order = PaymentOrder(productIdentifier: product.productIdentifier)
    }

    init(order: PaymentOrder) {
        self.order = order
    }

    open var productIdentifier: String { order.productIdentifier }
    /// How many, 1 to 10: other products than consumables are sold one at a time.
    open var quantity: Int { order.quantity }
    /// The customer's account with the seller, hashed. A UUID also becomes the purchase's app account token.
    open var applicationUsername: String? { order.applicationUsername }
    /// Reserved: must be `nil`.
    open var requestData: Data? { order.requestData }
    /// In sandbox: the purchase waits for approval.
    open var simulatesAskToBuyInSandbox: Bool { order.simulatesAskToBuy }
    open var paymentDiscount: SKPaymentDiscount? { order.discount.map { SKPaymentDiscount($0) } }

    open func copy(with zone: NSZone? = nil) -> Any { SKPayment(order: order) }
    open func mutableCopy(with zone: NSZone? = nil) -> Any { SKMutablePayment(order: order) }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? SKPayment)?.order == order
    }

    open override var hash: Int { order.hashValue }
}

/// A payment that can be filled in. The queue takes a copy when the payment is added to it.
open class SKMutablePayment: SKPayment {
    public init() {
        super.init(order: PaymentOrder(productIdentifier: ""))
    }

    public override init(product: SKProduct) {
        super.init(product: product)
    }

    override init(order: PaymentOrder) {
        super.init(order: order)
    }

    open override var productIdentifier: String {
        get { order.productIdentifier }
        set { order.productIdentifier = newValue }
    }

    open override var quantity: Int {
        get { order.quantity }
        set { order.quantity = newValue }
    }

    open override var applicationUsername: String? {
        get { order.applicationUsername }
        set { order.applicationUsername = newValue }
    }

    open override var requestData: Data? {
        get { order.requestData }
        set { order.requestData = newValue }
    }

    open override var simulatesAskToBuyInSandbox: Bool {
        get { order.simulatesAskToBuy }
        set { order.simulatesAskToBuy = newValue }
    }

    open override var paymentDiscount: SKPaymentDiscount? {
        get { super.paymentDiscount }
        set { order.discount = newValue?.signed }
    }
}

/// What a payment says, as a value: what the queue works with and its journal keeps.
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

    /// StoreKit's bounds of a quantity.
    static let quantities = 1...10

    /// Why the payment can't be sent at all.
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
public final class SKPaymentDiscount: NSObject, Sendable {
    let signed: PaymentOrder.Discount

    /// - Parameter timestamp: When it was signed, in milliseconds since 1970.
    public init(identifier: String, keyIdentifier: String, nonce: UUID, signature: String, timestamp: NSNumber) {
        self.signed = PaymentOrder.Discount(
            identifier: identifier, keyIdentifier: keyIdentifier, nonce: nonce, signature: signature,
            timestamp: timestamp.int64Value)
    }

    init(_ signed: PaymentOrder.Discount) {
        self.signed = signed
    }

    public var identifier: String { signed.identifier }
    public var keyIdentifier: String { signed.keyIdentifier }
    public var nonce: UUID { signed.nonce }
    public var signature: String { signed.signature }
    public var timestamp: NSNumber { NSNumber(value: signed.timestamp) }
}
