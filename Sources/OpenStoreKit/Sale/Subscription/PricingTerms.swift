import Foundation

extension Product.SubscriptionInfo {
    /// Type of the span between two charges.
    public typealias BillingPeriod = SubscriptionPeriod

    /// Plans for the charges of a subscription: the known ones, or a later one.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo.BillingPlanType".
    public struct BillingPlanType: RawRepresentable, Equatable, Hashable, Sendable {
        /// Name of the plan, as in signed transactions.
        public let rawValue: String

        /// Makes a plan from its name.
        public init(rawValue: String) {
            self.rawValue = rawValue
        }

        /// One charge for a period.
        public static let upFront = BillingPlanType(rawValue: "BILLED_UPFRONT")
        /// Monthly charges over a commitment.
        public static let monthly = BillingPlanType(rawValue: "MONTHLY")
    }

    /// The whole commitment of a billing plan.
    public struct CommitmentInfo: Equatable, Hashable, Sendable {
        /// Price of the commitment.
        public let price: Decimal
        /// Price of the commitment, as text.
        public let displayPrice: String
        /// Length of the commitment.
        public let period: SubscriptionPeriod
    }

    /// One charge of a billing plan.
    public struct BillingInfo: Equatable, Hashable, Sendable {
        /// Price of a charge.
        public let price: Decimal
        /// Price of a charge, as text.
        public let displayPrice: String
        /// Span between two charges.
        public let period: BillingPeriod
    }

    /// Terms at which a subscription is sold with a billing plan.
    ///
    /// Source: Apple, StoreKit documentation, "Product.SubscriptionInfo.PricingTerms".
    public struct PricingTerms: Equatable, Hashable, Sendable {
        /// Plan for the charges.
        public let billingPlanType: BillingPlanType
        /// Price of a charge.
        public let billingPrice: Decimal
        /// Price of a charge, as text.
        public let billingDisplayPrice: String
        /// Span between two charges.
        public let billingPeriod: BillingPeriod
        /// The whole commitment.
        public let commitmentInfo: CommitmentInfo
        /// The way the price depends on the seats.
        public let pricingModel: PricingModel
        /// Offers of the plan.
        public let subscriptionOffers: [Product.SubscriptionOffer]

        /// Returns the offers of a type.
        public subscript(offers type: Product.SubscriptionOffer.OfferType) -> [Product.SubscriptionOffer] {
            subscriptionOffers.filter { $0.type == type }
        }

        /// Makes the terms of a plan with one charge for each period.
        init(
            upFront price: Decimal, displayPrice: String, period: SubscriptionPeriod,
            offers: [Product.SubscriptionOffer]
        ) {
            let commitment = CommitmentInfo(price: price, displayPrice: displayPrice, period: period)
            self.billingPlanType = .upFront
            self.billingPrice = price
            self.billingDisplayPrice = displayPrice
            self.billingPeriod = period
            self.commitmentInfo = commitment
            self.pricingModel = .singlePrice(
                SinglePrice(
                    billingInfo: BillingInfo(price: price, displayPrice: displayPrice, period: period),
                    commitmentInfo: commitment))
            self.subscriptionOffers = offers
        }

        /// The way a price depends on the seats.
        public enum PricingModel: Equatable, Hashable, Sendable {
            /// One price.
            case singlePrice(SinglePrice)
            /// A price for each seat, by their number.
            case seatBased(SeatBasedPricing)
        }

        /// One price.
        public struct SinglePrice: Equatable, Hashable, Sendable {
            /// One charge.
            public let billingInfo: BillingInfo
            /// The whole commitment.
            public let commitmentInfo: CommitmentInfo
        }

        /// A price for each seat, by their number.
        public struct SeatBasedPricing: Equatable, Hashable, Sendable {
            /// Tiers, fewest seats first.
            public let priceTiers: [PriceTier]

            /// The price of a seat for a range of seats.
            public struct PriceTier: Equatable, Hashable, Sendable {
                /// Fewest seats of the tier.
                public let minimumSeats: Int
                /// Most seats of the tier; `nil` without a limit.
                public let maximumSeats: Int?
                /// One charge for a seat.
                public let billingInfo: BillingInfo
                /// The whole commitment for a seat.
                public let commitmentInfo: CommitmentInfo
            }
        }
    }
}
