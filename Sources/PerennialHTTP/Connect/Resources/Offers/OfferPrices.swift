import BaseEncoding
import Foundation
import Perennial
import PerennialConnect

/// A price of an offer in the body of a request, and the place of its refusals.
struct OfferPriceEntities {
    /// The entities in the order of the relationship.
    let entities: [ConnectEntity]
    let prices: [OfferPrice]

    /// Reads the prices that a request creates.
    ///
    /// - Parameters:
    ///   - entity: The offer.
    ///   - root: The resource in `data`, whose `included` has the prices.
    ///   - point: The name of the relationship to the price point.
    /// - Throws: ``CatalogEditError`` for a price point of another product or territory.
    init(_ entity: ConnectEntity, in root: ConnectEntity, of product: Int64, point: String) throws {
        entities = entity.inline("prices", in: root)
        prices = try entities.map { price in
            let (territory, id) = (price.one("territory"), price.one(point))
            let found = try id.map { try Self.point($0, of: product, price, point) }
            guard let storefront = territory.map(Storefront.init(rawValue:)) ?? found?.storefront else {
                throw CatalogEditError(
                    .relationshipRequired, at: price.place(relationship: "territory"),
                    "You must provide a value for the relationship 'territory' with this request")
            }
            if let found, found.storefront != storefront {
                throw CatalogEditError(
                    .relationshipInvalid, at: price.place(relationship: point),
                    "The price point is one of \(found.storefront), not of \(storefront)")
            }
            return OfferPrice(storefront: storefront, price: found?.price)
        }
    }

    /// Reads a price point of a product.
    ///
    /// - Throws: ``CatalogEditError`` if there is none with the ID.
    static func point(
        _ id: String, of product: Int64, _ entity: ConnectEntity, _ relationship: String
    ) throws -> (storefront: Storefront, price: Money) {
        guard let point = PricePointID(id), point.owner == product else {
            throw CatalogEditError(
                .relationshipInvalid, at: entity.place(relationship: relationship),
                "There is no price point of the product with id '\(id)'")
        }
        return (point.storefront, point.price)
    }

    /// Runs an edit and gives its refusals the places of the request: those of inline resources are in `included`.
    func edit<Value>(_ entity: ConnectEntity, _ body: () throws -> Value) throws -> Value {
        try entity.edit(prices: entities, body)
    }
}

extension ConnectEntity {
    /// Runs an edit and gives its refusals the places of the request: those of inline resources are in `included`.
    func edit<Value>(prices: [ConnectEntity] = [], _ body: () throws -> Value) throws -> Value {
        do {
            return try body()
        } catch var error as CatalogEditError {
            switch error.place {
            case .attribute(let name): error.place = place(attribute: name)
            case .relationship(let name): error.place = place(relationship: name)
            case .includedRelationship(let index, let name) where prices.indices.contains(index):
                error.place = prices[index].place(relationship: name)
            default: break
            }
            throw error
        }
    }
}

/// The ID of an offer's price in a storefront: base64url of JSON, as price points have it.
struct OfferPriceID: Codable, Hashable {
    /// The offer's ID.
    var o: String
    /// The storefront's code.
    var t: String

    init(offer: String, storefront: Storefront) {
        (o, t) = (offer, storefront.rawValue)
    }

    init?(_ text: String) {
        guard let bytes = Base64.decode(text, as: .url),
            let decoded = try? JSONDecoder().decode(OfferPriceID.self, from: Data(bytes)), decoded.text == text
        else { return nil }
        self = decoded
    }

    var text: String { Base64.encode(Array("{\"o\":\"\(o)\",\"t\":\"\(t)\"}".utf8), as: .url) }
    var storefront: Storefront { Storefront(rawValue: t) }
}

/// An offer of the catalog, found by its ID in the App Store Connect API.
struct FoundOffer {
    let product: CatalogProduct
    /// The offer's ID in transactions.
    let id: String
    let kind: CatalogOfferKind
    /// The offer of a subscription; `nil` for one of a product that doesn't renew.
    let offer: Offer?
    let oneTime: OneTimeOffer?

    var connectID: String { product.connectID(of: kind, id) }

