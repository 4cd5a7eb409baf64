/// The event that a server notification, version 2, reports (`notificationType`).
public struct NotificationType: RawRepresentable, Hashable, Sendable, Codable {
    /// The name on the wire.
    public let rawValue: String

    /// Takes any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// A subscription was bought: the first of its group, or again.
    public static let subscribed = Self(rawValue: "SUBSCRIBED")
    /// An offer was redeemed on a running subscription.
    public static let offerRedeemed = Self(rawValue: "OFFER_REDEEMED")
    /// Another product will renew, or has taken the place of the old one.
    public static let didChangeRenewalPref = Self(rawValue: "DID_CHANGE_RENEWAL_PREF")
    /// Automatic renewal was turned on or off.
    public static let didChangeRenewalStatus = Self(rawValue: "DID_CHANGE_RENEWAL_STATUS")
    /// A subscription renewed.
    public static let didRenew = Self(rawValue: "DID_RENEW")
    /// A renewal could not be charged.
    public static let didFailToRenew = Self(rawValue: "DID_FAIL_TO_RENEW")
    /// The grace period ended; the charge is tried further.
    public static let gracePeriodExpired = Self(rawValue: "GRACE_PERIOD_EXPIRED")
    /// A subscription ended.
    public static let expired = Self(rawValue: "EXPIRED")
    /// A price goes up.
    public static let priceIncrease = Self(rawValue: "PRICE_INCREASE")
    /// Money was returned.
    public static let refund = Self(rawValue: "REFUND")
    /// A refund that was asked for in the app was declined.
    public static let refundDeclined = Self(rawValue: "REFUND_DECLINED")
    /// A refund was taken back.
    public static let refundReversed = Self(rawValue: "REFUND_REVERSED")
    /// A refund was asked for, and the store wants to know how much was used.
    public static let consumptionRequest = Self(rawValue: "CONSUMPTION_REQUEST")
    /// A family member lost access.
    public static let revoke = Self(rawValue: "REVOKE")
    /// The seller extended one subscription.
    public static let renewalExtended = Self(rawValue: "RENEWAL_EXTENDED")
    /// A request to extend many subscriptions was completed, or one of its subscriptions failed.
    public static let renewalExtension = Self(rawValue: "RENEWAL_EXTENSION")
    /// A product other than an auto-renewable subscription was bought.
    public static let oneTimeCharge = Self(rawValue: "ONE_TIME_CHARGE")
    /// A token of an external purchase was not reported.
    public static let externalPurchaseToken = Self(rawValue: "EXTERNAL_PURCHASE_TOKEN")
    /// A parent withdrew the consent to an app.
    public static let rescindConsent = Self(rawValue: "RESCIND_CONSENT")
    /// Advanced Commerce: metadata changed.
    public static let metadataUpdate = Self(rawValue: "METADATA_UPDATE")
    /// Advanced Commerce: a subscription moved.
    public static let migration = Self(rawValue: "MIGRATION")
    /// Advanced Commerce: a price changed.
    public static let priceChange = Self(rawValue: "PRICE_CHANGE")
    /// Asked for by the seller, to see whether notifications arrive.
    public static let test = Self(rawValue: "TEST")

    /// The known names.
    public static let known: [NotificationType] = [
        .subscribed, .offerRedeemed, .didChangeRenewalPref, .didChangeRenewalStatus, .didRenew, .didFailToRenew,
        .gracePeriodExpired, .expired, .priceIncrease, .refund, .refundDeclined, .refundReversed, .consumptionRequest,
        .revoke, .renewalExtended, .renewalExtension, .oneTimeCharge, .externalPurchaseToken, .rescindConsent,
        .metadataUpdate, .migration, .priceChange, .test,
    ]
}

/// The variant of the event that a server notification, version 2, reports (`subtype`).
public struct NotificationSubtype: RawRepresentable, Hashable, Sendable, Codable {
    /// The name on the wire.
    public let rawValue: String

    /// Takes any name, known or not.
    public init(rawValue: String) { self.rawValue = rawValue }

    /// The known names, each with the types that have it.
    public static let known: [NotificationSubtype: Set<NotificationType>] = [
        .init(rawValue: "INITIAL_BUY"): [.subscribed],
        .init(rawValue: "RESUBSCRIBE"): [.subscribed],
        .init(rawValue: "UPGRADE"): [.offerRedeemed, .didChangeRenewalPref],
        .init(rawValue: "DOWNGRADE"): [.offerRedeemed, .didChangeRenewalPref],
        .init(rawValue: "AUTO_RENEW_ENABLED"): [.didChangeRenewalStatus],
        .init(rawValue: "AUTO_RENEW_DISABLED"): [.didChangeRenewalStatus],
        .init(rawValue: "BILLING_RECOVERY"): [.didRenew],
        .init(rawValue: "GRACE_PERIOD"): [.didFailToRenew],
        .init(rawValue: "VOLUNTARY"): [.expired],
        .init(rawValue: "BILLING_RETRY"): [.expired],
        .init(rawValue: "PRICE_INCREASE"): [.expired],
        .init(rawValue: "PRODUCT_NOT_FOR_SALE"): [.expired],
        .init(rawValue: "PENDING"): [.priceIncrease],
        .init(rawValue: "ACCEPTED"): [.priceIncrease],
        .init(rawValue: "SUMMARY"): [.renewalExtension],
        .init(rawValue: "FAILURE"): [.renewalExtension],
        .init(rawValue: "UNREPORTED"): [.externalPurchaseToken],
    ]
}
