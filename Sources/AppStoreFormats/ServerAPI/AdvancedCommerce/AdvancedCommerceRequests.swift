import Foundation
import Perennial

/// What every request of Advanced Commerce to the store begins with.
public struct AdvancedCommerceRequestInfo: Hashable, Sendable, Codable {
    /// The caller's name of the request: used once.
    public var requestReferenceId: UUID
    /// The app's own name for the customer.
    public var appAccountToken: UUID?
    /// The value of `advancedCommerceInfo.consistencyToken` that the caller read in renewal information. This store's
    /// subscriptions are of its catalog, whose renewal information has none: it is taken and compared with nothing.
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

/// Cancel a Subscription: renewal is turned off.
public struct AdvancedCommerceCancelRequest: Hashable, Sendable, Codable {
    /// Who asks.
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
    /// Who asks.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The customer's storefront in three letters, where the caller wants it checked.
    public var storefront: String?
    /// `FULL` or `PRORATED`.
    public var refundType: AdvancedCommerceRefundType
    /// Why.
    public var refundReason: AdvancedCommerceRefundReason
    /// Whether the store may weigh the refund.
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
    /// What is refunded: Perennial's transactions have one item, their product.
    public struct Item: Hashable, Sendable, Codable {
        /// The product.
        public var SKU: String
        /// How much.
        public var refundType: AdvancedCommerceRefundType
        /// Why.
        public var refundReason: AdvancedCommerceRefundReason
        /// Milliunits of the currency, for `CUSTOM` only.
        public var refundAmount: Int64?
        /// Whether access ends as well.
        public var revoke: Bool
    }

    /// Who asks.
    public var requestInfo: AdvancedCommerceRequestInfo
    /// The customer's storefront in three letters, where the caller wants it checked.
    public var storefront: String?
    /// The currency of the transaction, in which amounts are; three letters, where the caller wants it checked.
    public var currency: String?
    /// At least one.
    public var items: [Item]
    /// Whether the store may weigh the refund.
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

/// How much is refunded.
public enum AdvancedCommerceRefundType: String, Hashable, Sendable, Codable, CaseIterable {
    /// All.
    case full = "FULL"
    /// The unused time.
    case prorated = "PRORATED"
    /// An amount.
    case custom = "CUSTOM"
}

/// Why something is refunded.
public enum AdvancedCommerceRefundReason: String, Hashable, Sendable, Codable, CaseIterable {
    /// Bought by accident.
    case unintendedPurchase = "UNINTENDED_PURCHASE"
    /// Not delivered, or it doesn't work.
    case fulfillmentIssue = "FULFILLMENT_ISSUE"
    /// Not what was expected.
    case unsatisfiedWithPurchase = "UNSATISFIED_WITH_PURCHASE"
    /// The law.
    case legal = "LEGAL"
    /// Any other.
    case other = "OTHER"
    /// Items of a subscription changed.
    case modifyItemsRefund = "MODIFY_ITEMS_REFUND"
    /// To test a refund that is declined, in Sandbox only.
    case simulateRefundDecline = "SIMULATE_REFUND_DECLINE"
}

/// The answer to every change by Advanced Commerce.
public struct AdvancedCommerceResponse: Hashable, Sendable, Codable {
    /// The transaction as it is now.
    public var signedTransactionInfo: String
    /// What is to become of the subscription; not there for other products.
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
