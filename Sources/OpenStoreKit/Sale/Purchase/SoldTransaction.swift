/// The store's answer to a purchase.
enum SaleAnswer: Sendable {
    case sold(SoldTransaction)
    /// A parent is asked, or the customer has to act outside of the app.
    case waits
}

/// A transaction of the store's answer to a purchase.
struct SoldTransaction: Sendable {
    let id: UInt64
    let originalID: UInt64
    let isFinished: Bool
    /// JWS in compact form; `nil` from a store that doesn't sign answers to purchases.
    let signed: String?
    /// Renewal information of a subscription, as a JWS.
    let renewalInfo: String?

    /// Reads a message of the store.
    ///
    /// - Throws: `StoreFailure` for an ID that is no number.
    init(_ message: StoreTransaction) throws {
        guard let id = UInt64(message.transactionId, radix: 10) else {
            throw StoreFailure(.unknown, message: "the store's transaction ID is no number: \(message.transactionId)")
        }
        self.id = id
        originalID = UInt64(message.originalTransactionId, radix: 10) ?? id
        isFinished = message.isFinished ?? false
        signed = message.signedTransaction
        renewalInfo = message.signedRenewalInfo
    }

    init(_ sale: InProcessSale) {
        id = sale.transactionID
        originalID = sale.originalID
        isFinished = sale.isFinished
        signed = sale.signedTransaction
        renewalInfo = sale.signedRenewalInfo
    }
}
