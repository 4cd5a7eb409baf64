import Foundation

/// The contents of an old transaction receipt: one purchase, as `SKPaymentTransaction.transactionReceipt` holds it.
///
/// The names are those of verifyReceipt's answer. Dates have milliseconds.
public struct TransactionReceipt: Sendable, Equatable {
    /// The environment of the store.
    public var environment: AppStoreEnvironment
    /// The quantity bought: 1 to 10.
    public var quantity: Int64 = 1
    /// The product bought.
    public var productID: String
    /// The transaction.
    public var transactionID: String
    /// The transaction this one renews or restores, else itself.
    public var originalTransactionID: String
    /// The date of the purchase, renewal or restore.
    public var purchaseDate: Date
    /// The date of the original transaction.
    public var originalPurchaseDate: Date
    /// The end of the period of an auto-renewable subscription; `nil` for everything else.
    public var expiresDate: Date?
    /// The paid period of an auto-renewable subscription; `nil` for everything else.
    public var webOrderLineItemID: Int64?
    /// The product's number in the App Store.
    public var itemID: Int64
    /// The app's number in the App Store; `nil` in the sandbox.
    public var appItemID: Int64?
    /// The number of the app's version in the App Store; `nil` in the sandbox.
    public var versionExternalIdentifier: Int64?
    /// The app's bundle identifier (`bid`).
    public var bundleID: String
    /// The app's version (`bvrs`).
    public var applicationVersion: String
    /// The device.
    public var uniqueIdentifier: String?
    /// The device as the seller's apps know it.
    public var uniqueVendorIdentifier: String?
    /// True if the period is a free trial.
    public var isTrialPeriod: Bool = false
    /// True if the period was sold at an introductory price.
    public var isInIntroOfferPeriod: Bool = false

    /// Makes a receipt; optional properties are set afterwards.
    public init(
        environment: AppStoreEnvironment, bundleID: String, applicationVersion: String, itemID: Int64,
        productID: String, transactionID: String, originalTransactionID: String, purchaseDate: Date,
        originalPurchaseDate: Date
    ) {
        self.environment = environment
        self.bundleID = bundleID
        self.applicationVersion = applicationVersion
        self.itemID = itemID
        self.productID = productID
        self.transactionID = transactionID
        self.originalTransactionID = originalTransactionID
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
    }
}
