import Foundation

/// What a customer said to a payment.
public enum PaymentSheetAnswer: Sendable, Hashable {
    case buy
    case cancel
}

/// The port to the customer: shows what is about to be bought, and waits for the answer.
///
/// After a crash in between, a payment that the customer hasn't confirmed is shown again.
public protocol PaymentSheet: Sendable {
    /// - Parameter product: What the store said of the product; `nil` where the app never asked.
    func confirm(_ payment: sending SKPayment, product: SKProduct?) async -> PaymentSheetAnswer
}

/// A sheet that nobody sees: every payment is confirmed.
public struct ImmediatePaymentSheet: PaymentSheet {
    public init() {}

    public func confirm(_ payment: sending SKPayment, product: SKProduct?) async -> PaymentSheetAnswer { .buy }
}
