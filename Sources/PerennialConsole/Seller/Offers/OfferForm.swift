import Perennial
import PerennialConnect

/// The fields of a new offer, by kind.
struct OfferForm: Sendable {
    let kind: CatalogOfferKind
    let found: FoundProduct
    let state: FormState
    let language: Language

    /// The fields that have other names in errors.
    static let errorFields = [
        "offerCode": "offerId", "referenceName": "name", "periodCount": "numberOfPeriods", "prices": "price",
        "subscriptionPricePoint": "price", "pricePoint": "price", "territory": "storefront",
        "customerEligibilities": "new", "customerEligibilityPaidSubscriptionDurationInMonths": "paidMonths",
        "customerEligibilityTimeSinceLastSubscribedInMonths": "monthsSinceEnd",
        "customerEligibilityWaitBetweenOffersInMonths": "monthsBetweenOffers",
    ]

    private var renews: Bool { found.product.product.type.renews }
    private var currency: Currency { found.app.defaultStorefront.currency ?? .usd }

    var fields: [Field] {
        var fields = [found.product.revisionField, .hidden("kind", kind.rawValue)]
        if kind == .promotional || kind == .winBack {
            fields.append(
                state.field("offerId", OfferPhrases.offerID, hint: .phrase(OfferPhrases.offerIDHint), isRequired: true))
        }
        if kind != .introductory {
            fields.append(
                state.field(
                    "name", Words.name, isRequired: kind == .code, maximumLength: CatalogProduct.maximumOfferNameLength)
            )
        }
        if renews { fields += terms }
        let hint = renews ? OfferPhrases.priceHint : OfferPhrases.freeIfEmpty
        fields.append(state.field("price", Words.price, hint: .phrase(hint, .data(currency.rawValue))))
        fields.append(
            state.field(
                "storefront", OfferPhrases.storefronts,
                .storefronts(language, first: [Field.Option("", .phrase(ProductPhrases.everywhere))])))
        switch kind {
        case .introductory: fields += days
        case .promotional: break
        case .code: fields += customers
        case .winBack:
            fields += days + Self.rules(WinBackRules(), state)
            fields.append(state.box("highPriority", OfferPhrases.highPriority))
        }
        return fields
    }

    private var terms: [Field] {
        let modes = Offer.PaymentMode.allCases.map { Field.Option($0.rawValue, .phrase($0.phrase)) }
        let period = found.product.product.subscription?.period ?? .month
        return [
            state.field("paymentMode", OfferPhrases.mode, .choice(modes), Offer.PaymentMode.freeTrial.rawValue),
            state.field(
                "duration", OfferPhrases.duration, .choice(Period.options(OfferTermsRules.durations)), period.iso8601),
            state.field(
                "numberOfPeriods", OfferPhrases.count, .number, "1", hint: .phrase(OfferPhrases.countHint)),
        ]
    }

    private var days: [Field] {
        [
            state.field("startDate", OfferPhrases.starts, .date),
            state.field("endDate", OfferPhrases.ends, .date, hint: .phrase(OfferPhrases.endsHint)),
        ]
    }

    private var customers: [Field] {
        guard renews else {
            return OneTimeOffer.Eligibility.allCases.map { state.box($0.rawValue, $0.phrase, true) }
        }
        return Offer.Eligibility.allCases.map { state.box($0.rawValue, $0.phrase, true) }
            + [state.box("stackable", OfferPhrases.stackable)]
    }

    /// The fields of a win-back offer's rules.
    static func rules(_ rules: WinBackRules, _ state: FormState) -> [Field] {
        let (maximum, wait) = (rules.maximumMonthsSinceEnd, rules.monthsBetweenOffers)
        return [
            state.field("paidMonths", OfferPhrases.paidMonths, .number, "\(rules.paidMonths)"),
            state.field("monthsSinceEnd", OfferPhrases.monthsSinceEnd, .number, "\(rules.monthsSinceEnd)"),
            state.field(
                "maximumMonthsSinceEnd", OfferPhrases.maximumMonthsSinceEnd, .number, maximum.map(String.init) ?? ""),
            state.field("monthsBetweenOffers", OfferPhrases.monthsBetween, .number, wait.map(String.init) ?? ""),
        ]
    }
}

/// An offer as the form asks for it.
struct NewOffer: Sendable {
    private let kind: CatalogOfferKind
    private let values: FormValues
    private let pricing: OfferPricing
    private let terms: (mode: Offer.PaymentMode, period: Period, count: Int)?
    private let starts: PacificDay?
    private let ends: PacificDay?
    private let rules: WinBackRules
    /// The day by the environment's clock.
    private let today: PacificDay

