import Perennial

/// An offer of a product, as the page lists it. Introductory offers that differ in storefronts only are one.
struct ListedOffer: Sendable {
    var kind: CatalogOfferKind
    /// `nil` for introductory offers.
    var id: String?
    var name: String
    /// `nil` for the offer of a product that doesn't renew.
    var terms: (mode: Offer.PaymentMode, period: Period, count: Int)?
    /// The price in the storefront that is shown, or the first one of the offer; `nil` for a free trial.
    var price: Money?
    /// `nil` for all storefronts.
    var storefronts: Set<Storefront>?
    var starts: PacificDay?
    /// The day on which it has ended.
    var ends: PacificDay?
    var isActive: Bool

    private init(_ kind: CatalogOfferKind, _ name: String, id: String?, _ availability: OfferAvailability?) {
        (self.kind, self.name, self.id) = (kind, name, id)
        storefronts = availability?.storefronts
        starts = availability?.starts.map { PacificDay($0) }
        ends = availability?.ends.map { PacificDay($0) }
        isActive = availability?.isActive ?? true
    }

    private init(_ offer: Offer, _ kind: CatalogOfferKind, in storefront: Storefront) {
        self.init(kind, offer.referenceName, id: offer.id, offer.availability)
        terms = (offer.paymentMode, offer.period, offer.periodCount)
        price = offer.paymentMode == .freeTrial ? nil : offer.price(in: place(for: storefront))
    }

    private init(_ offer: OneTimeOffer, in storefront: Storefront) {
        self.init(.code, offer.referenceName, id: offer.id, offer.availability)
        let price = offer.price(in: place(for: storefront))
        self.price = price?.milliunits == 0 ? nil : price
    }

    /// Returns a storefront of the offer.
    private func place(for storefront: Storefront) -> Storefront {
        guard let storefronts, !storefronts.contains(storefront) else { return storefront }
        return storefronts.min { $0.rawValue < $1.rawValue } ?? storefront
    }

    /// Returns all offers of a product.
    ///
    /// - Parameter storefront: The one whose prices are shown.
    static func all(of found: CatalogProduct, in storefront: Storefront) -> [ListedOffer] {
        guard let subscription = found.product.subscription else {
            return found.product.codeOffers.map { ListedOffer($0, in: storefront) }
        }
        let named = [
            (subscription.promotionalOffers, CatalogOfferKind.promotional), (subscription.codeOffers, .code),
            (subscription.winBackOffers, .winBack),
        ]
        return introductory(of: found, in: storefront)
            + named.flatMap { offers, kind in offers.map { ListedOffer($0, kind, in: storefront) } }
    }

    private static func introductory(of found: CatalogProduct, in storefront: Storefront) -> [ListedOffer] {
        found.introductoryOfferGroups.compactMap { group in
            guard let first = group.first else { return nil }
            var offer = ListedOffer(first.offer, .introductory, in: storefront)
            let places = group.map(\.storefront)
            offer.storefronts = places.contains(nil) ? nil : Set(places.compactMap { $0 })
            offer.price = (group.first { $0.storefront == storefront } ?? first).price
            return offer
        }
    }
}

// MARK: - Texts

extension ListedOffer {
    /// A text such as *3 × 1 month*; `nil` for an offer without terms.
    var duration: Text? {
        terms.map { terms in
            terms.count == 1 ? terms.period.text : .joined([.number(terms.count), .data(" × "), terms.period.text])
        }
    }

    /// The first day and the end; `nil` for an offer without both.
    var days: Text? {
        let days = [
            starts.map { Text.phrase(OfferPhrases.from, .data($0.description)) },
            ends.map { Text.phrase(OfferPhrases.until, .data($0.description)) },
        ].compactMap { $0 }
        return days.isEmpty ? nil : .list(days)
    }

    /// The storefronts by name; the number of them, if there are more than three.
    func storefrontNames(_ language: Language) -> Text {
        switch storefronts {
        case nil: .phrase(ProductPhrases.everywhere)
        case let places? where places.count <= 3:
            .list(places.sorted { $0.rawValue < $1.rawValue }.map { .storefront($0, language) })
        case let places?: .phrase(ProductPhrases.storefrontCount, .number(places.count))
        }
    }
}

extension CatalogOfferKind {
    var phrase: Phrase {
        switch self {
        case .introductory:
            Phrase(
                "Introductory Offer", fr: "Offre de lancement", pt: "Oferta introdutória", zh: "推介優惠",
                de: "Einführungsangebot")
        case .promotional:
            Phrase(
                "Promotional Offer", fr: "Offre promotionnelle", pt: "Oferta promocional", zh: "促銷優惠",
                de: "Promotion-Angebot")
        case .code:
            Phrase("Offer Code", fr: "Code d’offre", pt: "Código de oferta", zh: "優惠代碼", de: "Angebotscode")
        case .winBack:
            Phrase(
                "Win-Back Offer", fr: "Offre de reconquête", pt: "Oferta de reconquista", zh: "贏回優惠",
                de: "Win-back-Angebot")
        }
    }

    var definition: Phrase {
        switch self {
        case .introductory:
            Phrase(
                "For new subscribers of the group.", fr: "Pour les nouveaux abonnés du groupe.",
                pt: "Para novos assinantes do grupo.", zh: "提供給群組的新訂閱者。", de: "Für neue Abonnenten der Gruppe.")
        case .promotional:
            Phrase(
                "For current and former subscribers; your server signs it.",
                fr: "Pour les abonnés actuels et anciens\u{202F}; votre serveur la signe.",
                pt: "Para assinantes atuais e antigos; seu servidor a assina.", zh: "提供給現有與過去的訂閱者，由你的伺服器簽署。",
                de: "Für jetzige und frühere Abonnenten; Ihr Server signiert es.")
        case .code:
            Phrase(
                "Redeemed with a one-time or a custom code.", fr: "Utilisée avec un code unique ou personnalisé.",
                pt: "Resgatada com um código único ou personalizado.", zh: "以一次性或自訂代碼兌換。",
                de: "Wird mit einem Einmal- oder eigenen Code eingelöst.")
        case .winBack:
            Phrase(
                "For customers whose subscription has ended.", fr: "Pour les clients dont l’abonnement a pris fin.",
                pt: "Para clientes cuja assinatura terminou.", zh: "提供給訂閱已結束的顧客。",
                de: "Für Kunden, deren Abo geendet hat.")
        }
    }

    /// The name at the command line.
    var commandName: String { self == .winBack ? "win-back" : rawValue }
}

extension Offer.PaymentMode {
    var phrase: Phrase {
        switch self {
        case .freeTrial: Phrase("Free", fr: "Gratuit", pt: "Grátis", zh: "免費", de: "Kostenlos")
        case .payAsYouGo:
            Phrase(
                "Pay as You Go", fr: "Paiement à l’utilisation", pt: "Pague conforme o uso", zh: "隨用隨付",
                de: "Laufende Zahlung")
        case .payUpFront:
            Phrase("Pay Up Front", fr: "Paiement à l’avance", pt: "Pagamento adiantado", zh: "預付", de: "Vorauszahlung")
        }
    }
}

extension AppliedOffer.PaymentMode {
    var phrase: Phrase {
        switch self {
        case .freeTrial: Offer.PaymentMode.freeTrial.phrase
        case .payAsYouGo: Offer.PaymentMode.payAsYouGo.phrase
        case .payUpFront: Offer.PaymentMode.payUpFront.phrase
        case .oneTime:
            Phrase("One-Time Price", fr: "Prix unique", pt: "Preço único", zh: "單次價格", de: "Einmaliger Preis")
        }
    }
}
