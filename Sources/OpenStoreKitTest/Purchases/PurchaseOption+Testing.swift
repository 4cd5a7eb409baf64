import Foundation
import OpenStoreKit

extension Product.PurchaseOption {
    /// Course of a subscription after the first period of a purchase in the past.
    ///
    /// Source: Apple, StoreKitTest documentation, "SubscriptionRenewalBehavior".
    public enum SubscriptionRenewalBehavior: Codable, Hashable, Sendable {
        /// Renews up to the present.
        case renewUntilNow
        /// Cancels at once: the subscription ends with its first period.
        case cancelImmediately
    }

    /// Buys under the offer of an offer code, by its reference name.
    ///
    /// For ``SKTestSession/buyProduct(identifier:options:)``.
    public static func codeOffer(referenceName: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.testCodeOffer(referenceName))
    }

    /// Buys under a promotional offer, without a signature.
    ///
    /// For ``SKTestSession/buyProduct(identifier:options:)``.
    public static func promotionalOffer(id identifier: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.testPromotionalOffer(identifier))
    }

    /// Buys at a date in the past.
    ///
    /// For ``SKTestSession/buyProduct(identifier:options:)``.
    public static func purchaseDate(
        _ date: Date, renewalBehavior: SubscriptionRenewalBehavior = .renewUntilNow
    ) -> Product.PurchaseOption {
        Product.PurchaseOption(.testPurchaseDate(date, renewsUntilNow: renewalBehavior == .renewUntilNow))
    }
}
