import Foundation

extension StoreConnection {
    /// Asks the customer to confirm payments, as StoreKit's own sheet does.
    ///
    /// A payment that was not confirmed before a crash is shown again.
    public protocol PaymentSheet: Sendable {
        /// Shows a payment and waits for the answer.
        func confirm(_ payment: PaymentDetails) async -> PaymentSheetAnswer
    }

    /// The answer of a customer to a payment sheet.
    public enum PaymentSheetAnswer: Sendable, Hashable {
        /// Buy.
        case buy
        /// Cancel the payment.
        case cancel
    }

    /// The facts of a payment for its sheet.
    public struct PaymentDetails: Sendable {
        /// Identifier of the product.
        public var productIdentifier: String
        /// Quantity.
        public var quantity: Int
        /// The product as of the last request for it; `nil` without one.
        public var product: SKProduct?
        /// Identifier of the payment's offer; `nil` without one.
        public var offerIdentifier: String?

        init(productIdentifier: String, quantity: Int, product: SKProduct?, offerIdentifier: String? = nil) {
            self.productIdentifier = productIdentifier
            self.quantity = quantity
            self.product = product
            self.offerIdentifier = offerIdentifier
        }
    }

    /// A payment sheet that confirms every payment at once.
    public struct ImmediatePaymentSheet: PaymentSheet {
        /// Makes a sheet.
        public init() {}

        public func confirm(_ payment: PaymentDetails) async -> PaymentSheetAnswer { .buy }
    }

    /// Asks the customer for an offer code.
    public protocol CodeRedemptionSheet: Sendable {
        /// Returns the code, or `nil` if the customer cancelled.
        func code() async -> String?
    }

    /// Redeems an offer code. Observers and listeners get the purchase like one from outside of the app. The offer of a running
    /// subscription begins with its next renewal.
    ///
    /// In a test's session a code is the reference name of an offer in the configuration file's `codeOffers`; of two products with such
    /// an offer, the first one's.
    ///
    /// - Throws: ``SKError`` with the store's error code, such as `codeNotRedeemable`, `offerNotAvailable` or `paymentDeclined`; the
    ///   error that a test's session simulates for `.offerCodeRedeem`, as it is.
    public func redeem(code: String) async throws {
        try simulatedErrors.check(.offerCodeRedeem)
        do {
            let code = try await codeTranslation?(code) ?? code
            try await store.redeem(CodeOrder(code: code, idempotencyKey: dependencies.uniqueName()))
        } catch {
            throw SKError(wrapping: error)
        }
        await synchronize()
    }

    /// Shows the code redemption sheet and redeems the code. Ignores errors, as the system's sheet shows them itself.
    func presentCodeRedemptionSheet() async {
        guard let code = await codeRedemptionSheet?.code() else { return }
        try? await redeem(code: code)
    }
}
