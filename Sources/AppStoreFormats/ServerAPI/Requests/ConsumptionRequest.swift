import Foundation

/// The consumption of a purchase as the seller reports it (`PUT inApps/v2/transactions/consumption/{transactionId}`).
public struct ConsumptionRequest: Hashable, Sendable, Codable {
    /// The delivery of a purchase.
    public enum DeliveryStatus: String, Hashable, Sendable, Codable, CaseIterable {
        /// Delivered, and it works.
        case delivered = "DELIVERED"
        /// Delivered, with a fault.
        case undeliveredQualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        /// Another product was delivered.
        case undeliveredWrongItem = "UNDELIVERED_WRONG_ITEM"
        /// The product was not delivered, because of an outage.
        case undeliveredServerOutage = "UNDELIVERED_SERVER_OUTAGE"
        /// The product was not delivered, for another reason.
        case undeliveredOther = "UNDELIVERED_OTHER"
    }

    /// The seller's preference for the refund request.
    public enum RefundPreference: String, Hashable, Sendable, Codable, CaseIterable {
        /// The seller prefers no refund.
        case decline = "DECLINE"
        /// The whole price.
        case grantFull = "GRANT_FULL"
        /// The part that is not consumed.
        case grantProrated = "GRANT_PRORATED"
    }

    /// 100 % in the unit of ``consumptionPercentage``.
    public static let wholePercentage: Int32 = 100_000

    /// The customer's consent, which is always true: without it nothing may be sent.
    public var customerConsented: Bool
    /// True if there was a free sample, a trial or a description of the content before the purchase.
    public var sampleContentProvided: Bool
    /// The delivery of the purchase.
    public var deliveryStatus: DeliveryStatus
    /// The seller's preference for the refund request.
    public var refundPreference: RefundPreference?
    /// The consumed part, in thousandths of a percent; never for an auto-renewable subscription.
    public var consumptionPercentage: Int32?

    /// Reads a body.
    /// - Throws: ``ServerAPIError`` with the number of the field that is wrong.
    package init(parsing body: ServerAPIRequestBody) throws {
        customerConsented = try body.consent()
        sampleContentProvided = try body.required(
            "sampleContentProvided", .invalidSampleContentProvided, "sampleContentProvided is true or false")
        deliveryStatus = try body.choice("deliveryStatus", .invalidDeliveryStatus)
        refundPreference = try body.optionalChoice("refundPreference", .invalidRefundPreference)
        let range = "consumptionPercentage is 0 to \(Self.wholePercentage) thousandths of a percent"
        consumptionPercentage = try body.optional("consumptionPercentage", .consumptionPercentageOutOfRange, range)
        try checkPercentage(range)
    }

    /// Checks that an undelivered product is not consumed, and that a prorated refund has a consumed part.
    private func checkPercentage(_ range: String) throws {
        let percentage = consumptionPercentage ?? 0
        guard (0...Self.wholePercentage).contains(percentage) else {
            throw ServerAPIError(.consumptionPercentageOutOfRange, "consumptionPercentage", range)
        }
        guard deliveryStatus == .delivered || percentage == 0 else {
            throw ServerAPIError(
                .undeliveredConsumptionPercentageNonZero, "consumptionPercentage",
                "what was not delivered was consumed to 0 percent")
        }
    }

    /// Checks the request against the kind of the purchase: a subscription's consumption is its time, and any other
    /// prorated refund needs a part that was consumed.
    package func check(isAutoRenewable: Bool) throws {
        guard !isAutoRenewable else {
            if consumptionPercentage != nil {
                throw ServerAPIError(
                    .consumptionPercentageAutoRenewable, "consumptionPercentage",
                    "leave it out for an auto-renewable subscription")
            }
            return
        }
        guard refundPreference == .grantProrated else { return }
        guard let percentage = consumptionPercentage, (1..<Self.wholePercentage).contains(percentage) else {
            throw ServerAPIError(
                .consumptionPercentageOutOfRange, "consumptionPercentage",
                "a refund in proportion needs a percentage between 0 and \(Self.wholePercentage)")
        }
    }
}

