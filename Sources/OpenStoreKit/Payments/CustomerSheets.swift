import Foundation

/// The answer of a customer to a payment sheet.
public enum PaymentSheetAnswer: Sendable, Hashable {
    /// Buy.
    case buy
    /// Cancel the payment.
    case cancel
}

/// Asks the customer to confirm payments, as StoreKit's own sheet does.
///
/// A payment that was not confirmed before a crash is shown again.
public protocol PaymentSheet: Sendable {
    /// Shows a payment and waits for the answer.
    ///
    /// - Parameters:
    ///   - payment: The payment.
    ///   - product: The product as of the last products request; `nil` without one.
    func confirm(_ payment: sending SKPayment, product: SKProduct?) async -> PaymentSheetAnswer
}

/// A payment sheet that confirms every payment at once.
public struct ImmediatePaymentSheet: PaymentSheet {
    /// Makes a sheet.
    public init() {}

    public func confirm(_ payment: sending SKPayment, product: SKProduct?) async -> PaymentSheetAnswer { .buy }
}

/// Asks the customer for an offer code.
public protocol CodeRedemptionSheet: Sendable {
    /// Returns the code, or `nil` if the customer cancelled.
    func code() async -> String?
}

extension SKPaymentQueue {
    /// Shows the queue's code redemption sheet and redeems the code. Observers get the purchase like one from outside of the app.
    /// Has no effect without a sheet, and ignores errors; use ``redeem(code:)`` to show them.
    ///
    /// Source: Apple, StoreKit documentation, "presentCodeRedemptionSheet()".
    public func presentCodeRedemptionSheet() {
        guard let sheet = codeRedemptionSheet else { return }
        Task { [self] in
            guard let code = await sheet.code() else { return }
            try? await redeem(code: code)
        }
    }

    /// Redeems an offer code; an addition to StoreKit. Observers get the purchase. The offer of a running subscription begins with
    /// its next renewal.
    ///
    /// - Throws: ``SKError`` with the store's error code, such as `codeNotRedeemable`, `offerNotAvailable` or `paymentDeclined`.
    public func redeem(code: String) async throws {
        do {
            try await connection.store.redeem(
                CodeOrder(code: code, idempotencyKey: connection.dependencies.uniqueName()))
        } catch {
            throw SKError(wrapping: error)
        }
        await synchronize()
    }
}
