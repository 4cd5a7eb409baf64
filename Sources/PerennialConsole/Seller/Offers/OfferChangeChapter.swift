import Perennial
import PerennialConnect

/// Changes an offer, as far as App Store Connect lets a seller: the end of an introductory offer, the prices of a promotional
/// one, days, rules and priority of a win-back offer. An offer for codes can only be ended.
struct OfferChangeChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/offers/edit", .editCatalog) { try await page($0, .new) }
        routes.form("products/:product/offers/edit", .editCatalog) { try await change($0) }
    }

    private func page(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let found = try await request.foundProduct()
        let reference = try OfferReference { state.value($0, request.query[$0] ?? "") }
        let offer = try reference.listed(among: found)
        let form = OfferChangeForm(
            offer: offer, found: found, state: state, today: PacificDay(request.now), language: request.language)
        var blocks: [Block] = [.facts(form.facts)]
        if let note = form.note { blocks.append(.paragraph(.phrase(note))) }
        let fields = form.fields
        if !fields.isEmpty, offer.isActive {
            blocks.append(
                .form(
                    state.form(
                        request.productPath("offers/edit"), submit: Words.save,
                        same: request.same(
                            "offers edit \(found.id) \(offer.kind.commandName) \(shellQuoted(reference.commandName))"
                                + " \(form.sampleOptions)",
                            call: "offers/\(offer.kind.rawValue)/\(ConsolePath.encoded(reference.commandName))"),
                        [found.product.revisionField] + reference.fields + fields)))
        }
        if offer.isActive {
            blocks.append(
                .section(
                    .phrase(offer.kind == .code ? OfferPhrases.end : Words.delete),
                    [
                        .paragraph(.phrase(offer.kind == .code ? OfferPhrases.endMeaning : OfferPhrases.deleteMeaning)),
                        .actions([OfferChapter.removal(of: offer, found, request)]),
                    ]))
        }
        let name = offer.name.isEmpty ? offer.id ?? "" : offer.name
        return Page(
            name.isEmpty
                ? .phrase(offer.kind.phrase) : .joined([.phrase(offer.kind.phrase), .data(": \(name)")]), .products,
            trail: request.productTrail(found)
                + [Link(.phrase(ProductPhrases.offers), request.productPath("offers"))], blocks)
    }

    private func change(_ request: FormRequest) async throws -> FormAnswer {
        let (page, values) = (request.page, request.values)
        let found = try await page.foundProduct()
        return try await request.perform(again: self.page, fields: OfferForm.errorFields) {
            let reference = try OfferReference { values[$0] }
            let change = try OfferChange(
                values, of: try reference.listed(among: found), reference, found, today: PacificDay(page.now))
            try await request.editProduct { try change.apply(to: &$0) }
            return .redirect(page.productPath("offers"), .phrase(SellerPhrases.saved))
        }
    }
}

/// A change of an offer as the form asks for it.
struct OfferChange: Sendable {
    private let reference: OfferReference
    private let pricing: OfferPricing
    private let winBack: WinBackChange
    private let ends: PacificDay?
    private let isFree: Bool
    /// The day by the environment's clock.
    private let today: PacificDay

    /// - Throws: ``Refusal`` at a field.
    init(
        _ values: FormValues, of offer: ListedOffer, _ reference: OfferReference, _ found: FoundProduct,
        today: PacificDay
    ) throws {
        (self.reference, self.today) = (reference, today)
        isFree = offer.terms?.mode == .freeTrial
        let price = try values.money("price", in: found.app.defaultStorefront.currency ?? .usd)
        if offer.kind == .promotional, !isFree, price == nil { throw Refusal("price", RefusalPhrases.needed) }
        // The offer stays in its storefronts.
        pricing = OfferPricing(
            price: price?.milliunits, prices: [:], storefronts: offer.storefronts?.map(\.rawValue).sorted(),
            app: found.app)
        ends = try values.day("endDate")
        var change = WinBackChange()
        if offer.kind == .winBack {
            change.priority = values.isTicked("highPriority") ? .high : .normal
            if OfferChangeForm.isWaiting(offer, on: today) {
                change.starts = try values.day("startDate")
                change.ends = .some(ends)
                let known = WinBackRules()
                change.rules = WinBackRules(
                    paidMonths: try values.count("paidMonths") ?? known.paidMonths,
                    monthsSinceEnd: try values.count("monthsSinceEnd") ?? known.monthsSinceEnd,
                    maximumMonthsSinceEnd: try values.count("maximumMonthsSinceEnd"),
                    monthsBetweenOffers: try values.count("monthsBetweenOffers"))
            }
        }
        winBack = change
    }

    /// - Throws: ``CatalogEditError``.
    func apply(to product: inout CatalogProduct) throws {
        switch reference.kind {
        case .introductory:
            let (starts, storefront) = (reference.starts, reference.storefront)
            let group = product.introductoryOfferGroups.first { group in
                group.contains { $0.starts == starts && $0.storefront == storefront }
            }
            let ids = Set((group ?? []).map(\.id))
            try product.setEnd(ofIntroductoryOffersWhere: { ids.contains($0.id) }, to: ends, today: today)
        case .promotional:
            try product.setPrices(
                ofPromotionalOffer: reference.id, to: try pricing.prices(of: product, isFree: isFree))
        case .winBack: try product.changeWinBackOffer(reference.id, winBack, today: today)
        case .code: try product.setCodeOffer(reference.id, active: false)
        }
    }
}
