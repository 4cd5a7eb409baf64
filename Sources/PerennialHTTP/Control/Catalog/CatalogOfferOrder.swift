import Perennial
import PerennialConnect
import PerennialStore

/// An offer that is to be made.
struct CatalogOfferOrder: Sendable {
    let body: CatalogOfferRoutes.NewBody
    /// The day by the environment's clock.
    let today: PacificDay

    init(_ body: CatalogOfferRoutes.NewBody, today: PacificDay) { (self.body, self.today) = (body, today) }

    func add(_ kind: CatalogOfferKind, to product: inout CatalogProduct, app: App) throws {
        let prices = OfferPricing(
            price: body.price, prices: body.prices ?? [:], storefronts: body.storefronts, app: app)
        if product.product.subscription == nil {
            guard kind == .code else {
                throw CatalogEditError(
                    .invalid, at: .attribute("kind"), "A product that doesn't renew has offers for codes only.")
            }
            let isGift = body.price == nil && body.prices == nil
            _ = try product.addCodeOffer(
                try named("name", body.name ?? body.offerId), for: try eligibility(),
                prices: try isGift ? prices.gifts(of: product) : prices.prices(of: product, isFree: false))
            return
        }
        let proposal = try proposal(prices, of: product)
        switch kind {
        case .introductory: try addIntroductory(proposal, to: &product)
        case .promotional:
            let id = try named("offerId", body.offerId)
            _ = try product.addPromotionalOffer(id, name: body.name ?? id, proposal)
        case .code:
            _ = try product.addCodeOffer(
                try named("name", body.name ?? body.offerId), for: try eligibility(),
                isStackable: body.stackable ?? false, proposal)
        case .winBack:
            let id = try named("offerId", body.offerId)
            _ = try product.addWinBackOffer(
                WinBackProposal(
                    offerID: id, referenceName: body.name ?? id, terms: proposal,
                    rules: (body.winBack?.applied(to: WinBackRules())) ?? WinBackRules(),
                    starts: try body.starts.map { try CatalogFields.day($0, field: "starts") } ?? today,
                    ends: try body.ends.map { try CatalogFields.day($0, field: "ends") },
                    listing: OfferListing.WinBack(priority: try body.winBack?.priorityValue() ?? .normal)),
                today: today)
        }
    }

    private func addIntroductory(_ proposal: OfferProposal, to product: inout CatalogProduct) throws {
        let starts = try body.starts.map { try CatalogFields.day($0, field: "starts") }
        let ends = try body.ends.map { try CatalogFields.day($0, field: "ends") }
        try product.addIntroductoryOffers(proposal, from: starts, until: ends, today: today)
    }

    private func proposal(_ prices: OfferPricing, of product: CatalogProduct) throws -> OfferProposal {
        guard let text = body.paymentMode else {
            throw CatalogEditError(
                .required, at: .attribute("paymentMode"), "An offer of a subscription has a payment mode.")
        }
        let mode: Offer.PaymentMode = try ControlFields.value(text, field: "paymentMode")
        let period = try body.period.map { try CatalogFields.period($0, field: "period") }
        return OfferProposal(
            paymentMode: mode, period: period ?? product.product.subscription?.period ?? .month,
            periodCount: body.periodCount ?? 1,
            prices: try prices.prices(of: product, isFree: mode == .freeTrial))
    }

    private func named(_ field: String, _ name: String?) throws -> String {
        guard let name else {
            throw CatalogEditError(.required, at: .attribute(field), "The offer has no \(field).")
        }
        return name
    }

    /// The groups of customers; all if the request names none.
    private func eligibility<Value: RawRepresentable<String> & CaseIterable & Hashable>() throws -> Set<Value> {
        guard let names = body.eligibility else { return Set(Value.allCases) }
        return Set(try names.map { try ControlFields.value($0, field: "eligibility") })
    }
}

/// A change of an offer.
struct CatalogOfferChange: Sendable {
    private let body: CatalogOfferRoutes.ChangeBody
    private let today: PacificDay

    init(_ body: CatalogOfferRoutes.ChangeBody, today: PacificDay) { (self.body, self.today) = (body, today) }

    func apply(
        to kind: CatalogOfferKind, _ offer: String, of product: inout CatalogProduct, app: App
    ) throws {
        let starts = try body.starts.map { try CatalogFields.day($0, field: "starts") }
        let ends = try body.ends.map { try CatalogFields.day($0, field: "ends") }
        switch kind {
        case .introductory:
            let others = [
                ("starts", starts != nil), ("price", body.price != nil), ("prices", body.prices != nil),
                ("storefronts", body.storefronts != nil),
            ]
            let other = others.first { $0.1 }?.0
            guard let ends, other == nil else {
                throw CatalogEditError(
                    .invalid, at: .attribute(other ?? "ends"), "Of an introductory offer only ends can be changed.")
            }
            try product.setEnd(
                ofIntroductoryOffersWhere: { offer == "all" || $0.id == offer || $0.storefront?.rawValue == offer },
                to: ends, today: today)
        case .promotional:
            let prices = OfferPricing(
                price: body.price, prices: body.prices ?? [:], storefronts: body.storefronts, app: app)
            let isFree =
                product.product.subscription?.promotionalOffers.first { $0.id == offer }?.paymentMode == .freeTrial
            try product.setPrices(
                ofPromotionalOffer: offer, to: try prices.prices(of: product, isFree: isFree))
        case .code:
            guard let isActive = body.active else {
                throw CatalogEditError(
                    .invalid, at: .attribute("active"), "Of an offer for codes only active can be changed.")
            }
            try product.setCodeOffer(offer, active: isActive)
        case .winBack:
            var change = WinBackChange()
            let known = product.product.subscription?.winBackOffers.first { $0.id == offer }?.winBackRules
            change.rules = body.winBack.map { $0.applied(to: known ?? WinBackRules()) }
            change.starts = starts
            change.ends = ends.map { .some($0) }
            change.priority = try body.winBack?.priorityValue()
            try product.changeWinBackOffer(offer, change, today: today)
        }
    }
}
