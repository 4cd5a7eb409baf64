import Perennial
import PerennialConnect

/// Bindings of introductory, promotional and win-back offers.
enum OfferBindings {
    static let all: [ConnectBinding] = [
        introductory, promotional, winBack, subscriptions,
        OfferPriceBindings.binding(
            "subscriptionPromotionalOfferPrices", .promotional, renews: true, point: "subscriptionPricePoint"),
        OfferPriceBindings.binding("winBackOfferPrices", .winBack, renews: true, point: "subscriptionPricePoint"),
    ]

    // MARK: - Introductory offers

    private static var introductory: ConnectBinding {
        @Sendable func listed(_ id: String, _ at: ConnectReading) throws -> ListedIntroductoryOffer? {
            guard let number = OfferNumber.product(of: id) else { return nil }
            return try at.once("introductory offers \(number)") {
                let product = try at.catalog.product(number)
                return Dictionary((product?.listedIntroductoryOffers ?? []).map { ($0.id, $0) }) { first, _ in first }
            }[id]
        }
        var binding = ConnectBinding(type: "subscriptionIntroductoryOffers") { id, at in
            guard let found = try listed(id, at) else { return nil }
            var attributes = found.offer.connectTerms()
            attributes["startDate"] = .date(found.starts)
            attributes["endDate"] = .date(found.ends)
            return attributes
        }
        binding.related = [
            "subscription": { id, _ in .optional(OfferNumber.product(of: id).map { String($0) }) },
            "territory": { id, at in .optional(try listed(id, at)?.storefront?.rawValue) },
            "subscriptionPricePoint": { id, at in
                guard let found = try listed(id, at), let storefront = found.storefront, let price = found.price,
                    let product = OfferNumber.product(of: id)
                else { return .none }
                return .one(PricePointID(owner: product, storefront: storefront, price: price).text)
            },
        ]
        binding.create = { entity, at in
            try addIntroductory(entity, to: try at.product(entity, "subscription", renews: true), at)
        }
        binding.update = { id, entity, at in
            guard entity.has("endDate"), let product = OfferNumber.product(of: id) else { return }
            let ends = try entity.day("endDate")
            try at.catalog.update(product) {
                try $0.setEnd(ofIntroductoryOffer: id, to: ends, today: PacificDay(at.now))
            }
        }
        binding.delete = { id, at in try removeIntroductory(id, at) }
        binding.app = { id, at in try at.catalog.app(ofOffer: id) }
        binding.followsFromCatalog = true
        return binding
    }

    private static func removeIntroductory(_ id: String, _ at: ConnectEditing) throws {
        guard let product = OfferNumber.product(of: id) else { return }
        try at.catalog.update(product) { try $0.removeIntroductoryOffer(id) }
    }

    /// Adds the introductory offer of a body to a subscription.
    private static func addIntroductory(
        _ entity: ConnectEntity, to product: Int64, _ at: ConnectEditing
    ) throws -> String {
        try entity.edit {
            var proposal = try entity.offerTerms()
            let point = try entity.one("subscriptionPricePoint").map {
                try OfferPriceEntities.point($0, of: product, entity, "subscriptionPricePoint")
            }
            let storefront = entity.one("territory").map(Storefront.init(rawValue:)) ?? point?.storefront
            if let point {
                guard point.storefront == storefront else {
                    throw CatalogEditError(
                        .relationshipInvalid, at: .relationship("subscriptionPricePoint"),
                        "The price point is one of \(point.storefront), not of the offer's territory")
                }
                proposal.prices = [OfferPrice(storefront: point.storefront, price: point.price)]
            }
            let (starts, ends) = (try entity.day("startDate"), try entity.day("endDate"))
            var id = ""
            try at.catalog.update(product) {
                id = try $0.addIntroductoryOffer(
                    proposal, in: storefront, from: starts, until: ends, today: PacificDay(at.now))
            }
            return id
        }
    }

    // MARK: - Promotional offers

