import Foundation

extension Product {
    /// Facts of a subscription in the storefront of its product.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo".
    public struct SubscriptionInfo: Equatable, Hashable, Sendable {
        /// Introductory offer; `nil` without one.
        public let introductoryOffer: SubscriptionOffer?
        /// Promotional offers.
        public let promotionalOffers: [SubscriptionOffer]
        /// Win-back offers that the customer is eligible for, best first.
        public let winBackOffers: [SubscriptionOffer]
        /// Identifier of the subscription group.
        public let subscriptionGroupID: String
        /// Period of the subscription.
        public let subscriptionPeriod: SubscriptionPeriod
        /// Terms at which the subscription is sold, one for each billing plan.
        public let pricingTerms: [PricingTerms]
        /// Subscriptions of a bundle. Empty: this store sells no bundles.
        public let bundledSubscriptions: [BundledSubscription]
        /// Display name of the subscription group in the customer's language.
        public let groupDisplayName: String
        /// Level of the subscription in its group; 1 is the highest.
        public let groupLevel: Int

        /// Reads a product of the store; `nil` if it is no subscription, or its period is unknown.
        init?(_ product: ProductsAnswer.Product, priceLocale: Locale) {
            guard let subscription = product.subscription,
                let period = SubscriptionPeriod(iso8601: subscription.period)
            else { return nil }
            func offers(_ offers: [ProductsAnswer.Offer]?, _ type: SubscriptionOffer.OfferType) -> [SubscriptionOffer] {
                (offers ?? []).compactMap {
                    SubscriptionOffer($0, type: type, currency: product.currency, locale: priceLocale)
                }
            }
            self.introductoryOffer = offers(subscription.introductoryOffer.map { [$0] }, .introductory).first
            self.promotionalOffers = offers(subscription.promotionalOffers, .promotional)
            self.winBackOffers = offers(subscription.winBackOffers, .winBack)
            self.subscriptionGroupID = subscription.groupId
            self.subscriptionPeriod = period
            self.groupDisplayName = subscription.groupDisplayName ?? ""
            self.groupLevel = subscription.level ?? 1
            self.bundledSubscriptions = []
            self.pricingTerms = [
                PricingTerms(
                    upFront: Decimal(milliunits: product.price), displayPrice: product.displayPrice, period: period,
                    offers: [introductoryOffer].compactMap(\.self) + promotionalOffers + winBackOffers)
            ]
        }

        /// True if a customer may consent to share data of a subscription with several seats. Always ineligible: this store
        /// sells single seats.
        ///
        /// Source: Apple, StoreKit documentation, "multiSeatDataSharingConsentEligibility(subscriptionGroupID:)".
        public static func multiSeatDataSharingConsentEligibility(
            subscriptionGroupID: String
        ) async throws -> MultiSeatDataSharingConsentEligibility {
            .ineligible(.noOwnedActiveSubscription)
        }
    }
}

/// Facts of a subscription.
public typealias SubscriptionInfo = Product.SubscriptionInfo
/// A span of calendar time.
public typealias SubscriptionPeriod = Product.SubscriptionPeriod

extension Product.SubscriptionInfo {
    /// Eligibility of a customer to consent to share data of a subscription with several seats.
    public enum MultiSeatDataSharingConsentEligibility: Sendable {
        /// The customer may consent.
        case eligible
        /// The customer may not consent.
        case ineligible(IneligibilityReason)

        /// Reasons: the known ones, or a later one.
        public struct IneligibilityReason: RawRepresentable, Equatable, Hashable, Sendable {
            /// Name of the reason.
            public let rawValue: String

            /// Makes a reason from its name.
            public init(rawValue: String) {
                self.rawValue = rawValue
            }

            /// The customer has consented.
            public static let alreadyConsented = IneligibilityReason(rawValue: "ALREADY_CONSENTED")
            /// The customer owns no such subscription that is active.
            public static let noOwnedActiveSubscription = IneligibilityReason(rawValue: "NO_OWNED_ACTIVE_SUBSCRIPTION")
        }
    }

    /// A subscription of a bundle.
    public struct BundledSubscription: Equatable, Hashable, Sendable {
        /// Product identifier.
        public let id: Product.ID
        /// Display name in the customer's language.
        public let displayName: String
        /// Description in the customer's language.
        public let description: String
        /// Price outside of the bundle, in the storefront's currency.
        public let price: Decimal
        /// Price outside of the bundle, as text.
        public let displayPrice: String
        /// True if Family Sharing is available.
        public let isFamilyShareable: Bool
        /// Identifier of the subscription group.
        public let subscriptionGroupID: String
        /// Display name of the subscription group.
        public let subscriptionGroupDisplayName: String
        /// Level in the group; 1 is the highest.
        public let subscriptionGroupLevel: Int
    }
}
