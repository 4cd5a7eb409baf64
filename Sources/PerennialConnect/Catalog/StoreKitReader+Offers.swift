import AppStoreFormats
import Perennial

extension StoreKitReader {
    enum OfferKind: String {
        case introductory, promotional, code
        case winBack = "win-back"
    }

    /// Returns the introductory offer: from the plural form of version 5.0 if it has one, otherwise from the singular
    /// form.
    mutating func introductoryOffer(of product: StoreKitFile.Subscription, path: String) -> Offer? {
        let plural = product.introductoryOffers
        guard !plural.isEmpty else {
            return product.introductoryOffer.flatMap { offer($0, .introductory, path: "\(path).introductoryOffer") }
        }
        if let singular = product.introductoryOffer, !plural.contains(where: { Self.isSame($0, singular) }) {
            warn(
                .offersDiffer, "\(path).introductoryOffer",
                "is another offer than introductoryOffers say: introductoryOffers apply")
        }
        var applied: Offer?
        for (index, candidate) in plural.enumerated() {
            let place = "\(path).introductoryOffers[\(index)]"
            guard let offer = offer(candidate, .introductory, path: place) else { continue }
            if applied == nil {
                applied = offer
            } else {
                warn(.offerNotApplied, place, "a second introductory offer: kept in the file, not applied")
            }
        }
        return applied
    }

    /// Returns true if both forms are the same offer. The singular form often lacks the billing plan.
    private static func isSame(_ one: StoreKitFile.Offer, _ other: StoreKitFile.Offer) -> Bool {
        one.paymentMode == other.paymentMode && one.subscriptionPeriod == other.subscriptionPeriod
            && (one.numberOfPeriods ?? 1) == (other.numberOfPeriods ?? 1) && one.displayPrice == other.displayPrice
    }

    mutating func offers(_ offers: [StoreKitFile.Offer], _ kind: OfferKind, path: String) -> [Offer] {
        offers.enumerated().compactMap { index, candidate in offer(candidate, kind, path: "\(path)[\(index)]") }
    }

    private mutating func offer(_ offer: StoreKitFile.Offer, _ kind: OfferKind, path: String) -> Offer? {
        func refuse(_ reason: String) -> Offer? {
            warn(.offerNotApplied, path, "\(kind.rawValue) offer with \(reason): kept in the file, not applied")
            return nil
        }
        guard offer.billingPlanType ?? "BILLED_UPFRONT" == "BILLED_UPFRONT" else {
            return refuse("the billing plan '\(offer.billingPlanType ?? "")'")
        }
        guard let mode = Self.paymentMode(offer.paymentMode) else {
            return refuse(offer.paymentMode.map { "the unknown payment mode '\($0.prefix(40))'" } ?? "no payment mode")
        }
        guard let period = offer.subscriptionPeriod.flatMap({ Period(iso8601: $0) }) else { return refuse("no period") }
        let count = offer.numberOfPeriods ?? 1
        guard (1...ProductValidation.maximumOfferPeriodCount).contains(count) else { return refuse("\(count) periods") }
        guard let price = price(of: offer, mode) else { return refuse("no price") }
        let id: String? =
            switch kind {
            case .introductory: nil
            case .code: offer.referenceName ?? offer.internalID
            case .promotional, .winBack: offer.offerID ?? offer.referenceName ?? offer.internalID
            }
        guard kind == .introductory || id?.isEmpty == false else { return refuse("no ID") }
        var rules: WinBackRules?
        if kind == .winBack, appliesWinBackEligibility {
            rules = offer.isEligible == false ? .neverMet : .allFormerSubscribers
        } else if offer.isEligible == false {
            warn(.offerNotApplied, "\(path).isEligible", "the store itself decides who is eligible: kept, not applied")
        }
        return Offer(
            id: id, referenceName: offer.referenceName ?? id ?? "", paymentMode: mode, period: period,
            periodCount: count,
            basePrice: price, eligibility: eligibility(of: offer, path: path), isStackable: offer.isStackable ?? false,
            winBackRules: rules)
    }

    private static func paymentMode(_ text: String?) -> Offer.PaymentMode? {
        switch text {
        case "free", "freeTrial": .freeTrial
        case "payAsYouGo": .payAsYouGo
        case "payUpFront": .payUpFront
        default: nil
        }
    }

    /// Returns the offer's price; `nil` if a paid offer has none.
    private func price(of offer: StoreKitFile.Offer, _ mode: Offer.PaymentMode) -> Money? {
        mode == .freeTrial ? .zero(currency) : offer.displayPrice.flatMap { Money(decimal: $0, currency) }
    }

    private mutating func eligibility(of offer: StoreKitFile.Offer, path: String) -> Set<Offer.Eligibility> {
        var eligibility: Set<Offer.Eligibility> = []
        for (index, word) in offer.eligibility.enumerated() {
            if let known = Offer.Eligibility(rawValue: word) {
                eligibility.insert(known)
            } else {
                warn(
                    .offerNotApplied, "\(path).eligibility[\(index)]",
                    "the unknown eligibility '\(word.prefix(40))': kept in the file, not applied")
            }
        }
        return eligibility
    }

    /// Warns about billing plans. The plan that is billed upfront is the subscription itself; plans with a commitment
    /// are not sold.
    mutating func readBillingPlans(of product: StoreKitFile.Subscription, path: String) {
        for (index, plan) in product.billingPlans.enumerated() where plan.isEnabled != false {
            let place = "\(path).billingPlans[\(index)]"
            let type = plan.billingPlanType ?? ""
            guard type == "BILLED_UPFRONT" else {
                warn(
                    .billingPlanNotApplied, place,
                    "this store sells no plans with a commitment ('\(type)'): kept in the file, not applied")
                continue
            }
            guard let planned = plan.displayPrice, let displayed = product.displayPrice, planned != displayed else {
                continue
            }
            warn(
                .billingPlanNotApplied, "\(place).displayPrice",
                "is \(planned), while the subscription costs \(displayed): the subscription's price applies")
        }
    }
}