    /// The storefronts with prices; empty for a free trial everywhere.
    var prices: [OfferPrice] {
        if let offer {
            if offer.paymentMode == .freeTrial, offer.availability?.storefronts == nil { return [] }
            return offer.storefrontPrices(of: product.product)
        }
        guard let oneTime else { return [] }
        return Storefront.all.map(\.storefront).filter { oneTime.availability?.includes($0) ?? true }.map {
            OfferPrice(storefront: $0, price: oneTime.price(in: $0))
        }
    }

    /// Returns the offers of a kind.
    static func all(_ kind: CatalogOfferKind, of product: CatalogProduct) -> [FoundOffer] {
        let subscription = product.product.subscription
        let offers: [Offer] =
            switch kind {
            case .introductory: []
            case .promotional: subscription?.promotionalOffers ?? []
            case .code: subscription?.codeOffers ?? []
            case .winBack: subscription?.winBackOffers ?? []
            }
        let found = offers.compactMap { offer in
            offer.id.map { FoundOffer(product: product, id: $0, kind: kind, offer: offer, oneTime: nil) }
        }
        guard kind == .code else { return found }
        return found
            + product.product.codeOffers.map {
                FoundOffer(product: product, id: $0.id, kind: kind, offer: nil, oneTime: $0)
            }
    }
}

extension CatalogReader {
    /// Returns an offer by its ID in the App Store Connect API.
    ///
    /// - Parameter renews: True for offers of subscriptions.
    func offer(_ connectID: String, _ kind: CatalogOfferKind, renews: Bool) throws -> FoundOffer? {
        guard let number = OfferNumber.product(of: connectID), let product = try product(number),
            product.product.type.renews == renews
        else { return nil }
        return FoundOffer.all(kind, of: product).first { $0.connectID == connectID }
    }

    /// Returns the Apple ID of the app that an offer belongs to.
    func app(ofOffer connectID: String) throws -> Int64? { try OfferNumber.product(of: connectID).flatMap(owner(of:)) }
}

/// Bindings of offers' prices.
enum OfferPriceBindings {
    /// - Parameters:
    ///   - type: The resource type of the prices.
    ///   - point: The name of the relationship to the price point.
    static func binding(_ type: String, _ kind: CatalogOfferKind, renews: Bool, point: String) -> ConnectBinding {
        @Sendable func price(_ id: String, _ at: ConnectReading) throws -> (FoundOffer, OfferPrice)? {
            guard let id = OfferPriceID(id) else { return nil }
            let found = try at.once("prices of offer \(id.o)") {
                try at.catalog.offer(id.o, kind, renews: renews).map { offer in
                    (offer, Dictionary(offer.prices.map { ($0.storefront, $0) }) { first, _ in first })
                }
            }
            guard let (offer, prices) = found, let price = prices[id.storefront] else { return nil }
            return (offer, price)
        }
        var binding = ConnectBinding(type: type) { id, at in try price(id, at) == nil ? nil : [:] }
        binding.related = [
            "territory": { id, _ in .optional(OfferPriceID(id)?.storefront.rawValue) },
            point: { id, at in
                // A gift has no price point.
                guard let (offer, price) = try price(id, at), let money = price.price, money.milliunits > 0 else {
                    return .none
                }
                return .one(
                    PricePointID(owner: offer.product.appleID, storefront: price.storefront, price: money).text)
            },
        ]
        binding.app = { id, at in try OfferPriceID(id).flatMap { try at.catalog.app(ofOffer: $0.o) } }
        binding.followsFromCatalog = true
        return binding
    }

    /// The IDs of an offer's prices.
    static func ids(of offer: FoundOffer?) -> ConnectRelated {
        guard let offer else { return .many([]) }
        let id = offer.connectID
        return .many(offer.prices.map { OfferPriceID(offer: id, storefront: $0.storefront).text })
    }

    /// Filters offers by the territories in which they are available.
    static func territoryFilter(_ kind: CatalogOfferKind, renews: Bool) -> ConnectBinding.Filter {
        { ids, values, at in
            try ids.filter { id in
                guard let offer = try at.catalog.offer(id, kind, renews: renews) else { return false }
                let storefronts = offer.offer?.availability?.storefronts ?? offer.oneTime?.availability?.storefronts
                return storefronts.map { $0.contains { values.contains($0.rawValue) } } ?? true
            }
        }
    }
}
