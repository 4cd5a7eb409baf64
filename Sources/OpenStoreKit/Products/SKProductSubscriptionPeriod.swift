import Foundation
import Perennial

/// The length of a subscription's period, or of an offer's.
public final class SKProductSubscriptionPeriod: NSObject, Sendable {
    public let numberOfUnits: Int
    public let unit: SKProduct.PeriodUnit

    /// Reads `P1M` and the like.
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
    /// The units of ``SKProductSubscriptionPeriod``, by StoreKit's numbers.
    public enum PeriodUnit: UInt, Sendable, CaseIterable {
        case day = 0
        case week = 1
        case month = 2
        case year = 3
    }
}
