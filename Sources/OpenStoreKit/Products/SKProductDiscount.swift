import Foundation
import Perennial

/// An introductory or promotional offer of a subscription.
///
/// Source: Apple, StoreKit documentation, "SKProductDiscount".
open class SKProductDiscount: NSObject, @unchecked Sendable {
    /// Payment mode of an offer, with StoreKit's raw values.
    public enum PaymentMode: UInt, Sendable {
        case payAsYouGo = 0
        case payUpFront = 1
        case freeTrial = 2
    }

    /// Type of an offer, with StoreKit's raw values.
    public enum `Type`: UInt, Sendable {
        case introductory = 0
        case subscription = 1
    }

    private struct Facts {
        var identifier: String?
        var price = Decimal.zero
        var priceLocale = Locale(identifier: "en_US")
        var numberOfPeriods = 0
        var period = SKProductSubscriptionPeriod()
        var paymentMode = PaymentMode.payAsYouGo
        var type = Type.introductory
    }

    private let facts: Facts

    /// Makes an offer without values, for subclasses.
    public override init() {
        self.facts = Facts()
    }

    /// Reads an offer. Returns `nil` for an unknown payment mode or period.
    init?(_ offer: ProductsAnswer.Offer, type: Type, priceLocale: Locale) {
        guard let period = SKProductSubscriptionPeriod(iso8601: offer.period) else { return nil }
        let paymentMode: PaymentMode
        switch offer.paymentMode {
        case "payAsYouGo": paymentMode = .payAsYouGo
        case "payUpFront": paymentMode = .payUpFront
        case "freeTrial": paymentMode = .freeTrial
        default: return nil
        }
        self.facts = Facts(
            identifier: offer.offerId, price: Decimal(milliunits: offer.price), priceLocale: priceLocale,
            numberOfPeriods: offer.periodCount ?? 1, period: period, paymentMode: paymentMode, type: type)
    }

    /// Offer identifier; `nil` for an introductory offer.
    open var identifier: String? { facts.identifier }
    /// Price of a period, in the storefront's currency.
    open var price: NSDecimalNumber { NSDecimalNumber(decimal: facts.price) }
    /// Locale for ``price``.
    open var priceLocale: Locale { facts.priceLocale }
    /// Number of periods that the offer lasts.
    open var numberOfPeriods: Int { facts.numberOfPeriods }
    /// Length of one period of the offer.
    open var subscriptionPeriod: SKProductSubscriptionPeriod { facts.period }
    /// Payment mode of the offer.
    open var paymentMode: PaymentMode { facts.paymentMode }
    /// Type of the offer.
    open var type: `Type` { facts.type }
}

/// The period of a subscription or offer.
///
/// Source: Apple, StoreKit documentation, "SKProductSubscriptionPeriod".
open class SKProductSubscriptionPeriod: NSObject, @unchecked Sendable {
    private let count: Int
    private let periodUnit: SKProduct.PeriodUnit

    /// Makes a period without values, for subclasses.
    public override init() {
        (count, periodUnit) = (0, .day)
    }

    /// Reads an ISO 8601 duration such as `P1M`.
    init?(iso8601 text: String) {
        guard let period = Period(iso8601: text) else { return nil }
        self.count = period.count
        self.periodUnit =
            switch period.unit {
            case .day: .day
            case .week: .week
            case .month: .month
            case .year: .year
            }
    }

    /// Number of units.
    open var numberOfUnits: Int { count }
    /// Unit of the period.
    open var unit: SKProduct.PeriodUnit { periodUnit }
}
