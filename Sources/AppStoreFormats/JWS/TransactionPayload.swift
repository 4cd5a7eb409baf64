import Foundation

/// The payload of a signed transaction (`JWSTransactionDecodedPayload`).
///
/// Names are those on the wire; what is `nil` is left out. Money is in thousandths of the currency's unit. Advanced
/// Commerce fields are not modelled; they are passed over in decoding.
public struct TransactionPayload: Hashable, Sendable, Codable {
    /// The transaction.
    public var transactionId: String
    /// The transaction this one renews or restores, else itself.
    public var originalTransactionId: String
    /// The paid period of an auto-renewable subscription.
    public var webOrderLineItemId: String?
    /// The app.
    public var bundleId: String
    /// The product.
    public var productId: String
    /// The group of an auto-renewable subscription.
    public var subscriptionGroupIdentifier: String?
    /// When it was bought, renewed or restored.
    @Milliseconds public var purchaseDate: Date
    /// When the original transaction was bought.
    @Milliseconds public var originalPurchaseDate: Date
    /// The end of the period of an auto-renewable subscription.
    @OptionalMilliseconds public var expiresDate: Date?
    /// How many were bought: 1 to 10.
    public var quantity: Int32
    /// The kind of product.
    public var type: ProductType
    /// The app's own name for the customer.
    public var appAccountToken: UUID?
    /// Whether it was bought or is shared by a family member.
    public var inAppOwnershipType: InAppOwnershipType
    /// When this payload was signed.
    @Milliseconds public var signedDate: Date
    /// Why it was refunded.
    public var revocationReason: RevocationReason?
    /// When it was refunded or revoked.
    @OptionalMilliseconds public var revocationDate: Date?
    /// How it was revoked.
    public var revocationType: RevocationType?
    /// How much of it was refunded, in thousandths of a percent: 50000 is a half.
    public var revocationPercentage: Int32?
    /// `true` if the customer upgraded; otherwise not there.
    public var isUpgraded: Bool?
    /// The kind of offer that set the price.
    public var offerType: OfferType?
    /// The offer; not there for introductory offers.
    public var offerIdentifier: String?
    /// How the offer is paid.
    public var offerDiscountType: OfferDiscountType?
    /// How long the offer lasts, as an ISO 8601 duration.
    public var offerPeriod: String?
    /// The side of the store.
    public var environment: AppStoreEnvironment
    /// The storefront's country in three letters.
    public var storefront: String?
    /// The storefront's number.
    public var storefrontId: String?
    /// Whether the customer bought it or the store renewed it.
    public var transactionReason: TransactionReason?
    /// What was paid for the quantity, in thousandths of the currency's unit.
    public var price: Int64?
    /// The currency of the price, in three letters (ISO 4217).
    public var currency: String?
    /// The customer's download of the app.
    public var appTransactionId: String?
    /// How the subscription is billed.
    public var billingPlanType: BillingPlanType?
    /// The commitment that a monthly billing plan is part of.
    public var commitmentInfo: CommitmentInfo?
    /// The transaction before a migration of the subscription.
    public var previousOriginalTransactionId: String?
    /// SHA-384 over nonce and device, in base64; only on devices.
    public var deviceVerification: String?
    /// The nonce of ``deviceVerification``.
    public var deviceVerificationNonce: UUID?

    /// Makes a payload of a single item bought by the customer; what is optional is set afterwards.
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
