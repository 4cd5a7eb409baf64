import FastJSON
import Foundation

/// The body of a server notification, version 1, which Apple deprecated in 2023. It is not signed: the shared secret in it
/// is all that shows who sent it.
public struct NotificationV1Body: Sendable, Equatable {
    /// The event: `INITIAL_BUY` and so on.
    public var notificationType: String
    /// The side of the store: written as `PROD` or `Sandbox`.
    public var environment: AppStoreEnvironment
    /// The shared secret of the app.
    public var password: String
    /// The bundle ID of the app.
    public var bundleID: String
    /// The version of the app's build.
    public var bundleVersion: String
    /// The number of the product that will renew.
    public var autoRenewAdamID: String?
    /// The product that will renew.
    public var autoRenewProductID: String?
    /// True if the subscription will renew.
    public var autoRenewStatus: Bool?
    /// The date on which `auto_renew_status` changed last.
    public var autoRenewStatusChangeDate: Date?
    /// The reason for which the subscription ended.
    public var expirationIntent: Int64?
    /// The subscription.
    public var originalTransactionID: Int64?
    /// The newest receipt.
    public var latestReceipt: [UInt8]
    /// The newest 100 transactions, newest first.
    public var latestReceiptInfo: [VerifyReceiptResponse.Transaction]
    /// The next renewal of each subscription.
    public var pendingRenewalInfo: [VerifyReceiptResponse.PendingRenewal]

    /// The date on which Apple deprecated version 1, which every body says (`deprecation`).
    public static let deprecation = "Mon, 05 Jun 2023 00:00:00 GMT"
    /// The most transactions in a body.
    public static let maximumTransactions = 100

    /// Makes a body; optional properties are set afterwards.
    public init(
        notificationType: String, environment: AppStoreEnvironment, password: String, bundleID: String,
        bundleVersion: String, latestReceipt: [UInt8], latestReceiptInfo: [VerifyReceiptResponse.Transaction],
        pendingRenewalInfo: [VerifyReceiptResponse.PendingRenewal]
    ) {
        self.notificationType = notificationType
        self.environment = environment
        self.password = password
        self.bundleID = bundleID
        self.bundleVersion = bundleVersion
        self.latestReceipt = latestReceipt
        self.latestReceiptInfo = latestReceiptInfo
        self.pendingRenewalInfo = pendingRenewalInfo
    }

    /// The JSON, keys in a fixed order.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 2048 + latestReceipt.count * 4 / 3 + latestReceiptInfo.count * 1400)
        json.beginObject()
        json.string("notification_type", notificationType)
        json.string("environment", environment == .production ? "PROD" : environment.rawValue)
        json.string("password", password)
        json.string("bid", bundleID)
        json.string("bvrs", bundleVersion)
        json.string("auto_renew_adam_id", autoRenewAdamID)
        json.string("auto_renew_product_id", autoRenewProductID)
        if let autoRenewStatus { json.boolString("auto_renew_status", autoRenewStatus) }
        json.dateTriplet("auto_renew_status_change_date", autoRenewStatusChangeDate)
        json.number("expiration_intent", expirationIntent)
        json.number("original_transaction_id", originalTransactionID)
        json.string("deprecation", Self.deprecation)
        json.beginObject("unified_receipt")
        json.string("environment", environment.rawValue)
        json.base64("latest_receipt", latestReceipt)
        json.beginArray("latest_receipt_info")
        for transaction in latestReceiptInfo.prefix(Self.maximumTransactions) { transaction.write(to: &json) }
        json.endArray()
        json.beginArray("pending_renewal_info")
        for renewal in pendingRenewalInfo { renewal.write(to: &json) }
        json.endArray()
        json.number("status", 0)
        json.endObject()
        json.endObject()
        return json.bytes
    }
}
