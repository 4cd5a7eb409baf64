import Foundation
import Testing

@testable import Perennial

/// Offer codes of products that don't renew: `ONE_TIME` (App Store Server API 1.18).
struct OneTimeOfferTests {
    private static let now = PurchaseTests.now
    private static let price = Money(milliunits: 490, .usd)
    private static let types: [ProductType] = [.consumable, .nonConsumable, .nonRenewing]

    private static func offer(_ eligibility: Set<OneTimeOffer.Eligibility> = []) -> OneTimeOffer {
        OneTimeOffer(id: "gift", referenceName: "A gift", basePrice: price, eligibility: eligibility)
    }

    private func buy(
        _ type: ProductType, _ offer: OneTimeOffer? = offer(), quantity: Int = 1, asking: OfferRequest? = nil,
        offerID: String? = nil, offerKind: AppliedOffer.Kind? = nil, spending: CustomerSpending = CustomerSpending(),
        history: [Transaction] = []
    ) throws -> Transaction {
        let product = Product(
            id: Product.ID(rawValue: "thing"), type: type, referenceName: "", basePrice: Money(milliunits: 990, .usd),
            codeOffers: [offer].compactMap(\.self))
        let app = App(
            bundleID: App.BundleID(rawValue: "com.example.app"), appleID: 1, name: "App", isNewsstand: true,
            products: [product])
        let account = Account(
            id: Account.ID(rawValue: 1), name: "ann", storefront: .usa, paymentMethod: .valid, canMakePayments: true,
            created: Self.now)
        var id = Int64(1000 + history.count)
        return try Purchase.decide(
            PurchaseRequest(productID: product.id, quantity: quantity, offerID: offerID, offerKind: offerKind),
            in: PurchaseContext(
                environment: .sandbox, app: app, product: product, account: account, history: history,
                provenOffer: asking, spending: spending), at: Self.now
        ) {
            id += 1
            return id
        }.transaction
    }

    @Test(arguments: types)
    func `a code sells once at the offer's price, recorded in the transaction`(type: ProductType) throws {
        let sold = try buy(type, asking: .code(offerID: "gift"))
        #expect(sold.price == Self.price)
        #expect(sold.offer == AppliedOffer(kind: .code, id: "gift", paymentMode: .oneTime, period: nil))
        #expect(try buy(type, offerID: "gift") == sold)
        let regular = try buy(type)
        #expect((regular.price.milliunits, regular.offer) == (990, nil))
    }

    @Test(arguments: types)
    func `an unknown offer is refused instead of charged in full`(type: ProductType) {
        PurchaseTests.expect(.offerNotFound) { try purchase { try buy(type, asking: .code(offerID: "other")) } }
        PurchaseTests.expect(.offerNotFound) { try purchase { try buy(type, nil, offerID: "gift") } }
        PurchaseTests.expect(.offerNotFound) { try purchase { try buy(type, asking: .promotional(id: "gift")) } }
        PurchaseTests.expect(.offerNotFound) {
            try purchase { try buy(type, offerID: "gift", offerKind: .promotional) }
        }
        PurchaseTests.expect(.offerNotFound) { try purchase { try buy(type, asking: .winBack(id: "gift")) } }
    }

    @Test func `an offer with a quantity above one is refused`() {
        PurchaseTests.expect(.quantityOutOfRange) {
            try purchase { try buy(.consumable, quantity: 2, asking: .code(offerID: "gift")) }
        }
    }

    /// App Store Connect help: never purchased, purchased in the last 30 days, more than 30 days ago.
    @Test(arguments: [nil, 0, Int64.days(30), Int64.days(30) + 1, Int64.days(400)] as [Int64?])
    func `an offer is limited to non, active or churned spenders`(ago: Int64?) throws {
        let spending = CustomerSpending(lastPaid: ago.map { Self.now + -$0 })
        let wanted: OneTimeOffer.Eligibility =
            switch ago {
            case nil: .nonSpender
            case .some(let time): time <= .days(30) ? .activeSpender : .churnedSpender
            }
        for group in OneTimeOffer.Eligibility.allCases {
            func buy() throws -> Transaction {
                try self.buy(.consumable, Self.offer([group]), asking: .code(offerID: "gift"), spending: spending)
            }
            if group == wanted {
                #expect(try buy().offer?.id == "gift")
            } else {
                PurchaseTests.expect(.offerNotAvailable) { try purchase(buy) }
            }
        }
        let all = Set(OneTimeOffer.Eligibility.allCases)
        #expect(try buy(.consumable, Self.offer(all), asking: .code(offerID: "gift"), spending: spending).offer != nil)
    }

    @Test func `a second code of the same offer is refused`() {
        PurchaseTests.expect(.offerNotAvailable) {
            try purchase {
                try buy(
                    .consumable, asking: .code(offerID: "gift"), spending: CustomerSpending(redeemedOffers: ["gift"]))
            }
        }
    }

    @Test func `a code for an owned product is refused and stays valid`() throws {
        let owned = try buy(.nonConsumable)
        PurchaseTests.expect(.offerNotAvailable) {
            try purchase { try buy(.nonConsumable, asking: .code(offerID: "gift"), history: [owned]) }
        }
    }

    @Test func `an offer has prices by storefront, as a product has`() throws {
        let japan = Storefront(rawValue: "JPN")
        var offer = Self.offer()
        #expect(offer.price(in: japan) == Money(milliunits: 1000, .jpy), "the number, rounded up to a coin")
        offer.prices[japan] = Money(milliunits: 80_000, .jpy)
        #expect(offer.price(in: japan) == Money(milliunits: 80_000, .jpy))
        #expect(offer.price(in: Storefront(rawValue: "XXX")) == nil)
    }

    @Test func `an app stored before one-time offers existed is decoded without any`() throws {
        let product = Product(
            id: Product.ID(rawValue: "a"), type: .consumable, referenceName: "A", basePrice: Self.price)
        let text = String(decoding: try JSONEncoder().encode(product), as: UTF8.self)
        #expect(!text.contains("ffers"), "a product without offers is stored as it was")
        var with = product
        with.codeOffers = [Self.offer()]
        #expect(try JSONDecoder().decode(Product.self, from: JSONEncoder().encode(with)) == with)
        with.codeOffers = []
        #expect(with == product)
        #expect(try JSONDecoder().decode(Product.self, from: Data(text.utf8)) == product)
    }

    /// ``PurchaseTests/expect(_:sourceLocation:_:)`` asks for a purchase.
    private func purchase(_ body: () throws -> Transaction) throws -> Purchase {
        _ = try body()
        return try PurchaseTests.buy(.consumable)
    }
}
