import Foundation

/// What a seller tells of how a purchase was consumed, in the deprecated form
/// (`PUT inApps/v1/transactions/consumption/{transactionId}`). In every number 0 means: not said.
public struct ConsumptionRequestV1: Hashable, Sendable, Codable {
    /// Always true: without consent nothing is sent.
    public var customerConsented: Bool
    /// Whether there was a free sample before the purchase.
    public var sampleContentProvided: Bool
    /// The app's own name for the customer: a UUID, or an empty string.
    public var appAccountToken: String
    /// The age of the customer's account: 1 up to 3 days … 7 more than a year.
    public var accountTenure: Int32
    /// 1 not consumed, 2 in part, 3 fully.
    public var consumptionStatus: Int32
    /// 0 delivered, 1 to 5 why not.
    public var deliveryStatus: Int32
    /// What the customer spent in the app: 1 nothing … 7 from 2000 dollars.
    public var lifetimeDollarsPurchased: Int32
    /// What the customer was refunded in the app: 1 nothing … 7 from 2000 dollars.
    public var lifetimeDollarsRefunded: Int32
    /// 1 Apple's, 2 another.
    public var platform: Int32
    /// How long the customer used the app: 1 up to 5 minutes … 7 more than 16 days.
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
