import Hummingbird
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

/// Bindings of offers for codes.
enum OfferCodeBindings {
    static let all: [ConnectBinding] =
        [
            subscriptionOffers, productOffers, products,
            OfferPriceBindings.binding(
                "subscriptionOfferCodePrices", .code, renews: true, point: "subscriptionPricePoint"),
            OfferPriceBindings.binding("inAppPurchaseOfferPrices", .code, renews: false, point: "pricePoint"),
        ] + CodeBatchBindings.all

    private static var subscriptionOffers: ConnectBinding {
        var binding = offers("subscriptionOfferCodes", renews: true) { found, at in
            guard let offer = found.offer else { return [:] }
            var attributes = offer.connectTerms()
            let eligible = OfferWords.customers.filter {
                offer.eligibility.isEmpty || offer.eligibility.contains($0.eligibility)
            }
            attributes["customerEligibilities"] = .texts(eligible.map(\.name))
            attributes["offerEligibility"] = .text(
                offer.isStackable ? "STACK_WITH_INTRO_OFFERS" : "REPLACE_INTRO_OFFERS")
            attributes["autoRenewEnabled"] = .bool(true)
            return attributes
        }
        binding.related["subscription"] = { id, _ in .optional(OfferNumber.product(of: id).map { String($0) }) }
        binding.create = { entity, at in
            let product = try at.product(entity, "subscription", renews: true)
            let prices = try OfferPriceEntities(entity, in: entity, of: product, point: "subscriptionPricePoint")
            return try prices.edit(entity) {
                if try entity.bool("autoRenewEnabled") == false {
                    throw CatalogEditError(
                        .invalid, at: .attribute("autoRenewEnabled"), "Subscriptions of this store renew after an offer"
                    )
                }
                var proposal = try entity.offerTerms()
                proposal.prices = prices.prices
                let names = Set(try entity.texts("customerEligibilities") ?? [])
                let eligible = OfferWords.customers.filter { names.contains($0.name) }.map(\.eligibility)
                let isStackable = try entity.text("offerEligibility") == "STACK_WITH_INTRO_OFFERS"
                let name = try entity.requiredText("name")
                var id = ""
                try at.catalog.update(product) {
                    id = try $0.addCodeOffer(name, for: Set(eligible), isStackable: isStackable, proposal)
                }
                return id
            }
        }
        return binding
    }

    private static var productOffers: ConnectBinding {
        var binding = offers("inAppPurchaseOfferCodes", renews: false) { found, at in
            let eligibility = found.oneTime?.eligibility ?? []
            let eligible = OfferWords.spenders.filter { eligibility.isEmpty || eligibility.contains($0.eligibility) }
            return ["customerEligibilities": .texts(eligible.map(\.name))]
        }
        binding.create = { entity, at in
            let product = try at.product(entity, "inAppPurchase", renews: false)
            let prices = try OfferPriceEntities(entity, in: entity, of: product, point: "pricePoint")
            return try prices.edit(entity) {
                let names = Set(try entity.texts("customerEligibilities") ?? [])
                let eligible = OfferWords.spenders.filter { names.contains($0.name) }.map(\.eligibility)
                let name = try entity.requiredText("name")
                var id = ""
                try at.catalog.update(product) {
                    id = try $0.addCodeOffer(name, for: Set(eligible), prices: prices.prices)
                }
                return id
            }
        }
        return binding
    }

    /// The parts that both kinds of offers share.
    private static func offers(
        _ type: String, renews: Bool,
        _ attributes: @escaping @Sendable (FoundOffer, ConnectReading) throws -> ConnectAttributes
    ) -> ConnectBinding {
        @Sendable func found(_ id: String, _ at: CatalogReader) throws -> FoundOffer? {
            try at.offer(id, .code, renews: renews)
        }
        @Sendable func batches(_ kind: OfferCode.Kind) -> ConnectBinding.Related {
            { id, at in
                let batches = try found(id, at.catalog).map { try CodeBatchBindings.batches(of: $0, at) } ?? []
                return .many(batches.filter { $0.kind == kind }.map { String($0.id) })
            }
        }
        var binding = ConnectBinding(type: type) { id, at in
            guard let found = try found(id, at.catalog) else { return nil }
            let batches = try CodeBatchBindings.batches(of: found, at)
            func count(isProduction: Bool) -> Int64 {
                let wanted = batches.filter {
                    CodeBatchBindings.isProduction($0.environment, at.environment) == isProduction
                }
                return Int64(wanted.reduce(0) { $0 + ($1.count ?? 0) })
            }
            let name = found.offer?.referenceName ?? found.oneTime?.referenceName ?? ""
            var all: ConnectAttributes = [
                "name": .text(name.isEmpty ? found.id : name),
                "active": .bool(found.product.isCodeOfferActive(found.id) ?? false),
                "productionCodeCount": .integer(count(isProduction: true)),
                "sandboxCodeCount": .integer(count(isProduction: false)),
            ]
            if renews {
                all["totalNumberOfCodes"] = .integer(count(isProduction: true) + count(isProduction: false))
            }
            return all.merging(try attributes(found, at)) { _, added in added }
        }
        binding.related = [
            "prices": { id, at in OfferPriceBindings.ids(of: try found(id, at.catalog)) },
            "customCodes": batches(.custom), "oneTimeUseCodes": batches(.oneTime),
        ]
        binding.update = { id, entity, at in
            guard let isActive = try entity.bool("active"), let offer = try found(id, at.catalog) else { return }
            try at.catalog.update(offer.product.appleID) { try $0.setCodeOffer(offer.id, active: isActive) }
        }
        binding.filters["territory"] = OfferPriceBindings.territoryFilter(.code, renews: renews)
        binding.app = { id, at in try at.catalog.app(ofOffer: id) }
        return binding
    }

    private static var products: ConnectBinding {
        var binding = ConnectBinding.addition(to: "inAppPurchases")
        binding.related["offerCodes"] = { id, at in
            let product = try at.catalog.product(connectID: id, renews: false)
            return .many(product.map { FoundOffer.all(.code, of: $0).map(\.connectID) } ?? [])
        }
        return binding
    }
}
