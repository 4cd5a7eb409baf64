import Foundation

/// A request to buy a product. ``SKMutablePayment`` is mutable.
///
/// Source: Apple, StoreKit documentation, "SKPayment".
open class SKPayment: NSObject, NSCopying, NSMutableCopying {
    var order = PaymentOrder(productIdentifier: "")
    /// The object of the order's offer, which stays the same: offers are equal only to themselves.
    fileprivate var discount: SKPaymentDiscount?

    /// Makes a payment without a product, for subclasses.
    public override init() {}

    /// Makes a payment for one piece of a product.
    public convenience init(product: SKProduct) {
        self.init()
        order.productIdentifier = product.productIdentifier
    }

    convenience init(order: PaymentOrder) {
        self.init()
        self.order = order
        self.discount = order.discount.map { SKPaymentDiscount($0) }
    }

    /// Makes a copy of a payment by its properties, which subclasses override.
    fileprivate convenience init(copy payment: SKPayment) {
        self.init()
        self.order = PaymentOrder(payment)
        self.discount = payment.paymentDiscount
    }

    /// Makes a payment for one piece of a product, by its identifier.
    open class func payment(withProductIdentifier identifier: String) -> Any {
        SKPayment(order: PaymentOrder(productIdentifier: identifier))
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
    open var paymentDiscount: SKPaymentDiscount? { discount }

    /// Returns an immutable copy.
    open func copy(with zone: NSZone? = nil) -> Any { SKPayment(copy: self) }
    /// Returns a mutable copy.
    open func mutableCopy(with zone: NSZone? = nil) -> Any { SKMutablePayment(copy: self) }

    open override func isEqual(_ object: Any?) -> Bool {
        (object as? SKPayment).map { PaymentOrder($0) == PaymentOrder(self) } ?? false
    }

    open override var hash: Int { PaymentOrder(self).hashValue }
}

/// A mutable payment. The queue copies it when it is added.
///
/// Source: Apple, StoreKit documentation, "SKMutablePayment".
open class SKMutablePayment: SKPayment {
    /// Makes a payment without a product.
    public override init() {}

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
        set {
            discount = newValue
            order.discount = newValue.map(PaymentOrder.Discount.init)
        }
    }
}

/// A promotional offer with the seller's signature.
///
/// Source: Apple, StoreKit documentation, "SKPaymentDiscount".
open class SKPaymentDiscount: NSObject, @unchecked Sendable {
    private static let noNonce = UUID(uuid: (0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0))
    private let signed: PaymentOrder.Discount

    /// Makes a payment discount without values, for subclasses.
    public override init() {
        self.signed = PaymentOrder.Discount(
            identifier: "", keyIdentifier: "", nonce: Self.noNonce, signature: "", timestamp: 0)
    }

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
    open var identifier: String { signed.identifier }
    /// Identifier of the signing key.
    open var keyIdentifier: String { signed.keyIdentifier }
    /// One-time UUID of the signature.
    open var nonce: UUID { signed.nonce }
    /// Signature in base64.
    open var signature: String { signed.signature }
    /// Signing time in milliseconds since 1970.
    open var timestamp: NSNumber { NSNumber(value: signed.timestamp) }
}
