import Foundation

/// An introductory or promotional offer of a subscription.
public final class SKProductDiscount: NSObject, Sendable {
    /// How an offer is paid, by StoreKit's numbers.
    public enum PaymentMode: UInt, Sendable, CaseIterable {
        case payAsYouGo = 0
        case payUpFront = 1
        case freeTrial = 2
    }

    /// Whom an offer is for, by StoreKit's numbers.
    public enum `Type`: UInt, Sendable, CaseIterable {
        case introductory = 0
        case subscription = 1
    }

    /// `nil` for an introductory offer.
    public let identifier: String?
    public let priceLocale: Locale
    /// How many of its periods the offer lasts.
    public let numberOfPeriods: Int
    public let subscriptionPeriod: SKProductSubscriptionPeriod
    public let paymentMode: PaymentMode
    public let type: Type
    private let amount: Decimal

    public var price: NSDecimalNumber { NSDecimalNumber(decimal: amount) }

    /// `nil` where the offer's mode or period says nothing to us.
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
