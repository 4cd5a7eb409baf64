/// A store in the same process, which takes purchases as values.
///
/// Its rules are those of the requests in text, and so are its idempotency keys: what it doesn't sell is sent again as text under the
/// same key, and refused in the protocol's words.
package protocol InProcessStore: Sendable {
    /// Buys a product for the device of a token.
    ///
    /// - Throws: Any error. Then nothing was sold, or it is sold again under the order's key.
    func sell(_ order: InProcessOrder, token: String) async throws -> InProcessSale

    /// Returns the app receipt for the device of a token. Blocks its thread.
    func appReceipt(token: String) throws -> Data
}

/// A purchase without an offer and without Ask to Buy.
package struct InProcessOrder: Sendable {
    package var productID: String
    package var quantity: Int
    /// UUID in lower case.
    package var appAccountToken: String?
    package var idempotencyKey: String
}

/// A signed sale.
package struct InProcessSale: Sendable {
    package var transactionID: UInt64
    package var originalID: UInt64
    package var isFinished: Bool
    /// JWS in compact form. ``signedRenewalInfo`` has the same form.
    package var signedTransaction: String
    /// Renewal information of a subscription.
    package var signedRenewalInfo: String?

    package init(
        transactionID: UInt64, originalID: UInt64, isFinished: Bool, signedTransaction: String,
        signedRenewalInfo: String?
    ) {
        self.transactionID = transactionID
        self.originalID = originalID
        self.isFinished = isFinished
        self.signedTransaction = signedTransaction
        self.signedRenewalInfo = signedRenewalInfo
    }
}
