import FastJSON
import Foundation

extension VerifyReceiptResponse {
    /// An entry of `latest_receipt_info`: a purchase of a receipt with the facts that only the store knows.
    public struct Transaction: Sendable, Equatable {
        /// The purchase.
        public var purchase: AppReceipt.Purchase
        /// The name of the offer code that was redeemed.
        public var offerCodeRefName: String?
        /// The group of an auto-renewable subscription.
        public var subscriptionGroupIdentifier: String?
        /// True if the customer upgraded; written only then.
        public var isUpgraded: Bool = false
        /// The ownership: bought, or shared by a family member.
        public var inAppOwnershipType: InAppOwnershipType = .purchased
        /// The app's own identifier of the customer.
        public var appAccountToken: UUID?

        /// Makes an entry; optional properties are set afterwards.
        public init(_ purchase: AppReceipt.Purchase) {
            self.purchase = purchase
        }
    }

    /// An entry of `pending_renewal_info`: the next renewal of one subscription.
    public struct PendingRenewal: Sendable, Equatable {
        /// The product that will renew.
        public var autoRenewProductID: String
        /// The product now.
        public var productID: String
        /// The subscription.
        public var originalTransactionID: String
        /// The renewal status.
        public var autoRenewStatus: RenewalInfoPayload.AutoRenewStatus
        /// The reason of the expiry; only after one.
        public var expirationIntent: RenewalInfoPayload.ExpirationIntent?
        /// True while the store still tries to charge for it; present only in billing retry or after it.
        public var isInBillingRetryPeriod: Bool?
        /// The end of the grace period; only in one.
        public var gracePeriodExpiresDate: Date?
        /// The customer's answer to a price increase that needs consent; only for such.
        public var priceConsentStatus: RenewalInfoPayload.PriceIncreaseStatus?
        /// The customer's answer to a price increase, or the notice of one.
        public var priceIncreaseStatus: RenewalInfoPayload.PriceIncreaseStatus?
        /// The promotional offer that was redeemed.
        public var promotionalOfferID: String?
        /// The name of the offer code that was redeemed.
        public var offerCodeRefName: String?

        /// Makes an entry; optional properties are set afterwards.
        public init(
            productID: String, autoRenewProductID: String, originalTransactionID: String,
            autoRenewStatus: RenewalInfoPayload.AutoRenewStatus
        ) {
            self.productID = productID
            self.autoRenewProductID = autoRenewProductID
            self.originalTransactionID = originalTransactionID
            self.autoRenewStatus = autoRenewStatus
        }
    }
}

extension AppReceipt.Purchase {
    /// The members that `in_app` and `latest_receipt_info` share; all are strings.
    func write(to json: inout JSONWriter) {
        json.numberString("quantity", quantity)
        json.string("product_id", productID)
        json.string("transaction_id", transactionID)
        json.string("original_transaction_id", originalTransactionID)
        json.dateTriplet("purchase_date", purchaseDate)
        json.dateTriplet("original_purchase_date", originalPurchaseDate)
        json.dateTriplet("expires_date", expiresDate)
        json.dateTriplet("cancellation_date", cancellationDate)
        if cancellationDate != nil { json.numberString("cancellation_reason", cancellationReason ?? 0) }
        json.numberString("web_order_line_item_id", webOrderLineItemID)
        json.boolString("is_trial_period", isTrialPeriod)
        if isAutoRenewable { json.boolString("is_in_intro_offer_period", isInIntroOfferPeriod) }
        json.string("promotional_offer_id", promotionalOfferID)
    }
}

extension VerifyReceiptResponse.Transaction {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        purchase.write(to: &json)
        json.string("offer_code_ref_name", offerCodeRefName)
        json.string("subscription_group_identifier", subscriptionGroupIdentifier)
        if isUpgraded { json.boolString("is_upgraded", true) }
        json.string("in_app_ownership_type", inAppOwnershipType.rawValue)
        json.uuid("app_account_token", appAccountToken)
        json.endObject()
    }
}

extension VerifyReceiptResponse.PendingRenewal {
    func write(to json: inout JSONWriter) {
        json.beginObject()
        json.numberString("expiration_intent", (expirationIntent?.rawValue).map(Int64.init))
        json.string("auto_renew_product_id", autoRenewProductID)
        json.string("original_transaction_id", originalTransactionID)
        json.numberString("is_in_billing_retry_period", isInBillingRetryPeriod.map { $0 ? 1 : 0 })
        json.dateTriplet("grace_period_expires_date", gracePeriodExpiresDate)
        json.numberString("price_consent_status", (priceConsentStatus?.rawValue).map(Int64.init))
        json.numberString("price_increase_status", (priceIncreaseStatus?.rawValue).map(Int64.init))
        json.string("promotional_offer_id", promotionalOfferID)
        json.string("offer_code_ref_name", offerCodeRefName)
        json.string("product_id", productID)
        json.numberString("auto_renew_status", Int64(autoRenewStatus.rawValue))
        json.endObject()
    }
}
