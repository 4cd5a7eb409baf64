import Foundation
import Perennial

/// The reference that every Advanced Commerce request carries.
public struct AdvancedCommerceRequestInfo: Hashable, Sendable, Codable {
    /// The caller's name of the request: used once.
    public var requestReferenceId: UUID
    /// The app's own identifier of the customer.
    public var appAccountToken: UUID?
    /// The value of `advancedCommerceInfo.consistencyToken` that the caller read in renewal information. Subscriptions
    /// here are of the catalog, and their renewal information has no token: the value is accepted and not compared.
    public var consistencyToken: String?

    init(of body: ServerAPIRequestBody) throws {
        let info = try body.required(
            "requestInfo", .requestInfoMissing, "requestInfo is an object", as: ServerAPIRequestBody.self)
        guard
            let text = try info.optional(
                "requestReferenceId", .invalidRequestReferenceID, "requestReferenceId is a UUID", as: String.self)
        else {
            throw ServerAPIError(.requestReferenceIDMissing, "requestReferenceId", "it is missing")
        }
        guard let id = UUID(uuidString: text) else {
            throw ServerAPIError(.invalidRequestReferenceID, "requestReferenceId", "it is a UUID")
        }
        requestReferenceId = id
        let token = try info.optional(
            "appAccountToken", .invalidAppAccountToken, "appAccountToken is a UUID", as: String.self)
        appAccountToken = try token.flatMap { token in
            guard !token.isEmpty else { return nil }
            guard let id = UUID(uuidString: token) else {
                throw ServerAPIError(.invalidAppAccountToken, "appAccountToken", "appAccountToken is a UUID")
            }
            return id
        }
        consistencyToken = try info.optional(
            "consistencyToken", .generalBadRequest, "consistencyToken is a string", as: String.self)
    }
}

/// The body of Cancel a Subscription, which turns off renewal.
public struct AdvancedCommerceCancelRequest: Hashable, Sendable, Codable {
    /// The caller's reference.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The customer's storefront in three letters, where the caller wants it checked.
    public var storefront: String?

    /// - Throws: ``ServerAPIError``.
    package init(parsing body: ServerAPIRequestBody) throws {
        requestInfo = try AdvancedCommerceRequestInfo(of: body)
        storefront = try body.storefront()
    }
}

/// Revoke Subscription: access ends now, with a refund.
public struct AdvancedCommerceRevokeRequest: Hashable, Sendable, Codable {
    /// The caller's reference.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The customer's storefront in three letters, where the caller wants it checked.
    public var storefront: String?
    /// `FULL` or `PRORATED`.
    public var refundType: AdvancedCommerceRefundType
    /// The reason of the refund.
    public var refundReason: AdvancedCommerceRefundReason
    /// True if the store may weigh the refund.
    public var refundRiskingPreference: Bool

    /// - Throws: ``ServerAPIError``.
    package init(parsing body: ServerAPIRequestBody) throws {
        requestInfo = try AdvancedCommerceRequestInfo(of: body)
        storefront = try body.storefront()
        refundType = try body.refundType()
        guard refundType != .custom else {
            throw ServerAPIError(.invalidRefundType, "refundType", "refundType is FULL or PRORATED")
        }
        refundReason = try body.refundReason()
        refundRiskingPreference = try body.required(
            "refundRiskingPreference", .refundRiskingPreferenceMissing, "refundRiskingPreference is true or false")
    }
}

/// Request Transaction Refund: money back for a transaction, item by item.
public struct AdvancedCommerceRefundRequest: Hashable, Sendable, Codable {
    /// An item to refund: Perennial's transactions have one item, their product.
    public struct Item: Hashable, Sendable, Codable {
        /// The product.
        public var SKU: String
        /// The extent of the refund.
        public var refundType: AdvancedCommerceRefundType
        /// The reason of the refund.
        public var refundReason: AdvancedCommerceRefundReason
        /// The amount in thousandths of the currency's unit, for `CUSTOM` only.
        public var refundAmount: Int64?
        /// True if access ends as well.
        public var revoke: Bool
    }

    /// The caller's reference.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The customer's storefront in three letters, where the caller wants it checked.
    public var storefront: String?
    /// The currency of the transaction, in which amounts are; three letters, where the caller wants it checked.
    public var currency: String?
    /// The items, at least one.
    public var items: [Item]
    /// True if the store may weigh the refund.
    public var refundRiskingPreference: Bool

