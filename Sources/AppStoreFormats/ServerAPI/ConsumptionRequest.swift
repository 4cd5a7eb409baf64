import Foundation

/// What a seller tells of how a purchase was consumed (`PUT inApps/v2/transactions/consumption/{transactionId}`).
public struct ConsumptionRequest: Hashable, Sendable, Codable {
    /// Whether the purchase was delivered and works.
    public enum DeliveryStatus: String, Hashable, Sendable, Codable, CaseIterable {
        /// Delivered, and it works.
        case delivered = "DELIVERED"
        /// Delivered, with a fault.
        case undeliveredQualityIssue = "UNDELIVERED_QUALITY_ISSUE"
        /// Something else was delivered.
        case undeliveredWrongItem = "UNDELIVERED_WRONG_ITEM"
        /// Not delivered, because of an outage.
        case undeliveredServerOutage = "UNDELIVERED_SERVER_OUTAGE"
        /// Not delivered, for another reason.
        case undeliveredOther = "UNDELIVERED_OTHER"
    }

    /// What the seller would like to become of the request.
    public enum RefundPreference: String, Hashable, Sendable, Codable, CaseIterable {
        /// No refund.
        case decline = "DECLINE"
        /// The whole price.
        case grantFull = "GRANT_FULL"
        /// What is not consumed.
        case grantProrated = "GRANT_PRORATED"
    }

    /// 100 % in the unit of ``consumptionPercentage``.
    public static let wholePercentage: Int32 = 100_000

    /// Always true: without consent nothing is sent.
    public var customerConsented: Bool
    /// Whether there was a free sample, a trial or a description of the content before the purchase.
    public var sampleContentProvided: Bool
    /// Whether the purchase was delivered and works.
    public var deliveryStatus: DeliveryStatus
    /// What the seller would like to become of the request.
    public var refundPreference: RefundPreference?
    /// How much was consumed, in thousandths of a percent; never for an auto-renewable subscription.
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

    /// What is not delivered is not consumed, and of what is to be refunded in proportion a part is consumed.
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

    /// Checks what only the purchase tells: a subscription's consumption is its time, anything else refunded in proportion
    /// needs a part that was consumed.
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
