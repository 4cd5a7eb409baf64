import Foundation
import Perennial

/// What the device remembers of a purchase that the app has finished.
public struct PurchaseRecord: Codable, Hashable, Sendable {
    public var transactionIdentifier: String
    public var originalTransactionIdentifier: String
    public var productIdentifier: String
    public var productType: String
    public var quantity: Int
    /// When it was bought, by the store's clock.
    public var purchaseDate: Date
    /// The old form of receipt, for verifyReceipt; `nil` where the store didn't send one.
    public var transactionReceipt: Data?

    public init(
        transactionIdentifier: String, originalTransactionIdentifier: String, productIdentifier: String,
        productType: String, quantity: Int, purchaseDate: Date, transactionReceipt: Data? = nil
    ) {
        self.transactionIdentifier = transactionIdentifier
        self.originalTransactionIdentifier = originalTransactionIdentifier
        self.productIdentifier = productIdentifier
        self.productType = productType
        self.quantity = quantity
        self.purchaseDate = purchaseDate
        self.transactionReceipt = transactionReceipt
    }

    /// Of a transaction that the app has finished: a restored one stands for its original.
    init?(finished transaction: StoreTransaction?) {
        guard let transaction else { return nil }
        self.init(transaction.original?.transaction ?? transaction)
    }

    /// `nil` where the store's date is none.
    init?(_ transaction: StoreTransaction) {
        guard let purchased = transaction.purchased else { return nil }
        self.init(
            transactionIdentifier: transaction.transactionId,
            originalTransactionIdentifier: transaction.originalTransactionId,
            productIdentifier: transaction.productId, productType: transaction.type, quantity: transaction.quantity,
            purchaseDate: purchased.date, transactionReceipt: transaction.transactionReceipt)
    }
}
