import Perennial
import PerennialConnect

// MARK: - Prices

extension EditChoice {
    mutating func editPrices(_ kind: RandomEdit.Kind) throws {
        let renews = kind == .addPrice || kind == .withdrawPrice
        guard
            let found = try product(where: {
                $0.product.type != .free && (!renews || $0.product.type == .autoRenewable)
            })
        else { return }
        let (id, place) = (found.appleID, storefront())
        switch kind {
        case .price: try draft.changePrice(of: id, order(for: found), now: now)
        case .addPrice:
            let new = NewSubscriptionPrice(
                storefront: place, price: price(place.currency), start: flag() ? nil : day(),
                preservesSubscribers: flag())
            try draft.addPrice(new, to: id, now: now)
        case .replaceSchedule: try draft.replacePriceSchedule(of: id, schedule(), base: Self.storefronts[0], now: now)
        default:
            guard let scheduled = one(found.product.priceSchedule) else { return }
            if kind == .cancelPrice {
                try draft.cancelPrice(of: id, in: scheduled.storefront, at: scheduled.at, now: now)
            } else {
                try draft.withdrawPrice(of: id, in: scheduled.storefront ?? place, at: scheduled.at, now: now)
            }
        }
    }

    private mutating func order(for found: CatalogProduct) -> PriceOrder {
        let place = flag() ? storefront() : nil
        var order = PriceOrder(
            price(place?.currency ?? found.product.basePrice.currency), storefront: place,
            isEqualized: number(4) == 0, needsConsent: [true, false, nil][number(3)], preservesSubscribers: flag())
        if flag() { order.at = day().start }
        return order
    }

    /// Returns a schedule around the first storefront. Some have a gap, and are refused.
    private mutating func schedule() -> [ManualPrice] {
        var prices: [ManualPrice] = []
        let change = today.adding(Int64(1 + number(20)))
        for place in [Self.storefronts[0]] + some().filter({ $0 != Self.storefronts[0] }) {
            var first = ManualPrice(index: prices.count, storefront: place, price: price(place.currency))
            let isChanged = flag()
            if isChanged { first.end = change }
            prices.append(first)
            guard isChanged else { continue }
            let start = number(10) == 0 ? change.next : change
            prices.append(
                ManualPrice(index: prices.count, storefront: place, price: price(place.currency), start: start))
        }
        return prices
    }
}

// MARK: - Offers

extension EditChoice {
    mutating func editOffers(_ kind: RandomEdit.Kind) throws {
        let renews = kind != .oneTimeCode
        guard let found = try product(where: { (kind == .endOffer) || ($0.product.subscription != nil) == renews })
        else {
            return
        }
        let (id, terms) = (found.appleID, proposal(for: found))
        let (name, label, today) = (name("offer"), "\(text()) \(number(1000))", today)
        let (starts, ends) = (flag() ? day() : nil, flag() ? day() : nil)
        let isChosen = flag()
        switch kind {
        case .introductory:
            try draft.update(id) { try $0.addIntroductoryOffers(terms, from: starts, until: ends, today: today) }
        case .promotional: try draft.update(id) { _ = try $0.addPromotionalOffer(name, name: label, terms) }
        case .promotionalPrices:
            let known = one(found.product.subscription?.promotionalOffers ?? [])?.id ?? "none"
            try draft.update(id) { try $0.setPrices(ofPromotionalOffer: known, to: terms.prices) }
        case .code:
            let eligibility = Set(Offer.Eligibility.allCases.filter { _ in flag() })
            try draft.update(id) { _ = try $0.addCodeOffer(label, for: eligibility, isStackable: isChosen, terms) }
        case .oneTimeCode:
            let eligibility = Set(OneTimeOffer.Eligibility.allCases.filter { _ in flag() })
            let prices = some().map { OfferPrice(storefront: $0, price: isChosen ? price($0.currency) : nil) }
            try draft.update(id) { _ = try $0.addCodeOffer(name, for: eligibility, prices: prices) }
        case .winBack:
            let rules = WinBackRules(paidMonths: 1 + number(6), monthsSinceEnd: 1 + number(3))
            let offer = WinBackProposal(
                offerID: name, referenceName: label, terms: terms, rules: rules, starts: starts ?? today, ends: ends,
                listing: OfferListing.WinBack(priority: isChosen ? .high : .normal))
            try draft.update(id) { _ = try $0.addWinBackOffer(offer, today: today) }
        default: try endOffer(of: found)
        }
    }

    private mutating func proposal(for found: CatalogProduct) -> OfferProposal {
        let mode = Offer.PaymentMode.allCases[number(Offer.PaymentMode.allCases.count)]
        let places = some()
        let prices = places.map { OfferPrice(storefront: $0, price: mode == .freeTrial ? nil : price($0.currency)) }
        let period = found.product.subscription?.period ?? .month
        return switch mode {
        case .freeTrial: OfferProposal(paymentMode: mode, period: .week, periodCount: 1, prices: prices)
        case .payAsYouGo: OfferProposal(paymentMode: mode, period: period, periodCount: 1 + number(2), prices: prices)
        case .payUpFront: OfferProposal(paymentMode: mode, period: .month, periodCount: 1, prices: prices)
        }
    }

    private mutating func endOffer(of found: CatalogProduct) throws {
        let subscription = found.product.subscription
        let codes = subscription?.codeOffers.compactMap(\.id) ?? found.product.codeOffers.map(\.id)
        let (code, promotional) = (one(codes), one(subscription?.promotionalOffers ?? [])?.id)
        let (winBack, introductory) = (
            one(subscription?.winBackOffers ?? [])?.id, one(found.listedIntroductoryOffers)
        )
        let (which, end, today) = (number(5), flag() ? day() : nil, today)
        try draft.update(found.appleID) { product in
            switch which {
            case 0: try code.map { try product.setCodeOffer($0, active: false) }
            case 1: try promotional.map { try product.removePromotionalOffer($0) }
            case 2: try winBack.map { try product.removeWinBackOffer($0) }
            case 3: try introductory.map { try product.removeIntroductoryOffer($0.id) }
            default:
                try introductory.map { try product.setEnd(ofIntroductoryOffer: $0.id, to: end, today: today) }
            }
        }
    }
}
