import Perennial

/// Whoever can say whether a receipt is authentic and what it proves.
package protocol ReceiptVerifying: Sendable {
    /// - Parameters:
    ///   - receipt: base64 of an app receipt or of an old transaction receipt, as the device has it.
    ///   - password: The app's shared secret, without which receipts with renewing subscriptions are refused.
    /// - Throws: ``DeliveryError`` with `receiptInvalid`, `sandboxReceiptRefused`, `sharedSecretWrong` or
    ///   `storeUnavailable`: whatever is thrown, nothing is granted.
    func verify(receipt: String, password: String?) async throws -> VerifiedReceipt
}

/// What the store says of an authentic receipt.
package struct VerifiedReceipt: Hashable, Sendable {
    package var environment: StoreEnvironment.Kind
    package var bundleID: App.BundleID
    /// The newest known state of each transaction, in the order of their dates.
    package var purchases: [VerifiedPurchase]
    /// When the store answered, by its own clock; `nil` where it didn't say, as for old transaction receipts.
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

/// The way to a store's verifyReceipt.
package protocol VerifyReceiptEndpoint: Sendable {
    /// Sends one JSON body with POST.
    /// - Throws: Anything, if there is no complete answer in time or it is larger than
    ///   ``VerifyReceiptAnswer/maximumBodySize``.
    func post(_ body: [UInt8], to url: String) async throws -> VerifyReceiptAnswer
}

/// What came back over HTTP, not yet understood.
package struct VerifyReceiptAnswer: Hashable, Sendable {
    /// A limit of ours, in bytes: an answer with 10,000 transactions takes about 12 MB.
    package static let maximumBodySize = 16 << 20

    package var httpStatus: Int
    package var body: [UInt8]
    /// `Retry-After` in seconds, where there is one.
    package var retryAfter: Int?

    package init(httpStatus: Int, body: [UInt8], retryAfter: Int? = nil) {
        self.httpStatus = httpStatus
        self.body = body
        self.retryAfter = retryAfter
    }
}
