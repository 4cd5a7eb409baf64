import AppStoreFormats
import Foundation

/// A purchase, renewal or restore of a product, as the store signed it.
///
/// Source: Apple, StoreKit documentation, "Transaction".
public struct Transaction: Identifiable, Sendable {
    /// Type of transaction IDs.
    public typealias ID = UInt64

    /// The decoded payload, shared by all copies.
    let content: TransactionContent

    private var payload: TransactionPayload { content.payload }

    // MARK: Identity

    /// Transaction ID.
    public var id: UInt64 { content.id }
    /// ID of the first transaction of the subscription or of a restored purchase; otherwise ``id``.
    public var originalID: UInt64 { content.originalID }
    /// ID of the paid period of an auto-renewable subscription.
    public var webOrderLineItemID: String? { payload.webOrderLineItemId }
    /// Product identifier.
    public var productID: String { payload.productId }
    /// Kind of product.
    public var productType: Product.ProductType { Product.ProductType(rawValue: payload.type.rawValue) }
    /// Subscription group of an auto-renewable subscription.
    public var subscriptionGroupID: String? { payload.subscriptionGroupIdentifier }
    /// Bundle ID of the app.
    public var appBundleID: String { payload.bundleId }
    /// ID of the customer's download of the app; empty if the store doesn't say it.
    public var appTransactionID: String { payload.appTransactionId ?? "" }
    /// The app's own identifier of the customer, from ``Product/PurchaseOption/appAccountToken(_:)``.
    public var appAccountToken: UUID? { payload.appAccountToken }
    /// ID of the first transaction before a migration of the subscription.
    public var previousOriginalTransactionID: UInt64? {
        payload.previousOriginalTransactionId.flatMap { UInt64($0, radix: 10) }
    }

    // MARK: Dates

    /// Date of the purchase, renewal or restore.
    public var purchaseDate: Date { payload.purchaseDate }
    /// Date of the original transaction.
    public var originalPurchaseDate: Date { payload.originalPurchaseDate }
    /// End of the period of an auto-renewable subscription.
    public var expirationDate: Date? { payload.expiresDate }
    /// Date of signing.
    public var signedDate: Date { payload.signedDate }

    // MARK: Purchase

    /// Quantity bought.
    public var purchasedQuantity: Int { Int(payload.quantity) }
    /// Ownership: bought, or shared by a family member.
    public var ownershipType: OwnershipType { OwnershipType(rawValue: payload.inAppOwnershipType.rawValue) }
    /// True if the customer upgraded to another product of the group.
    public var isUpgraded: Bool { payload.isUpgraded ?? false }
    /// Cause: the customer or the store.
    public var reason: Reason { payload.transactionReason.map { Reason(rawValue: $0.rawValue) } ?? .purchase }
    /// Raw value of ``reason``.
    @available(iOS, introduced: 15.0, deprecated: 17.0, renamed: "reason")
    public var reasonStringRepresentation: String { reason.rawValue }
    /// Further cause of the transaction.
    public var additionalTransactionReason: AdditionalTransactionReason? {
        content.details.additionalTransactionReason.map { AdditionalTransactionReason(rawValue: $0) }
    }
    /// Price paid for the quantity, in units of ``currency``.
    public var price: Decimal? { payload.price.map { Decimal(milliunits: $0) } }
    /// Currency of ``price``.
    public var currency: Locale.Currency? { payload.currency.map { Locale.Currency($0) } }
    /// Code of ``currency`` in ISO 4217.
    @available(iOS, introduced: 15.0, deprecated: 16.0, renamed: "currency.identifier")
    public var currencyCode: String? { payload.currency }
    /// Storefront of the purchase.
    public var storefront: Storefront {
        Storefront(
            id: payload.storefrontId ?? "", countryCode: payload.storefront ?? "", currencyCode: payload.currency)
    }
    /// Country of the storefront in three letters (ISO 3166-1).
    public var storefrontCountryCode: String { payload.storefront ?? "" }
    /// Environment of the store.
    public var environment: AppStore.Environment { AppStore.Environment(rawValue: payload.environment.rawValue) }
    /// Raw value of ``environment``.
    @available(iOS, introduced: 15.0, deprecated: 16.0, renamed: "environment")
    public var environmentStringRepresentation: String { payload.environment.rawValue }
    /// Billing plan of an auto-renewable subscription.
    public var billingPlanType: Product.SubscriptionInfo.BillingPlanType? {
        payload.billingPlanType.map { Product.SubscriptionInfo.BillingPlanType(rawValue: $0.rawValue) }
    }
    /// Commitment that a monthly billing plan is part of.
    public var commitmentInfo: CommitmentInfo? { CommitmentInfo(payload.commitmentInfo) }

    // MARK: Revocation

    /// Date of the refund or revocation.
    public var revocationDate: Date? { payload.revocationDate }
    /// Reason of the refund.
    public var revocationReason: RevocationReason? {
        payload.revocationReason.map { RevocationReason(rawValue: Int($0.rawValue)) }
    }
    /// Kind of revocation.
    public var revocationType: RevocationType? {
        payload.revocationType.map { RevocationType(rawValue: $0.rawValue) }
    }
    /// Raw value of ``revocationType``.
    @available(iOS, introduced: 15.0, deprecated: 26.4, renamed: "revocationType")
    public var revocationTypeStringRepresentation: String? { payload.revocationType?.rawValue }
    /// Refunded part in percent: 50 is a half.
    public var revocationPercentage: Decimal? { payload.revocationPercentage.map { Decimal(milliunits: Int64($0)) } }

    // MARK: Device

    /// SHA-384 over the nonce and the device verification ID; empty if the store signed for no device.
    public var deviceVerification: Data {
        payload.deviceVerification.flatMap { Data(base64Encoded: $0) } ?? Data()
    }
    /// Nonce of ``deviceVerification``; zeros if the store signed for no device.
    public var deviceVerificationNonce: UUID { payload.deviceVerificationNonce ?? .zero }

    /// The JWS payload.
    public var jsonRepresentation: Data { content.signed.payload }
}

extension Transaction: Hashable {
    /// Returns true if both have the same signed payload.
    public static func == (one: Transaction, other: Transaction) -> Bool {
        one.content === other.content || one.content.signed.payload == other.content.signed.payload
    }

    public func hash(into hasher: inout Hasher) {
        hasher.combine(id)
        hasher.combine(signedDate)
    }
}

extension Transaction: CustomDebugStringConvertible {
    /// The JWS payload as text.
    public var debugDescription: String { String(decoding: jsonRepresentation, as: UTF8.self) }
}
