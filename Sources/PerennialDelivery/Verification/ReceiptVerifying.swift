import Perennial

/// Verifies receipts.
package protocol ReceiptVerifying: Sendable {
    /// Verifies a receipt and returns its purchases.
    ///
    /// - Parameters:
    ///   - receipt: base64 of an app receipt or of an old transaction receipt.
    ///   - password: The app's shared secret, which receipts with auto-renewable subscriptions need.
    /// - Throws: ``DeliveryError`` with `receiptInvalid`, `sandboxReceiptRefused`, `sharedSecretWrong` or
    ///   `storeUnavailable`.
    func verify(receipt: String, password: String?) async throws -> AuthenticReceipt
}

/// An authentic receipt, as the store reports it.
package struct AuthenticReceipt: Hashable, Sendable {
    package var environment: StoreEnvironment.Kind
    package var bundleID: App.BundleID
    /// Newest known state of each transaction, by date.
    package var purchases: [VerifiedPurchase]
    /// Time of the answer by the store's clock; `nil` without one, as for old transaction receipts.
    package var answered: Instant?

    package init(
        environment: StoreEnvironment.Kind, bundleID: App.BundleID, purchases: [VerifiedPurchase],
        answered: Instant? = nil
    ) {
        self.environment = environment
        self.bundleID = bundleID
        self.purchases = purchases
        self.answered = answered
    }
}

/// Sends requests to a store's verifyReceipt.
package protocol VerifyReceiptEndpoint: Sendable {
    /// Posts a JSON body.
    ///
    /// - Throws: Any error without a complete answer in time, or beyond ``VerifyReceiptAnswer/maximumBodySize``.
    func post(_ body: [UInt8], to url: String) async throws -> VerifyReceiptAnswer
}

/// An HTTP answer of verifyReceipt, not decoded yet.
package struct VerifyReceiptAnswer: Hashable, Sendable {
    /// Maximum size in bytes; a limit of ours. An answer with 10,000 transactions takes about 12 MB.
    package static let maximumBodySize = 16 << 20

    package var httpStatus: Int
    package var body: [UInt8]
    /// `Retry-After` in seconds; `nil` without one.
    package var retryAfter: Int?

    package init(httpStatus: Int, body: [UInt8], retryAfter: Int? = nil) {
        self.httpStatus = httpStatus
        self.body = body
        self.retryAfter = retryAfter
    }
}
