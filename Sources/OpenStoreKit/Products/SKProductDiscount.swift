import Foundation
import Perennial

/// An introductory or promotional offer of a subscription.
///
/// Source: Apple, StoreKit documentation, "SKProductDiscount".
public final class SKProductDiscount: NSObject, Sendable {
    /// Payment mode of an offer, with StoreKit's raw values.
    public enum PaymentMode: UInt, Sendable, CaseIterable {
        case payAsYouGo = 0
        case payUpFront = 1
        case freeTrial = 2
    }

    /// Type of an offer, with StoreKit's raw values.
    public enum `Type`: UInt, Sendable, CaseIterable {
        case introductory = 0
        case subscription = 1
    }

    /// Offer identifier; `nil` for an introductory offer.
    public let identifier: String?
    /// Locale for ``price``.
    public let priceLocale: Locale
    /// Number of periods that the offer lasts.
    public let numberOfPeriods: Int
    /// Length of one period of the offer.
    public let subscriptionPeriod: SKProductSubscriptionPeriod
    /// Payment mode of the offer.
    public let paymentMode: PaymentMode
    /// Type of the offer.
    public let type: Type
    private let amount: Decimal

    /// Price of a period, in the storefront's currency.
    public var price: NSDecimalNumber { NSDecimalNumber(decimal: amount) }

    /// Reads an offer. Returns `nil` for an unknown payment mode or period.
    init?(_ offer: ProductsAnswer.Offer, type: Type, priceLocale: Locale) {
        guard let period = SKProductSubscriptionPeriod(iso8601: offer.period) else { return nil }
        switch offer.paymentMode {
        case "payAsYouGo": self.paymentMode = .payAsYouGo
        case "payUpFront": self.paymentMode = .payUpFront
        case "freeTrial": self.paymentMode = .freeTrial
        default: return nil
        }
        self.identifier = offer.offerId
        self.priceLocale = priceLocale
        self.numberOfPeriods = offer.periodCount ?? 1
        self.subscriptionPeriod = period
        self.type = type
        self.amount = Decimal(milliunits: offer.price)
    }
}

/// The period of a subscription or offer.
///
/// Source: Apple, StoreKit documentation, "SKProductSubscriptionPeriod".
public final class SKProductSubscriptionPeriod: NSObject, Sendable {
    /// Number of units.
    public let numberOfUnits: Int
    /// Unit of the period.
    public let unit: SKProduct.PeriodUnit

    /// Reads an ISO 8601 duration such as `P1M`.
    init?(iso8601 text: String) {
        guard let period = Period(iso8601: text) else { return nil }
        self.numberOfUnits = period.count
        self.unit =
            switch period.unit {
            case .day: .day
            case .week: .week
            case .month: .month
            case .year: .year
            }
    }
}

extension SKProduct {
    /// Units of ``SKProductSubscriptionPeriod``, with StoreKit's raw values.
    public enum PeriodUnit: UInt, Sendable, CaseIterable {
        case day = 0
        case week = 1
        case month = 2
        case year = 3
    }
}
