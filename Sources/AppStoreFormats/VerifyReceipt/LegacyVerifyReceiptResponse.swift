import FastJSON
import Foundation
import Perennial

/// The answer of verifyReceipt to an old transaction receipt: its `latest_receipt_info` is an object, and an expired
/// subscription has the status 21006.
public struct LegacyVerifyReceiptResponse: Sendable, Equatable {
    /// The verdict: valid, or expired, which a refund counts as.
    public var status: VerifyReceiptStatus
    /// The receipt that was sent in.
    public var receipt: Transaction
    /// The newest renewal; where the subscription runs.
    public var latestReceiptInfo: Transaction?
    /// The newest transaction receipt; where the subscription runs.
    public var latestReceipt: [UInt8]?
    /// The last renewal; where the subscription has expired.
    public var latestExpiredReceiptInfo: Transaction?
    /// The renewal status of the subscription.
    public var autoRenewStatus: RenewalInfoPayload.AutoRenewStatus?
    /// The product that will renew.
    public var autoRenewProductID: String?
    /// The reason of the expiry.
    public var expirationIntent: RenewalInfoPayload.ExpirationIntent?
    /// True while the store still tries to charge for it.
    public var isInBillingRetryPeriod: Bool?
    /// The reason of the refund: 1 for an issue with the app, 0 for another reason.
    public var cancellationReason: Int64?

    /// Makes the answer for a purchase that is no auto-renewable subscription.
    public init(receipt: Transaction) {
        status = .valid
        self.receipt = receipt
    }

    /// Makes the answer for a subscription that runs.
    public init(receipt: Transaction, latest: Transaction, latestReceipt: [UInt8]) {
        status = .valid
        self.receipt = receipt
        latestReceiptInfo = latest
        self.latestReceipt = latestReceipt
    }

    /// Makes the answer for a subscription that has expired or was refunded: status 21006.
    public init(receipt: Transaction, latestExpired: Transaction) {
        status = .subscriptionExpired
        self.receipt = receipt
        latestExpiredReceiptInfo = latestExpired
    }

    /// A transaction of the answer: a transaction receipt with the facts that only the store knows.
    public struct Transaction: Sendable, Equatable {
        /// The contents of the transaction receipt.
        public var receipt: TransactionReceipt
        /// The date of the refund or revocation.
        public var cancellationDate: Date?
        /// The ownership: bought, or shared by a family member.
        public var inAppOwnershipType: InAppOwnershipType?
        /// The group of an auto-renewable subscription.
        public var subscriptionGroupIdentifier: String?

        /// Creates a transaction; optional properties are set afterwards.
        public init(_ receipt: TransactionReceipt) {
            self.receipt = receipt
        }
    }
}

extension LegacyVerifyReceiptResponse {
    /// The answer's body, keys in a fixed order.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 4096 + (latestReceipt?.count ?? 0) * 4 / 3)
        json.beginObject()
        json.number("auto_renew_status", (autoRenewStatus?.rawValue).map(Int64.init))
        json.string("auto_renew_product_id", autoRenewProductID)
        json.numberString("expiration_intent", (expirationIntent?.rawValue).map(Int64.init))
        json.numberString("is_in_billing_retry_period", isInBillingRetryPeriod.map { $0 ? 1 : 0 })
        json.numberString("cancellation_reason", cancellationReason)
        json.number("status", Int64(status.rawValue))
        receipt.write("receipt", to: &json)
        latestReceiptInfo?.write("latest_receipt_info", to: &json)
        json.base64("latest_receipt", latestReceipt)
        latestExpiredReceiptInfo?.write("latest_expired_receipt_info", to: &json)
        json.endObject()
        return json.bytes
    }
}

extension LegacyVerifyReceiptResponse.Transaction {
    fileprivate func write(_ key: StaticString, to json: inout JSONWriter) {
        json.beginObject(key)
        json.numberString("quantity", receipt.quantity)
        json.string("product_id", receipt.productID)
        json.string("transaction_id", receipt.transactionID)
        json.string("original_transaction_id", receipt.originalTransactionID)
        json.dateTriplet("purchase_date", receipt.purchaseDate)
        json.dateTriplet("original_purchase_date", receipt.originalPurchaseDate)
        if let expiresDate = receipt.expiresDate {
            json.numberString("expires_date", VerifyReceiptDate.instant(expiresDate).milliseconds)
            json.string("expires_date_formatted", VerifyReceiptDate.gmt(expiresDate))
            json.string("expires_date_formatted_pst", VerifyReceiptDate.pacific(expiresDate))
        }
        json.numberString("item_id", receipt.itemID)
        json.numberString("app_item_id", receipt.appItemID)
        json.numberString("version_external_identifier", receipt.versionExternalIdentifier)
        json.string("bid", receipt.bundleID)
        json.string("bvrs", receipt.applicationVersion)
        json.string("unique_identifier", receipt.uniqueIdentifier)
        json.string("unique_vendor_identifier", receipt.uniqueVendorIdentifier)
        json.numberString("web_order_line_item_id", receipt.webOrderLineItemID)
        json.boolString("is_trial_period", receipt.isTrialPeriod)
        if receipt.expiresDate != nil { json.boolString("is_in_intro_offer_period", receipt.isInIntroOfferPeriod) }
        json.dateTriplet("cancellation_date", cancellationDate)
        json.string("in_app_ownership_type", inAppOwnershipType?.rawValue)
        json.string("subscription_group_identifier", subscriptionGroupIdentifier)
        json.endObject()
    }
}
