import Foundation

extension ContentDownloads {
    /// Delivers the content of a transaction of StoreKit 2, then finishes it. Removes the content of a revoked one.
    ///
    /// For transactions of `Transaction.updates`, `Transaction.unfinished` and `Product.purchase(options:)`.
    ///
    /// - Parameters:
    ///   - transaction: A verified transaction.
    ///   - rule: The moment of finishing.
    /// - Throws: ``DeliveryError``; the transaction stays unfinished.
    public func deliver(_ transaction: Transaction, finishing rule: FinishRule = .contentIsSafe) async throws {
        guard transaction.revocationDate == nil else {
            try removeContent(ofRevoked: transaction)
            return await transaction.finish()
        }
        try await deliver(
            transactionID: String(transaction.id), productID: transaction.productID,
            originalID: transaction.productType == .nonConsumable ? String(transaction.originalID) : nil,
            finishing: rule
        ) {
            await transaction.finish()
        }
    }

    /// Removes the content that a revoked transaction opened.
    ///
    /// A grant may name another transaction of the same purchase, so a non-consumable takes all content of its product: unless the
    /// customer has bought that again, and the refund of the first purchase comes late.
    private func removeContent(ofRevoked transaction: Transaction) throws {
        guard transaction.productType == .nonConsumable else {
            return try removeContent(ofTransaction: String(transaction.id))
        }
        let valid = transaction.content.sync.object?.vault.entitlement(to: transaction.productID)
        guard valid == nil || valid?.transactionID == transaction.id else { return }
        try removeContent(ofProducts: [transaction.productID])
    }

    /// Delivers the content of a purchased or restored transaction of StoreKit 1, then finishes it.
    ///
    /// - Parameters:
    ///   - transaction: A transaction in the state `purchased` or `restored`. One in another state has no effect.
    ///   - queue: The queue of the transaction.
    ///   - rule: The moment of finishing.
    /// - Throws: ``DeliveryError``; the transaction stays unfinished.
    public func deliver(
        _ transaction: SKPaymentTransaction, of queue: SKPaymentQueue, finishing rule: FinishRule = .contentIsSafe
    ) async throws {
        guard [.purchased, .restored].contains(transaction.transactionState),
            let id = transaction.transactionIdentifier
        else { return }
        try await deliver(
            transactionID: id, productID: transaction.payment.productIdentifier,
            originalID: transaction.restoredIdentifier, finishing: rule
        ) {
            queue.finishTransaction(transaction)
        }
    }
}