    /// - Throws: ``ServerAPIError``.
    package init(parsing body: ServerAPIRequestBody) throws {
        requestInfo = try AdvancedCommerceRequestInfo(of: body)
        storefront = try body.storefront()
        currency = try body.optional(
            "currency", .generalBadRequest, "currency is a three-letter code such as USD", as: String.self)
        let list = try body.required(
            "items", .itemsMissing, "items is a list of objects", as: [ServerAPIRequestBody].self)
        guard !list.isEmpty else { throw ServerAPIError(.atLeastOneItem, "items", "it has an item") }
        items = try list.map { try Item(parsing: $0) }
        guard Set(items.map(\.SKU)).count == items.count else {
            throw ServerAPIError(.itemSpecifiedMultipleTimes, "items", "each SKU is named once")
        }
        refundRiskingPreference = try body.required(
            "refundRiskingPreference", .refundRiskingPreferenceMissing, "refundRiskingPreference is true or false")
    }
}

extension AdvancedCommerceRefundRequest.Item {
    fileprivate init(parsing body: ServerAPIRequestBody) throws {
        SKU = try body.required("SKU", .skuMissing, "SKU is the product's ID")
        refundType = try body.refundType()
        refundReason = try body.refundReason()
        revoke = try body.required("revoke", .generalBadRequest, "revoke is true or false")
        refundAmount = try body.optional("refundAmount", .negativeRefundAmount, "refundAmount is a whole number")
        switch (refundType, refundAmount) {
        case (.custom, nil):
            throw ServerAPIError(.refundAmountMissing, "refundAmount", "CUSTOM needs an amount")
        case (.custom, let amount?) where amount <= 0:
            throw ServerAPIError(.negativeRefundAmount, "refundAmount", "an amount is above zero")
        case (.full, .some), (.prorated, .some):
            throw ServerAPIError(.refundAmountWithoutCustom, "refundAmount", "only CUSTOM has an amount")
        default: break
        }
    }
}

/// The extent of a refund.
public enum AdvancedCommerceRefundType: String, Hashable, Sendable, Codable, CaseIterable {
    /// The whole price.
    case full = "FULL"
    /// The unused time.
    case prorated = "PRORATED"
    /// An amount of its own.
    case custom = "CUSTOM"
}

/// The reason of a refund.
public enum AdvancedCommerceRefundReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Bought by accident.
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    /// The product was not delivered, or doesn't work.
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    /// The product was not what the customer expected.
    case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
    /// The law.
    case legal = "LEGAL"
    /// Another reason.
    case other = "OTHER"
    /// Items of a subscription changed.
    case modifyItemsRefund = "MODIFY_ITEMS_REFUND"
    /// A test of a refund that is declined, in Sandbox only.
    case simulateRefundDecline = "SIMULATE_REFUND_DECLINE"
}

/// The answer to every change by Advanced Commerce.
public struct AdvancedCommerceResponse: Hashable, Sendable, Codable {
    /// The transaction as it is now.
    public var signedTransactionInfo: String
    /// The renewal information after the change; missing for products that don't renew.
    public var signedRenewalInfo: String?

    /// Makes an answer.
    public init(signedTransactionInfo: String, signedRenewalInfo: String?) {
        self.signedTransactionInfo = signedTransactionInfo
        self.signedRenewalInfo = signedRenewalInfo
    }
}

extension ServerAPIRequestBody {
    fileprivate func storefront() throws -> String? {
        let reason = "storefront is a three-letter code such as USA"
        let code = try optional("storefront", .invalidStorefrontCountryCode, reason, as: String.self)
        if let code, Storefront(rawValue: code).currency == nil {
            throw ServerAPIError(.invalidStorefrontCountryCode, "storefront", reason)
        }
        return code
    }

    fileprivate func refundType() throws -> AdvancedCommerceRefundType {
        guard let type = try optionalChoice("refundType", .invalidRefundType, of: AdvancedCommerceRefundType.self)
        else { throw ServerAPIError(.refundTypeMissing, "refundType", "it is missing") }
        return type
    }

    fileprivate func refundReason() throws -> AdvancedCommerceRefundReason {
        guard
            let reason = try optionalChoice("refundReason", .invalidRefundReason, of: AdvancedCommerceRefundReason.self)
        else { throw ServerAPIError(.refundReasonMissing, "refundReason", "it is missing") }
        return reason
    }
}