    private static var promotional: ConnectBinding {
        @Sendable func found(_ id: String, _ at: CatalogReader) throws -> FoundOffer? {
            try at.offer(id, .promotional, renews: true)
        }
        var binding = ConnectBinding(type: "subscriptionPromotionalOffers") { id, at in
            guard let found = try found(id, at.catalog), let offer = found.offer else { return nil }
            var attributes = offer.connectTerms()
            attributes["name"] = .text(offer.referenceName)
            attributes["offerCode"] = .text(found.id)
            return attributes
        }
        binding.related = [
            "subscription": { id, _ in .optional(OfferNumber.product(of: id).map { String($0) }) },
            "prices": { id, at in OfferPriceBindings.ids(of: try found(id, at.catalog)) },
        ]
        binding.create = { entity, at in
            try addPromotional(entity, in: entity, to: try at.product(entity, "subscription", renews: true), at)
        }
        binding.update = { id, entity, at in
            guard entity.has("prices"), let offer = try found(id, at.catalog) else { return }
            let prices = try OfferPriceEntities(
                entity, in: entity, of: offer.product.appleID, point: "subscriptionPricePoint")
            try prices.edit(entity) {
                try at.catalog.update(offer.product.appleID) {
                    try $0.setPrices(ofPromotionalOffer: offer.id, to: prices.prices)
                }
            }
        }
        binding.delete = { id, at in
            guard let offer = try found(id, at.catalog) else { return }
            try at.catalog.update(offer.product.appleID) { try $0.removePromotionalOffer(offer.id) }
        }
        binding.content = { id, at in
            try found(id, at.catalog)?.prices.map {
                "\($0.storefront) \($0.price.map { "\($0.milliunits) \($0.currency)" } ?? "")"
            } ?? []
        }
        binding.filters["territory"] = OfferPriceBindings.territoryFilter(.promotional, renews: true)
        binding.app = { id, at in try at.catalog.app(ofOffer: id) }
        binding.followsFromCatalog = true
        return binding
    }

    /// Adds the promotional offer of a body to a subscription.
    private static func addPromotional(
        _ entity: ConnectEntity, in root: ConnectEntity, to product: Int64, _ at: ConnectEditing
    ) throws -> String {
        let prices = try OfferPriceEntities(entity, in: root, of: product, point: "subscriptionPricePoint")
        return try prices.edit(entity) {
            var proposal = try entity.offerTerms()
            proposal.prices = prices.prices
            let (code, name) = (try entity.requiredText("offerCode"), try entity.requiredText("name"))
            var id = ""
            try at.catalog.update(product) { id = try $0.addPromotionalOffer(code, name: name, proposal) }
            return id
        }
    }

    // MARK: - Win-back offers

    private static var winBack: ConnectBinding {
        @Sendable func found(_ id: String, _ at: CatalogReader) throws -> FoundOffer? {
            try at.offer(id, .winBack, renews: true)
        }
        var binding = ConnectBinding(type: "winBackOffers") { id, at in
            try found(id, at.catalog).flatMap(winBackAttributes)
        }
        binding.related = ["prices": { id, at in OfferPriceBindings.ids(of: try found(id, at.catalog)) }]
        binding.create = { entity, at in
            let product = try at.product(entity, "subscription", renews: true)
            let prices = try OfferPriceEntities(entity, in: entity, of: product, point: "subscriptionPricePoint")
            return try prices.edit(entity) {
                var proposal = WinBackProposal(
                    offerID: try entity.requiredText("offerId"),
                    referenceName: try entity.requiredText("referenceName"),
                    terms: try entity.offerTerms(count: "periodCount"), rules: try winBackRules(entity, WinBackRules()),
                    starts: try entity.day("startDate") ?? PacificDay(at.now), ends: try entity.day("endDate"))
                proposal.terms.prices = prices.prices
                if let priority = try entity.text("priority") {
                    proposal.listing.priority = OfferListing.WinBack.Priority(rawValue: priority) ?? .normal
                }
                proposal.listing.promotionIntent = try entity.text("promotionIntent").flatMap {
                    OfferListing.WinBack.PromotionIntent(rawValue: $0)
                }
                var id = ""
                try at.catalog.update(product) { id = try $0.addWinBackOffer(proposal, today: PacificDay(at.now)) }
                return id
            }
        }
        binding.update = { id, entity, at in
            guard let offer = try found(id, at.catalog) else { return }
            var change = WinBackChange()
            change.rules = try winBackRules(entity, offer.offer?.winBackRules ?? WinBackRules())
            change.starts = try entity.day("startDate")
            if entity.has("endDate") { change.ends = .some(try entity.day("endDate")) }
            change.priority = try entity.text("priority").flatMap { OfferListing.WinBack.Priority(rawValue: $0) }
            change.promotionIntent = try entity.text("promotionIntent").flatMap {
                OfferListing.WinBack.PromotionIntent(rawValue: $0)
            }
            try at.catalog.update(offer.product.appleID) {
                try $0.changeWinBackOffer(offer.id, change, today: PacificDay(at.now))
            }
        }
        binding.delete = { id, at in
            guard let offer = try found(id, at.catalog) else { return }
            try at.catalog.update(offer.product.appleID) { try $0.removeWinBackOffer(offer.id) }
        }
        binding.app = { id, at in try at.catalog.app(ofOffer: id) }
        binding.followsFromCatalog = true
        return binding
    }

