// The texts that Apple's reports use for values of the rules.

extension Period {
    /// The duration in words, as in `7 Days`, `2 Weeks`, `1 Month`, `6 Months` and `1 Year`.
    package var reportText: String {
        switch (unit, count) {
        case (.week, 1): "7 Days"
        case (.month, let count) where count % 12 == 0: Self.text(count / 12, "Year")
        case (.day, let count): Self.text(count, "Day")
        case (.week, let count): Self.text(count, "Week")
        case (.month, let count): Self.text(count, "Month")
        case (.year, let count): Self.text(count, "Year")
        }
    }

    private static func text(_ count: Int, _ unit: String) -> String { "\(count) \(unit)\(count == 1 ? "" : "s")" }
}

extension Storefront {
    /// The ISO 3166-1 alpha-2 code of reports: `US` for `USA`. The stored code, if the App Store doesn't have it.
    package var alpha2: String { info?.alpha2 ?? rawValue }
}

extension StorefrontInfo {
    /// The ISO 3166-1 alpha-2 code: the region of the default locale.
    package var alpha2: String { String(locale.suffix(2)) }
}

extension Offer.PaymentMode {
    /// The text of the column `Subscription Offer Type`.
    package var reportText: String {
        switch self {
        case .freeTrial: "Free Trial"
        case .payAsYouGo: "Pay As You Go"
        case .payUpFront: "Pay Up Front"
        }
    }
}

extension AppliedOffer.PaymentMode {
    /// The text of the column `Subscription Offer Type`; `nil` for an offer without periods.
    package var reportText: String? {
        switch self {
        case .freeTrial: Offer.PaymentMode.freeTrial.reportText
        case .payAsYouGo: Offer.PaymentMode.payAsYouGo.reportText
        case .payUpFront: Offer.PaymentMode.payUpFront.reportText
        case .oneTime: nil
        }
    }
}