    /// - Throws: ``Refusal`` at a field.
    init(_ values: FormValues, of found: FoundProduct, today: PacificDay) throws {
        kind = try values.chosen("kind")
        (self.values, self.today) = (values, today)
        let price = try values.money("price", in: found.app.defaultStorefront.currency ?? .usd)
        let storefront = try values.storefront("storefront")
        pricing = OfferPricing(
            price: price?.milliunits, prices: [:], storefronts: storefront.map { [$0.rawValue] }, app: found.app)
        if found.product.product.type.renews {
            let mode = try values.chosen("paymentMode", Offer.PaymentMode.self)
            guard let period = try values.period("duration") else { throw Refusal("duration", RefusalPhrases.choice) }
            if mode != .freeTrial, price == nil { throw Refusal("price", RefusalPhrases.needed) }
            terms = (mode, period, try values.count("numberOfPeriods") ?? 1)
        } else {
            terms = nil
        }
        (starts, ends) = (try values.day("startDate"), try values.day("endDate"))
        let known = WinBackRules()
        rules = WinBackRules(
            paidMonths: try values.count("paidMonths") ?? known.paidMonths,
            monthsSinceEnd: try values.count("monthsSinceEnd") ?? known.monthsSinceEnd,
            maximumMonthsSinceEnd: try values.count("maximumMonthsSinceEnd"),
            monthsBetweenOffers: try values.count("monthsBetweenOffers"))
    }

    /// - Throws: ``CatalogEditError``.
    func add(to product: inout CatalogProduct) throws {
        let (id, name) = (values["offerId"], values.optional("name"))
        guard let terms else {
            let isGift = pricing.price == nil
            let prices = try isGift ? pricing.gifts(of: product) : pricing.prices(of: product, isFree: false)
            _ = try product.addCodeOffer(values["name"], for: ticked(OneTimeOffer.Eligibility.self), prices: prices)
            return
        }
        let proposal = OfferProposal(
            paymentMode: terms.mode, period: terms.period, periodCount: terms.count,
            prices: try pricing.prices(of: product, isFree: terms.mode == .freeTrial))
        switch kind {
        case .introductory:
            try product.addIntroductoryOffers(proposal, from: starts, until: ends, today: today)
        case .promotional: _ = try product.addPromotionalOffer(id, name: name ?? id, proposal)
        case .code:
            _ = try product.addCodeOffer(
                values["name"], for: ticked(Offer.Eligibility.self), isStackable: values.isTicked("stackable"), proposal
            )
        case .winBack:
            _ = try product.addWinBackOffer(
                WinBackProposal(
                    offerID: id, referenceName: name ?? id, terms: proposal, rules: rules, starts: starts ?? today,
                    ends: ends,
                    listing: OfferListing.WinBack(priority: values.isTicked("highPriority") ? .high : .normal)),
                today: today)
        }
    }

    private func ticked<Value: RawRepresentable<String> & CaseIterable & Hashable>(_ type: Value.Type) -> Set<Value> {
        Set(type.allCases.filter { values.isTicked($0.rawValue) })
    }
}

/// Makes offers.
struct OfferEditingChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/offers/new", .editCatalog) { try await page($0, .new) }
        routes.form("products/:product/offers/new", .editCatalog) { try await create($0) }
    }

    private func page(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let found = try await request.foundProduct()
        let kind =
            CatalogOfferKind(rawValue: state.value("kind", request.query["kind"] ?? "")).flatMap { kind in
                found.product.product.type.renews || kind == .code ? kind : nil
            } ?? .code
        let form = OfferForm(kind: kind, found: found, state: state, language: request.language)
        return Page(
            .phrase(kind.phrase), .products,
            trail: request.productTrail(found)
                + [Link(.phrase(ProductPhrases.offers), request.productPath("offers"))],
            [
                .paragraph(.phrase(kind.definition)),
                .form(
                    state.form(
                        request.productPath("offers/new"), submit: Words.create,
                        same: request.same(
                            // Introductory offers have no names.
                            "offers create \(found.id) \(kind.commandName)" + (kind == .introductory ? "" : " name")
                                + (found.product.product.type.renews ? " --mode free-trial --period P1W" : ""),
                            call: "offers"), form.fields)),
            ])
    }

    private func create(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        let found = try await page.foundProduct()
        return try await request.perform(again: self.page, fields: OfferForm.errorFields) {
            let offer = try NewOffer(request.values, of: found, today: PacificDay(page.now))
            try await request.editProduct { try offer.add(to: &$0) }
            return .redirect(page.productPath("offers"), .phrase(SellerPhrases.saved))
        }
    }
}