    private static func winBackAttributes(_ found: FoundOffer) -> ConnectAttributes? {
        guard let offer = found.offer else { return nil }
        let (rules, listed) = (offer.winBackRules ?? WinBackRules(), found.product.listing.offers.winBack[found.id])
        var range: [String: ConnectValue] = ["minimum": .integer(Int64(rules.monthsSinceEnd))]
        range["maximum"] = rules.maximumMonthsSinceEnd.map { .integer(Int64($0)) }
        var attributes = offer.connectTerms(count: "periodCount")
        attributes.merge([
            "referenceName": .text(offer.referenceName), "offerId": .text(found.id),
            "customerEligibilityPaidSubscriptionDurationInMonths": .integer(Int64(rules.paidMonths)),
            "customerEligibilityTimeSinceLastSubscribedInMonths": .object(range),
            "customerEligibilityWaitBetweenOffersInMonths": .optional(rules.monthsBetweenOffers),
            "startDate": .date(offer.availability?.starts.map { PacificDay($0) }),
            "endDate": .date(offer.availability?.ends.map { PacificDay($0) }),
            "priority": .text((listed?.priority ?? .normal).rawValue),
            "promotionIntent": .optional(listed?.promotionIntent?.rawValue),
        ]) { _, added in added }
        return attributes
    }

    /// Returns rules with the members of a body in them.
    private static func winBackRules(_ entity: ConnectEntity, _ rules: WinBackRules) throws -> WinBackRules {
        var rules = rules
        if let months = try entity.integer("customerEligibilityPaidSubscriptionDurationInMonths") {
            rules.paidMonths = Int(clamping: months)
        }
        let name = "customerEligibilityTimeSinceLastSubscribedInMonths"
        if let range = try entity.object(name) {
            func months(_ member: String) throws -> Int? {
                switch range[member] {
                case .integer(let months): return Int(clamping: months)
                case nil, .null: return nil
                default: throw CatalogEditError(.invalid, at: .attribute(name), "'\(member)' is an integer")
                }
            }
            rules.monthsSinceEnd = try months("minimum") ?? 1
            rules.maximumMonthsSinceEnd = try months("maximum")
        }
        if entity.has("customerEligibilityWaitBetweenOffersInMonths") {
            rules.monthsBetweenOffers = try entity.integer("customerEligibilityWaitBetweenOffersInMonths").map {
                Int(clamping: $0)
            }
        }
        return rules
    }

    // MARK: - Subscriptions

    private static var subscriptions: ConnectBinding {
        @Sendable func offers(_ kind: CatalogOfferKind) -> ConnectBinding.Related {
            { id, at in
                let product = try at.catalog.product(connectID: id, renews: true)
                return .many(product.map { FoundOffer.all(kind, of: $0).map(\.connectID) } ?? [])
            }
        }
        var binding = ConnectBinding.addition(to: "subscriptions")
        binding.related = [
            "introductoryOffers": { id, at in
                .many(try at.catalog.product(connectID: id, renews: true)?.listedIntroductoryOffers.map(\.id) ?? [])
            },
            "promotionalOffers": offers(.promotional), "offerCodes": offers(.code), "winBackOffers": offers(.winBack),
        ]
        binding.removeRelated["introductoryOffers"] = { id, ids, at in
            for offer in ids {
                guard OfferNumber.product(of: offer).map({ String($0) }) == id else {
                    throw CatalogEditError(.notFound, "The subscription has no introductory offer with id '\(offer)'")
                }
                try removeIntroductory(offer, at)
            }
        }
        binding.update = { id, entity, at in
            guard let product = Int64(connectID: id) else { return }
            for offer in entity.inline("introductoryOffers") { _ = try addIntroductory(offer, to: product, at) }
            for offer in entity.inline("promotionalOffers") {
                _ = try addPromotional(offer, in: entity, to: product, at)
            }
        }
        return binding
    }
}
