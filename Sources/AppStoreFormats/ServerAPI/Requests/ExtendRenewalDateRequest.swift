import Foundation
import Perennial

/// The body of Extend a Subscription Renewal Date (`PUT inApps/v1/subscriptions/extend/{originalTransactionId}`).
public struct ExtendRenewalDateRequest: Hashable, Sendable, Codable {
    /// The days to add, 1 to 90.
    public var extendByDays: Int32
    /// 0 undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage.
    public var extendReasonCode: Int32
    /// The caller's own name of the request, up to 128 characters.
    public var requestIdentifier: String

    /// Makes a request.
    public init(extendByDays: Int32, extendReasonCode: Int32, requestIdentifier: String) {
        self.extendByDays = extendByDays
        self.extendReasonCode = extendReasonCode
        self.requestIdentifier = requestIdentifier
    }

    /// Reads a body.
    /// - Throws: ``ServerAPIError`` 4000009, 4000010 or 4000011 for the field that is wrong, 4000000 for the whole.
    package init(parsing body: ServerAPIRequestBody) throws {
        extendByDays = try body.integer("extendByDays", in: 1...90, .invalidExtendByDays)
        extendReasonCode = try body.integer("extendReasonCode", in: 0...3, .invalidExtendReasonCode)
        requestIdentifier = try body.text(
            "requestIdentifier", upTo: RenewalExtension.maximumIdentifierLength, .invalidRequestIdentifier)
    }

    /// The same, as the rules have it.
    package var renewalExtension: RenewalExtension {
        RenewalExtension(
            days: Int64(extendByDays),
            reason: RenewalExtension.Reason(rawValue: Int64(extendReasonCode)) ?? .undeclared,
            requestID: requestIdentifier)
    }
}

/// The answer to Extend a Subscription Renewal Date.
public struct ExtendRenewalDateResponse: Hashable, Sendable, Codable {
    /// The subscription.
    public var originalTransactionId: String
    /// The order line of the period that was extended.
    public var webOrderLineItemId: String?
    /// True if the renewal date was moved.
    public var success: Bool
    /// The new renewal date.
    @OptionalMilliseconds public var effectiveDate: Date?

    /// Makes an answer.
    public init(originalTransactionId: String, webOrderLineItemId: String?, success: Bool, effectiveDate: Date?) {
        self.originalTransactionId = originalTransactionId
        self.webOrderLineItemId = webOrderLineItemId
        self.success = success
        self.effectiveDate = effectiveDate
    }
}

/// The body of Extend Subscription Renewal Dates for All Active Subscribers (`POST inApps/v1/subscriptions/extend/mass`).
public struct MassExtendRenewalDateRequest: Hashable, Sendable, Codable {
    /// The days to add, 1 to 90.
    public var extendByDays: Int32
    /// 0 undeclared, 1 customer satisfaction, 2 other, 3 service issue or outage.
    public var extendReasonCode: Int32
    /// The identifier of the request, a UUID. Answer and status repeat its spelling.
    public var requestIdentifier: String
    /// The subscription product.
    public var productId: String
    /// Three-letter codes; all storefronts where missing.
    public var storefrontCountryCodes: [String]?

    /// Makes a request.
    public init(
        extendByDays: Int32, extendReasonCode: Int32, requestIdentifier: String, productId: String,
        storefrontCountryCodes: [String]? = nil
    ) {
        self.extendByDays = extendByDays
        self.extendReasonCode = extendReasonCode
        self.requestIdentifier = requestIdentifier
        self.productId = productId
        self.storefrontCountryCodes = storefrontCountryCodes
    }

    private static let maximumProductIDLength = 100

    /// Reads a body.
    /// - Throws: ``ServerAPIError`` 4000009 to 4000011, 4000023, 4000027 or 4000028 for the field that is wrong,
    ///   4000000 for the whole.
    package init(parsing body: ServerAPIRequestBody) throws {
        extendByDays = try body.integer("extendByDays", in: 1...90, .invalidExtendByDays)
        extendReasonCode = try body.integer("extendReasonCode", in: 0...3, .invalidExtendReasonCode)
        _ = try body.uuid("requestIdentifier", .invalidRequestIdentifier)
        requestIdentifier = try body.text("requestIdentifier", upTo: 36, .invalidRequestIdentifier)
        productId = try body.text("productId", upTo: Self.maximumProductIDLength, .invalidProductID)
        storefrontCountryCodes = try body.optional(
            "storefrontCountryCodes", .invalidStorefrontCountryCode,
            "storefrontCountryCodes is a list of three-letter codes such as USA")
        if let codes = storefrontCountryCodes {
            guard !codes.isEmpty else {
                throw ServerAPIError(
                    .invalidEmptyStorefrontCountryCodeList, "storefrontCountryCodes",
                    "a list that is there has an entry; leave it out to mean all storefronts")
            }
            for code in codes where Storefront(rawValue: code).currency == nil {
                throw ServerAPIError(
                    .invalidStorefrontCountryCode, "storefrontCountryCodes", "“\(code.prefix(8))” is no storefront")
            }
        }
    }

    /// The same, as the rules have it.
    package var massExtension: MassExtension {
        MassExtension(
            productID: Product.ID(rawValue: productId),
            storefronts: Set((storefrontCountryCodes ?? []).map(Storefront.init(rawValue:))),
            request: RenewalExtension(
                days: Int64(extendByDays),
                reason: RenewalExtension.Reason(rawValue: Int64(extendReasonCode)) ?? .undeclared,
                requestID: requestIdentifier))
    }
}

/// The answer to Extend Subscription Renewal Dates for All Active Subscribers.
public struct MassExtendRenewalDateResponse: Hashable, Sendable, Codable {
    /// The request's own.
    public var requestIdentifier: String

    /// Makes an answer.
    public init(requestIdentifier: String) { self.requestIdentifier = requestIdentifier }
}

/// The answer to Get Status of Subscription Renewal Date Extensions.
public struct MassExtendRenewalDateStatusResponse: Hashable, Sendable, Codable {
    /// The request's own.
    public var requestIdentifier: String
    /// True if every subscription has been processed.
    public var complete: Bool
    /// The date of completion.
    @OptionalMilliseconds public var completeDate: Date?
    /// The number of subscriptions that were extended; present once the request is complete.
    public var succeededCount: Int64?
    /// The number of subscriptions that could not be extended.
    public var failedCount: Int64?

    /// Makes an answer.
    public init(
        requestIdentifier: String, complete: Bool, completeDate: Date? = nil, succeededCount: Int64? = nil,
        failedCount: Int64? = nil
    ) {
        self.requestIdentifier = requestIdentifier
        self.complete = complete
        self.completeDate = completeDate
        self.succeededCount = succeededCount
        self.failedCount = failedCount
    }
}
