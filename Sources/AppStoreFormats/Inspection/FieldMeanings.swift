import Foundation

/// Apple's terms for the fields of receipts, signed data and tokens, in a sentence each.
package enum FieldMeanings {
    /// Returns the meaning of a field; empty for one that Apple doesn't document.
    static func meaning(of name: String) -> String { all[name] ?? "" }

    /// Returns the date that a number stands for, or the name of a code.
    static func note(_ name: String, number text: String) -> String {
        if let names = codes[name], let number = Int(text) { return names[number] ?? "" }
        guard let number = Double(text) else { return "" }
        if ["iat", "exp", "nbf"].contains(name) { return InspectionDate.text(milliseconds: number * 1000) ?? "" }
        guard name.hasSuffix("Date") || name.hasSuffix("_ms") || name == "timestamp" else { return "" }
        return InspectionDate.text(milliseconds: number) ?? ""
    }

    /// Returns the date that the digits of a text stand for.
    static func note(_ name: String, text: String) -> String {
        guard name.hasSuffix("_ms") || name.hasSuffix("-ms") || name == "expires-date", text.utf8.count <= 16,
            let number = Double(text)
        else { return "" }
        return InspectionDate.text(milliseconds: number) ?? ""
    }

    /// The names of the codes in a field, by its name.
    package static let codes: [String: [Int: String]] = [
        "autoRenewStatus": [0: "off", 1: "on"],
        "expirationIntent": [
            1: "the customer cancelled", 2: "billing error", 3: "no consent to a price increase",
            4: "the product wasn't available", 5: "other",
        ],
        "offerType": [1: "introductory", 2: "promotional", 3: "offer code", 4: "win-back"],
        "priceIncreaseStatus": [0: "no answer yet", 1: "consented, or no consent needed"],
        "revocationReason": [0: "other reason", 1: "an issue in the app"],
        "product_type": [
            0: "non-consumable", 1: "consumable", 2: "non-renewing subscription", 3: "auto-renewable subscription",
        ],
        "cancellation_reason": [0: "other reason", 1: "an issue in the app"],
        "status": [1: "active", 2: "expired", 3: "billing retry", 4: "billing grace period", 5: "revoked"],
    ]

    /// The meaning of each field, by its name.
    package static let all: [String: String] = signed.merging(receipts) { one, _ in one }.merging(others) { one, _ in
        one
    }

    private static let signed: [String: String] = [
        "appAccountToken": "A UUID that the app associates with a customer.",
        "appAppleId": "The unique identifier of the app in the App Store.",
        "appTransactionId": "The unique identifier of the app download.",
        "applicationVersion": "The app version that the app transaction applies to.",
        "autoRenewProductId": "The identifier of the product that renews at the next billing period.",
        "autoRenewStatus": "The renewal status of the auto-renewable subscription.",
        "billingPlanType": "The billing plan of the subscription.",
        "bundleId": "The bundle identifier of the app.",
        "bundleVersion": "The version of the build that identifies an iteration of the bundle.",
        "commitmentInfo": "The commitment that a monthly billing plan is part of.",
        "consumptionRequestReason": "The reason the customer requested the refund.",
        "currency": "The three-letter ISO 4217 currency code of the price.",
        "data": "The app metadata and the signed renewal and transaction information.",
        "deviceVerification": "The value to use to determine whether the device is the one it was made for.",
        "deviceVerificationNonce": "The UUID used to compute the device verification value.",
        "eligibleWinBackOfferIds": "The win-back offers that the customer is eligible for.",
        "environment": "The server environment, Sandbox or Production.",
        "expirationIntent": "The reason a subscription expired.",
        "expiresDate": "The UNIX time, in milliseconds, an auto-renewable subscription expires or renews.",
        "externalPurchaseId": "The unique identifier of an external purchase token.",
        "gracePeriodExpiresDate": "The time when the billing grace period for subscription renewals expires.",
        "inAppOwnershipType": "Whether the customer purchased it or has it by Family Sharing.",
        "isInBillingRetryPeriod": "Whether the App Store is attempting to renew an expired subscription.",
        "isUpgraded": "Whether the customer upgraded to another subscription.",
        "notificationType": "The type of the event for which the App Store sent the notification.",
        "notificationUUID": "A unique identifier for the notification.",
        "offerDiscountType": "The payment mode of the discount offer.",
        "offerIdentifier": "The identifier of the offer code or of the promotional offer.",
        "offerPeriod": "The duration of the offer, in ISO 8601.",
        "offerType": "The type of the subscription offer.",
        "originalApplicationVersion": "The version of the app that the customer originally purchased.",
        "originalPlatform": "The platform on which the customer originally purchased the app.",
        "originalPurchaseDate": "The UNIX time, in milliseconds, of the original purchase.",
        "originalTransactionId": "The transaction identifier of the original purchase.",
        "preorderDate": "The date the customer placed an order for the app before its release.",
        "previousOriginalTransactionId": "The original transaction before a migration of the subscription.",
        "price": "The price, in thousandths of the currency's unit, at purchase.",
        "priceIncreaseStatus": "Whether the customer has answered a price increase.",
        "productId": "The identifier of the product.",
        "purchaseDate": "The UNIX time, in milliseconds, the App Store charged the customer's account.",
        "quantity": "The number of consumable products purchased.",
        "receiptCreationDate": "The date that the App Store signed the app transaction.",
        "receiptType": "The server environment that signs the app transaction.",
        "recentSubscriptionStartDate":
            "The earliest start of a subscription in a series that ignores lapses of 60 days.",
        "renewalDate": "The UNIX time, in milliseconds, the most recent subscription renews or expires.",
        "renewalPrice": "The price of the next renewal, in thousandths of the currency's unit.",
        "requestIdentifier": "A unique identifier of the request.",
        "revocationDate": "The UNIX time, in milliseconds, the App Store refunded or revoked the transaction.",
        "revocationPercentage": "The part that was refunded, in thousandths of a percent.",
        "revocationReason": "The reason the App Store refunded or revoked the transaction.",
        "revocationType": "The type of the refund or revocation.",
        "signedDate": "The UNIX time, in milliseconds, the App Store signed the data.",
        "signedPayload": "The payload in JWS format, signed by the App Store.",
        "signedRenewalInfo": "Subscription renewal information signed by the App Store, in JWS format.",
        "signedTransactionInfo": "Transaction information signed by the App Store, in JWS format.",
        "status": "The status of the auto-renewable subscription, or of verifyReceipt's answer.",
        "storefront": "The three-letter code of the App Store storefront's country or region.",
        "storefrontId": "The Apple-defined value that identifies the App Store storefront.",
        "subscriptionGroupIdentifier": "The identifier of the subscription group.",
        "subtype": "Additional information that identifies the notification event.",
        "summary": "The summary data of a request to extend subscription renewal dates.",
        "transactionId": "The unique identifier of the transaction.",
        "transactionReason": "The reason for the transaction: a customer's purchase, or a renewal.",
        "type": "The type of the In-App Purchase.",
        "userLocale": "The locale of the customer.",
        "version": "The version of the notification.",
        "versionExternalIdentifier": "The app version's identifier in the App Store.",
        "webOrderLineItemId": "The unique identifier of subscription purchase events, renewals included.",
    ]

    private static let receipts: [String: String] = [
        "adam_id": "Same as app_item_id.",
        "age_rating": "The age rating of the app (attribute 10).",
        "app_item_id": "The App Store's identifier of the app; 0 in Sandbox (attribute 1).",
        "application_version": "CFBundleVersion of the app (attribute 3).",
        "auto_renew_product_id": "The product that renews at the next billing period.",
        "auto_renew_status": "The renewal status of the auto-renewable subscription.",
        "bundle_id": "The bundle identifier of the app (attribute 2).",
        "bid": "The bundle identifier of the app.",
        "bvrs": "CFBundleVersion of the app.",
        "cancellation_date": "The time the App Store refunded or revoked the purchase (attribute 1712).",
        "cancellation_reason": "The reason for the refund (attribute 1720).",
        "download_id": "A unique identifier of the app download; 0 in Sandbox (attribute 15).",
        "exclude-old-transactions": "Whether only the latest renewal of each subscription is returned.",
        "expiration_date": "The time the receipt of a volume purchase expires (attribute 21).",
        "expiration_intent": "The reason a subscription expired.",
        "expires_date": "The time an auto-renewable subscription expires or renews (attribute 1708).",
        "in_app": "The In-App Purchases (attribute 17).",
        "is_in_billing_retry_period": "Whether the App Store is attempting to renew an expired subscription.",
        "is_in_intro_offer_period": "Whether the subscription is in an introductory price period (attribute 1719).",
        "is_trial_period": "Whether the subscription is in a free trial (attribute 1713).",
        "latest_receipt": "The latest receipt, in base64.",
        "latest_receipt_info": "The latest transactions of all subscriptions.",
        "opaque_value": "The salt of the device hash (attribute 4).",
        "original_application_version": "The version of the app that was purchased first (attribute 19).",
        "original_purchase_date": "The time of the original purchase (attributes 18 and 1706).",
        "original_transaction_id": "The transaction identifier of the original purchase (attribute 1705).",
        "password": "The app's shared secret.",
        "pending_renewal_info": "Renewal information of each auto-renewable subscription.",
        "preorder_date": "The time the customer ordered the app before its release (attribute 32).",
        "product_id": "The identifier of the product (attribute 1702).",
        "product_type": "The type of the product (attribute 1707).",
        "promotional_offer_id": "The identifier of the subscription offer that was used (attribute 1721).",
        "purchase_date": "The time the App Store charged the customer's account (attribute 1704).",
        "receipt-data": "The receipt, in base64.",
        "receipt_creation_date": "The time the App Store generated the receipt (attribute 12).",
        "receipt_type": "The environment and the type of the purchase of the app (attribute 0).",
        "request_date": "The time verifyReceipt was asked.",
        "sha1_hash": "SHA-1 of device, salt and bundle identifier, which ties the receipt to a device (attribute 5).",
        "transaction_id": "The unique identifier of the transaction (attribute 1703).",
        "version_external_identifier": "The App Store's identifier of the app's version (attribute 16).",
        "web_order_line_item_id": "The identifier of subscription purchase events (attribute 1711).",
        "unified_receipt": "The latest transactions and renewal information.",
        "notification_type": "The subscription event that triggered the notification.",
    ]

    private static let others: [String: String] = [
        "alg": "The algorithm of the signature: ES256.",
        "aud": "The audience of the token.",
        "exp": "The time the token expires, in seconds since 1970.",
        "iat": "The time the token was issued, in seconds since 1970.",
        "iss": "The issuer ID of the team's keys.",
        "kid": "The ID of the key that signs.",
        "nbf": "The time from which the token is valid, in seconds since 1970.",
        "nonce": "A UUID that is used once.",
        "scope": "The requests that the token is for.",
        "sub": "user, in a token of an individual key.",
        "typ": "JWT.",
        "x5c": "The chain of certificates: leaf, intermediate, root.",
        "request": "The Advanced Commerce request, in base64.",
        "operation": "The operation of the Advanced Commerce request.",
        "customerConsented": "Whether the customer consented to provide consumption data.",
        "consumptionStatus": "The extent to which the customer consumed the purchase.",
        "deliveryStatus": "Whether the app delivered a purchase that functions properly.",
        "refundPreference": "The seller's preference for the outcome of the refund request.",
        "sampleContentProvided": "Whether a free sample or trial was provided before the purchase.",
        "tokenCreationDate": "The UNIX time, in milliseconds, the system created the token.",
        "keyIdentifier": "The ID of the key that signed the offer.",
        "timestamp": "The UNIX time, in milliseconds, the offer was signed.",
        "applicationUsername": "The identifier of the customer that the offer was signed for.",
        "signature": "The signature.",
        "serialNumber": "The number that the issuer has given the certificate.",
        "subject": "The owner of the certificate.",
        "issuer": "The authority that issued the certificate.",
        "notBefore": "The first second at which the certificate is valid.",
        "notAfter": "The last second at which the certificate is valid.",
    ]
}
