import Foundation
import OpenStoreKit
import Perennial

/// A purchase that a test makes for the customer.
struct TestPurchase: Sendable {
    var productID: String
    var quantity = 1
    var appAccountToken: UUID?
    var offer: Offer?
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

    init(productID: String) {
        self.productID = productID
    }

    init(productID: String, options: Set<OpenStoreKit.Product.PurchaseOption>) {
        self.productID = productID
        for option in options { apply(option) }
    }

    private mutating func apply(_ option: OpenStoreKit.Product.PurchaseOption) {
        switch option.value {
        case .appAccountToken(let token): appAccountToken = token
        case .quantity(let count): quantity = count
        case .winBackOffer(let id?): offer = .winBack(id: id)
        case .testCodeOffer(let name): offer = .code(referenceName: name)
        case .testPromotionalOffer(let id): offer = .promotional(id: id)
        case .testPurchaseDate(let date, let renewsUntilNow):
            (self.date, self.renewsUntilNow) = (date, renewsUntilNow)
        default: break
        }
    }
}
