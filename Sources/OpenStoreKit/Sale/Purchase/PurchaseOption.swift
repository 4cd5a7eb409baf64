import Foundation
import Synchronization

extension Product {
    /// An option of a purchase.
    ///
    /// Source: Apple, StoreKit documentation, "Product.PurchaseOption".
    public struct PurchaseOption: Equatable, Hashable, Sendable, CustomDebugStringConvertible {
        /// Meaning of the option.
        package let value: Value

        package init(_ value: Value) {
            self.value = value
        }

        package enum Value: Hashable, Sendable {
            case appAccountToken(UUID)
            case quantity(Int)
            case signedOffer(id: String, SubscriptionOffer.Signature)
            case winBackOffer(id: String?)
            case billingPlan(SubscriptionInfo.BillingPlanType)
            case seats(Int)
            case suppressesInvitationSheet(Bool)
            case simulatesAskToBuy(Bool)
            case storefrontChange(StorefrontQuestion)
            case custom(key: String, CustomValue)
            /// An offer code by its reference name, for tests.
            case testCodeOffer(String)
            /// A promotional offer without a signature, for tests.
            case testPromotionalOffer(String)
            /// The date of a purchase, for tests.
            case testPurchaseDate(Date, renewsUntilNow: Bool)
        }

        package enum CustomValue: Hashable, Sendable {
            case text(String)
            case number(Double)
            case flag(Bool)
            case data(Data)
        }

        /// Meaning by which options are equal: the bytes of a promotional offer's signature don't count.
        ///
        /// Source: RevenueCat/purchases-ios and space-code/flare, whose tests find options of different bytes equal.
        private var compared: Value {
            guard case .signedOffer(let id, var signature) = value else { return value }
            signature.signature = Data()
            return .signedOffer(id: id, signature)
        }

        public static func == (one: PurchaseOption, other: PurchaseOption) -> Bool { one.compared == other.compared }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(compared)
        }

        public var debugDescription: String { "PurchaseOption(\(value))" }
    }

    /// A question of the app to be asked when the storefront changes. Equal to itself only.
    package final class StorefrontQuestion: Hashable, Sendable {
        let shouldContinue: @Sendable (Storefront) -> Bool

        init(_ shouldContinue: @escaping @Sendable (Storefront) -> Bool) {
            self.shouldContinue = shouldContinue
        }

        package static func == (one: StorefrontQuestion, other: StorefrontQuestion) -> Bool { one === other }

        package func hash(into hasher: inout Hasher) {
            hasher.combine(ObjectIdentifier(self))
        }
    }
}

extension Product.PurchaseOption {
    /// Associates the purchase with an account of the app.
    public static func appAccountToken(_ token: UUID) -> Product.PurchaseOption {
        Product.PurchaseOption(.appAccountToken(token))
    }

    /// Sets the quantity, 1 to 10; always 1 for products other than consumables.
    public static func quantity(_ quantity: Int) -> Product.PurchaseOption {
        Product.PurchaseOption(.quantity(quantity))
    }

    /// Applies a promotional offer by the original form of its signature.
    @available(iOS, deprecated: 26.0, message: "Use promotionalOffer(_:compactJWS:)")
    @available(macOS, deprecated: 26.0, message: "Use promotionalOffer(_:compactJWS:)")
    public static func promotionalOffer(
        offerID: String, keyID: String, nonce: UUID, signature: Data, timestamp: Int
    ) -> Product.PurchaseOption {
        let signature = Product.SubscriptionOffer.Signature(
            keyID: keyID, nonce: nonce, timestamp: timestamp, signature: signature)
        return Product.PurchaseOption(.signedOffer(id: offerID, signature))
    }

    /// Applies a promotional offer by the original form of its signature.
    @available(iOS, deprecated: 26.0, message: "Use promotionalOffer(_:compactJWS:)")
    @available(macOS, deprecated: 26.0, message: "Use promotionalOffer(_:compactJWS:)")
    public static func promotionalOffer(
        offerID: String, signature: Product.SubscriptionOffer.Signature
    ) -> Product.PurchaseOption {
        Product.PurchaseOption(.signedOffer(id: offerID, signature))
    }

    /// Applies a promotional offer by a compact JWS: two options that belong together.
    public static func promotionalOffer(_ offerID: String, compactJWS: String) -> [Product.PurchaseOption] {
        [
            .custom(key: CustomKey.offerID, value: offerID),
            .custom(key: CustomKey.offerToken, value: Data(compactJWS.utf8).base64EncodedString()),
        ]
    }

    /// Applies a win-back offer of the product.
    public static func winBackOffer(_ offer: Product.SubscriptionOffer) -> Product.PurchaseOption {
        Product.PurchaseOption(.winBackOffer(id: offer.id))
    }

    /// Overrides the customer's eligibility for the introductory offer by a compact JWS.
    public static func introductoryOfferEligibility(compactJWS: String) -> Product.PurchaseOption {
        .custom(key: CustomKey.introductoryToken, value: compactJWS)
    }

    /// Chooses a billing plan.
    public static func billingPlanType(
        _ type: Product.SubscriptionInfo.BillingPlanType
    ) -> Product.PurchaseOption {
        Product.PurchaseOption(.billingPlan(type))
    }

    /// Sets the number of seats after the purchase.
    public static func seats(_ targetSeatQuantity: Int) -> Product.PurchaseOption {
        Product.PurchaseOption(.seats(targetSeatQuantity))
    }

    /// Suppresses the sheet that invites members to the seats.
    public static func multiSeatInvitationSheetSuppressed(_ isSuppressed: Bool) -> Product.PurchaseOption {
        Product.PurchaseOption(.suppressesInvitationSheet(isSuppressed))
    }

    /// Asks the app whether to continue if the customer's storefront has changed since the product was loaded.
    public static func onStorefrontChange(
        shouldContinuePurchase: @escaping @Sendable (Storefront) -> Bool
    ) -> Product.PurchaseOption {
        Product.PurchaseOption(.storefrontChange(Product.StorefrontQuestion(shouldContinuePurchase)))
    }

    /// Simulates Ask to Buy in a test environment.
    public static func simulatesAskToBuyInSandbox(_ simulateAskToBuy: Bool) -> Product.PurchaseOption {
        Product.PurchaseOption(.simulatesAskToBuy(simulateAskToBuy))
    }

    /// Passes a text under a key. Keys that the store doesn't know have no effect.
    public static func custom(key: String, value: String) -> Product.PurchaseOption {
        Product.PurchaseOption(.custom(key: key, .text(value)))
    }

    /// Passes a number under a key. Keys that the store doesn't know have no effect.
    public static func custom(key: String, value: Double) -> Product.PurchaseOption {
        Product.PurchaseOption(.custom(key: key, .number(value)))
    }

    /// Passes a Boolean under a key. Keys that the store doesn't know have no effect.
    public static func custom(key: String, value: Bool) -> Product.PurchaseOption {
        Product.PurchaseOption(.custom(key: key, .flag(value)))
    }

    /// Passes data under a key. Keys that the store doesn't know have no effect.
    public static func custom(key: String, value: Data) -> Product.PurchaseOption {
        Product.PurchaseOption(.custom(key: key, .data(value)))
    }

    /// Keys of custom options with a meaning.
    enum CustomKey {
        /// Identifier of a promotional offer.
        static let offerID = "adHocOfferId"
        /// JWS of a promotional offer, in base64.
        static let offerToken = "adHocSignature"
        /// JWS about the eligibility for the introductory offer.
        static let introductoryToken = "introOfferEligibilityParam"
    }
}
