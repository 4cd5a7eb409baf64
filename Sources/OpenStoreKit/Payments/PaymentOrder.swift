import Foundation

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
    var objection: StoreFailure? {
        if productIdentifier.isEmpty {
            return StoreFailure(.paymentInvalid, message: "the payment names no product")
        }
        if !Self.quantities.contains(quantity) {
            return StoreFailure(.paymentInvalid, message: "the quantity is \(quantity), not 1 to 10")
        }
        if requestData != nil {
            return StoreFailure(.unauthorizedRequestData, message: "requestData is reserved")
        }
        if let discount, [discount.identifier, discount.keyIdentifier, discount.signature].contains("") {
            // Sending the payment without its offer would charge the full price.
            return StoreFailure(
                .missingOfferParams, message: "the offer needs its identifier, key identifier and signature")
        }
        return nil
    }
}

extension PaymentOrder {
    /// Reads a payment by its properties, which subclasses override.
    init(_ payment: SKPayment) {
        self.init(
            productIdentifier: payment.productIdentifier, quantity: payment.quantity,
            applicationUsername: payment.applicationUsername, requestData: payment.requestData,
            simulatesAskToBuy: payment.simulatesAskToBuyInSandbox,
            discount: payment.paymentDiscount.map(Discount.init))
    }
}

extension PaymentOrder.Discount {
    init(_ discount: SKPaymentDiscount) {
        self.init(
            identifier: discount.identifier, keyIdentifier: discount.keyIdentifier, nonce: discount.nonce,
            signature: discount.signature, timestamp: discount.timestamp.int64Value)
    }
}
