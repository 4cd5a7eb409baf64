import FastJSON
import Foundation

/// The payload of a signed transaction (`JWSTransactionDecodedPayload`).
///
/// Names are those on the wire; `nil` is left out. Money is in thousandths of the currency's unit. Advanced Commerce
/// fields are not modelled; the decoder skips them.
public struct TransactionPayload: Hashable, Sendable, Codable {
    /// The transaction.
    public var transactionId: String
    /// The transaction this one renews or restores, else itself.
    public var originalTransactionId: String
    /// The paid period of an auto-renewable subscription.
    public var webOrderLineItemId: String?
    /// The bundle ID of the app.
    public var bundleId: String
    /// The product.
    public var productId: String
    /// The group of an auto-renewable subscription.
    public var subscriptionGroupIdentifier: String?
    /// The date of the purchase, renewal or restore.
    @Milliseconds public var purchaseDate: Date
    /// The date of the original transaction.
    @Milliseconds public var originalPurchaseDate: Date
    /// The end of the period of an auto-renewable subscription.
    @OptionalMilliseconds public var expiresDate: Date?
    /// The quantity bought: 1 to 10.
    public var quantity: Int32
    /// The kind of product.
    public var type: ProductType
    /// The app's own identifier of the customer.
    public var appAccountToken: UUID?
    /// The ownership: bought, or shared by a family member.
    public var inAppOwnershipType: InAppOwnershipType
    /// The date on which the payload was signed.
    @Milliseconds public var signedDate: Date
    /// The reason of the refund.
    public var revocationReason: RevocationReason?
    /// The date of the refund or revocation.
    @OptionalMilliseconds public var revocationDate: Date?
    /// The kind of the revocation.
    public var revocationType: RevocationType?
    /// The refunded part, in thousandths of a percent: 50000 is a half.
    public var revocationPercentage: Int32?
    /// `true` if the customer upgraded; otherwise not there.
    public var isUpgraded: Bool?
    /// The kind of offer that set the price.
    public var offerType: OfferType?
    /// The offer; not there for introductory offers.
    public var offerIdentifier: String?
    /// The payment mode of the offer.
    public var offerDiscountType: OfferDiscountType?
    /// The duration of the offer (ISO 8601).
    public var offerPeriod: String?
    /// The environment of the store.
    public var environment: AppStoreEnvironment
    /// The storefront's country in three letters.
    public var storefront: String?
    /// The storefront's number.
    public var storefrontId: String?
    /// The cause of the transaction: the customer or the store.
    public var transactionReason: TransactionReason?
    /// The price paid for the quantity, in thousandths of the currency's unit.
    public var price: Int64?
    /// The currency of the price, in three letters (ISO 4217).
    public var currency: String?
    /// The identifier of the customer's download of the app.
    public var appTransactionId: String?
    /// The billing plan of the subscription.
    public var billingPlanType: BillingPlanType?
    /// The commitment that a monthly billing plan is part of.
    public var commitmentInfo: CommitmentInfo?
    /// The transaction before a migration of the subscription.
    public var previousOriginalTransactionId: String?
    /// SHA-384 over nonce and device, in base64; only on devices.
    public var deviceVerification: String?
    /// The nonce of ``deviceVerification``.
    public var deviceVerificationNonce: UUID?

    /// Makes a payload of a single item bought by the customer; optional properties are set afterwards.
    public init(
        transactionId: String, originalTransactionId: String, bundleId: String, productId: String,
        type: ProductType, purchaseDate: Date, originalPurchaseDate: Date, signedDate: Date,
        environment: AppStoreEnvironment
    ) {
        self.transactionId = transactionId
        self.originalTransactionId = originalTransactionId
        self.bundleId = bundleId
        self.productId = productId
        self.type = type
        self.purchaseDate = purchaseDate
        self.originalPurchaseDate = originalPurchaseDate
        self.signedDate = signedDate
        self.environment = environment
        quantity = 1
        inAppOwnershipType = .purchased
    }
}

extension TransactionPayload {
    /// The JSON to sign, keys in a fixed order.
    public func encoded() -> [UInt8] {
        var json = JSONWriter(capacity: 1024)
        json.beginObject()
        json.string("transactionId", transactionId)
        json.string("originalTransactionId", originalTransactionId)
        json.string("webOrderLineItemId", webOrderLineItemId)
        json.string("bundleId", bundleId)
        json.string("productId", productId)
        json.string("subscriptionGroupIdentifier", subscriptionGroupIdentifier)
        json.milliseconds("purchaseDate", purchaseDate)
        json.milliseconds("originalPurchaseDate", originalPurchaseDate)
        json.milliseconds("expiresDate", expiresDate)
        json.number("quantity", Int64(quantity))
        json.string("type", type.rawValue)
        json.uuid("appAccountToken", appAccountToken)
        json.string("inAppOwnershipType", inAppOwnershipType.rawValue)
        json.milliseconds("signedDate", signedDate)
        writeRevocation(to: &json)
        writeOffer(to: &json)
        json.string("environment", environment.rawValue)
        json.string("transactionReason", transactionReason?.rawValue)
        json.string("storefront", storefront)
        json.string("storefrontId", storefrontId)
        json.number("price", price)
        json.string("currency", currency)
        json.string("appTransactionId", appTransactionId)
        json.string("billingPlanType", billingPlanType?.rawValue)
        commitmentInfo?.write(to: &json)
        json.string("previousOriginalTransactionId", previousOriginalTransactionId)
        json.string("deviceVerification", deviceVerification)
        json.uuid("deviceVerificationNonce", deviceVerificationNonce)
        json.endObject()
        return json.finished()
    }

    private func writeRevocation(to json: inout JSONWriter) {
        json.number("revocationReason", (revocationReason?.rawValue).map(Int64.init))
        json.milliseconds("revocationDate", revocationDate)
        json.string("revocationType", revocationType?.rawValue)
        json.number("revocationPercentage", revocationPercentage.map(Int64.init))
        json.bool("isUpgraded", isUpgraded)
    }

    private func writeOffer(to json: inout JSONWriter) {
        json.number("offerType", (offerType?.rawValue).map(Int64.init))
        json.string("offerIdentifier", offerIdentifier)
        json.string("offerDiscountType", offerDiscountType?.rawValue)
        json.string("offerPeriod", offerPeriod)
    }
}
