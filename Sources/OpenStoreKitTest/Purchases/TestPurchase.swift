import Foundation
import OpenStoreKit
import Perennial

/// A purchase that a test makes for the customer.
struct TestPurchase: Sendable {
    var productID: String
    var quantity = 1
    var appAccountToken: UUID?
    var offer: Offer?
    /// An offer with its proof, which the store checks.
    var claim: OfferClaim?
    var date: Date?
    var renewsUntilNow = true

    /// An offer by its name, without proof.
    enum Offer: Sendable {
        case promotional(id: String)
        case code(referenceName: String)
        case winBack(id: String)

        var kind: AppliedOffer.Kind {
            switch self {
            case .promotional: .promotional
            case .code: .code
            case .winBack: .winBack
            }
        }
    }

    /// Reads the options of a purchase: the app's own as `Product.purchase(options:)` does, and those for tests.
    ///
    /// - Throws: The errors of `Product.purchase(options:)` for options that contradict the product, each other, or the store.
    init(
        _ product: Perennial.Product, options: Set<OpenStoreKit.Product.PurchaseOption> = []
    ) throws {
        productID = product.id.rawValue
        var appOptions: Set<OpenStoreKit.Product.PurchaseOption> = []
        var offers: [Offer] = []
        for option in options {
            switch option.value {
            case .testCodeOffer(let name): offers.append(.code(referenceName: name))
            case .testPromotionalOffer(let id): offers.append(.promotional(id: id))
            case .testPurchaseDate(let date, let renewsUntilNow):
                (self.date, self.renewsUntilNow) = (date, renewsUntilNow)
            default: appOptions.insert(option)
            }
        }
        let terms = try PurchaseTerms(appOptions, type: .init(product.type))
        (quantity, appAccountToken) = (terms.quantity, terms.appAccountToken)
        switch terms.offer {
        case nil: break
        case .winBack(let id): offers.append(.winBack(id: id))
        case .token(let token): claim = .token(token)
        case .signed(let id, let keyID, let nonce, let signature, let timestamp):
            let signed = max(
                Instant(milliseconds: 0), min(Instant(milliseconds: Int64(clamping: timestamp)), .endOfTime))
            claim = .signed(
                SignedOffer(
                    offerID: id, keyID: keyID, nonce: nonce.uuidString.lowercased(), signature: [UInt8](signature),
                    timestamp: signed))
        }
        guard offers.count + (claim == nil ? 0 : 1) <= 1 else {
            throw OpenStoreKit.Product.PurchaseError.ineligibleForOffer
        }
        guard offers.isEmpty || product.type == .autoRenewable else {
            throw OpenStoreKit.Product.PurchaseError.invalidOfferIdentifier
        }
        offer = offers.first
    }
}

extension OpenStoreKit.Product.ProductType {
    fileprivate init(_ type: Perennial.ProductType) {
        self =
            switch type {
            case .consumable: .consumable
            case .nonConsumable: .nonConsumable
            case .autoRenewable: .autoRenewable
            case .nonRenewing: .nonRenewable
            case .free: OpenStoreKit.Product.ProductType(rawValue: "Free Subscription")
            }
    }
}
