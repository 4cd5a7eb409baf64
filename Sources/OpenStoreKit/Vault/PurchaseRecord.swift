import Foundation
import Perennial

/// A finished purchase in the device's records.
public struct PurchaseRecord: Codable, Hashable, Sendable {
    /// Transaction ID.
    public var transactionIdentifier: String
    /// Original transaction ID.
    public var originalTransactionIdentifier: String
    /// Product identifier.
    public var productIdentifier: String
    /// Product type by its name in store/v1, such as `consumable`.
    public var productType: String
    /// Quantity.
    public var quantity: Int
    /// Purchase date by the store's clock.
    public var purchaseDate: Date
    /// Receipt in the old form, for verifyReceipt; `nil` without one.
    public var transactionReceipt: Data?

    /// Makes a record, for implementations of ``ReceiptChecking``.
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

    /// Makes a record of a finished transaction; of its original for a restored one.
    init?(finished transaction: StoreTransaction?) {
        guard let transaction else { return nil }
        self.init(transaction.original?.transaction ?? transaction)
    }

    /// Makes a record of a transaction. Returns `nil` for a malformed date.
    init?(_ transaction: StoreTransaction) {
        guard let purchased = transaction.purchased else { return nil }
        self.init(
            transactionIdentifier: transaction.transactionId,
            originalTransactionIdentifier: transaction.originalTransactionId,
            productIdentifier: transaction.productId, productType: transaction.type, quantity: transaction.quantity,
            purchaseDate: purchased.date, transactionReceipt: transaction.transactionReceipt)
    }
}

extension PurchaseRecord {
    /// Returns true if the purchase was made at a date, up to a second: not every text of a date has fractions.
    func isBought(at date: Instant?) -> Bool {
        date.map { purchaseDate.timeIntervalSince($0.date).magnitude < 1 } ?? true
    }
}
