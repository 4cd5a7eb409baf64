import Perennial
import PerennialConnect

/// Fixed properties of an offer, and the fields that can be changed, by kind.
struct OfferChangeForm: Sendable {
    let offer: ListedOffer
    let found: FoundProduct
    let state: FormState
    /// The day by the environment's clock.
    let today: PacificDay
    let language: Language

    /// True for a win-back offer that hasn't started: all of it can still be changed.
    static func isWaiting(_ offer: ListedOffer, on today: PacificDay) -> Bool {
        offer.starts.map { $0 > today } ?? false
    }

    /// Properties that stay as they are.
    var facts: [Fact] {
        var facts = [Fact(.phrase(Words.type), Cell(.phrase(offer.kind.phrase)))]
        if let id = offer.id { facts.append(Fact(.phrase(OfferPhrases.offerID), .id(id))) }
        if let mode = offer.terms?.mode { facts.append(Fact(.phrase(OfferPhrases.mode), Cell(.phrase(mode.phrase)))) }
        if let duration = offer.duration { facts.append(Fact(.phrase(OfferPhrases.duration), Cell(duration))) }
        facts.append(
            Fact(.phrase(Words.price), Cell(offer.price.map { .money($0) } ?? .phrase(OfferPhrases.free))))
        facts.append(Fact(.phrase(OfferPhrases.storefronts), Cell(offer.storefrontNames(language))))
        if let days = offer.days { facts.append(Fact(.phrase(OfferPhrases.days), Cell(days))) }
        facts.append(
            Fact(
                .phrase(Words.status),
                Cell(
                    .phrase(offer.isActive ? OfferPhrases.active : OfferPhrases.ended),
                    status: offer.isActive ? .good : .neutral)))
        return facts
    }

    /// The limits of a change.
    var note: Phrase? {
        switch offer.kind {
        case .introductory: OfferPhrases.onlyEnd
        case .promotional: isFree ? OfferPhrases.nothingToChange : OfferPhrases.onlyPrices
        case .code: OfferPhrases.nothingToChange
        case .winBack: Self.isWaiting(offer, on: today) ? nil : OfferPhrases.onlyPriority
        }
    }

    var fields: [Field] {
        switch offer.kind {
        case .introductory: [ends]
        case .promotional: isFree ? [] : [price]
        case .code: []
        case .winBack: Self.isWaiting(offer, on: today) ? [starts, ends] + rules + [priority] : [priority]
        }
    }

    /// The options of the command that does the same.
    var sampleOptions: String {
        switch offer.kind {
        case .introductory: "--ends 2094-01-31"
        case .promotional: "--price 1.99"
        case .code: "--end-codes"
        case .winBack: "--high-priority"
        }
    }

    private var isFree: Bool { offer.terms?.mode == .freeTrial }
    private var currency: Currency { found.app.defaultStorefront.currency ?? .usd }

    private var price: Field {
        // One of another currency isn't that of the field.
        let known = offer.price.flatMap { $0.currency == currency ? $0.decimal : nil } ?? ""
        return state.field(
            "price", Words.price, .text, known,
            hint: .phrase(
                ProductPhrases.priceHint, .data(currency.rawValue), .storefront(found.app.defaultStorefront, language)),
            isRequired: true)
    }

    private var starts: Field {
        state.field("startDate", OfferPhrases.starts, .date, offer.starts?.description ?? "", isRequired: true)
    }

    private var ends: Field {
        state.field(
            "endDate", OfferPhrases.ends, .date, offer.ends?.description ?? "", hint: .phrase(OfferPhrases.endsHint))
    }

    private var priority: Field {
        let isHigh = found.product.listing.offers.winBack[offer.id ?? ""]?.priority == .high
        return state.box("highPriority", OfferPhrases.highPriority, isHigh)
    }

    private var rules: [Field] {
        let known = found.product.product.subscription?.winBackOffers.first { $0.id == offer.id }?.winBackRules
        return OfferForm.rules(known ?? WinBackRules(), state)
    }
}