extension ServerAPIRequestBody {
    /// Consent that is given; anything else refuses the whole request.
    func consent() throws -> Bool {
        let reason = "customerConsented is true; without consent nothing may be sent"
        guard try required("customerConsented", .invalidCustomerConsented, reason, as: Bool.self) else {
            throw ServerAPIError(.invalidCustomerConsented, "customerConsented", reason)
        }
        return true
    }
}

/// The consumption of a purchase as the seller reports it, in the deprecated form (`PUT
/// inApps/v1/transactions/consumption/{transactionId}`).
///
/// In every number, 0 means undeclared.
public struct ConsumptionRequestV1: Hashable, Sendable, Codable {
    /// The customer's consent, which is always true: without it nothing may be sent.
    public var customerConsented: Bool
    /// True if there was a free sample before the purchase.
    public var sampleContentProvided: Bool
    /// The app's own name for the customer: a UUID, or an empty string.
    public var appAccountToken: String
    /// The age of the customer's account: 1 up to 3 days … 7 more than a year.
    public var accountTenure: Int32
    /// 1 not consumed, 2 in part, 3 fully.
    public var consumptionStatus: Int32
    /// 0 delivered, 1 to 5 why not.
    public var deliveryStatus: Int32
    /// The customer's spending in the app: 1 nothing … 7 from 2000 dollars.
    public var lifetimeDollarsPurchased: Int32
    /// The customer's refunds in the app: 1 nothing … 7 from 2000 dollars.
    public var lifetimeDollarsRefunded: Int32
    /// 1 Apple's, 2 another.
    public var platform: Int32
    /// The customer's time in the app: 1 up to 5 minutes … 7 more than 16 days.
    public var playTime: Int32
    /// 1 active, 2 suspended, 3 terminated, 4 limited.
    public var userStatus: Int32
    /// 1 grant, 2 decline, 3 no preference.
    public var refundPreference: Int32?

    /// Reads a body.
    /// - Throws: ``ServerAPIError`` with the number of the field that is wrong.
    package init(parsing body: ServerAPIRequestBody) throws {
        customerConsented = try body.consent()
        appAccountToken = try body.required(
            "appAccountToken", .invalidAppAccountToken, "appAccountToken is a UUID or an empty string")
        guard appAccountToken.isEmpty || UUID(uuidString: appAccountToken) != nil else {
            throw ServerAPIError(
                .invalidAppAccountToken, "appAccountToken", "appAccountToken is a UUID or an empty string")
        }
        accountTenure = try body.integer("accountTenure", in: 0...7, .invalidAccountTenure)
        consumptionStatus = try body.integer("consumptionStatus", in: 0...3, .invalidConsumptionStatus)
        deliveryStatus = try body.integer("deliveryStatus", in: 0...5, .invalidDeliveryStatus)
        lifetimeDollarsPurchased = try body.integer(
            "lifetimeDollarsPurchased", in: 0...7, .invalidLifetimeDollarsPurchased)
        lifetimeDollarsRefunded = try body.integer(
            "lifetimeDollarsRefunded", in: 0...7, .invalidLifetimeDollarsRefunded)
        platform = try body.integer("platform", in: 0...2, .invalidPlatform)
        playTime = try body.integer("playTime", in: 0...7, .invalidPlayTime)
        sampleContentProvided = try body.required(
            "sampleContentProvided", .invalidSampleContentProvided, "sampleContentProvided is true or false")
        userStatus = try body.integer("userStatus", in: 0...4, .invalidUserStatus)
        let preference = "refundPreference is a whole number from 0 to 3"
        refundPreference = try body.optional("refundPreference", .invalidRefundPreference, preference)
        guard (0...3).contains(refundPreference ?? 0) else {
            throw ServerAPIError(.invalidRefundPreference, "refundPreference", preference)
        }
    }
}
