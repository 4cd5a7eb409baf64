import Perennial
import PerennialConnect

/// A product's offers.
struct OfferChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/offers", .view) { try await page($0) }
        routes.form("products/:product/offers/delete", .editCatalog) { try await delete($0) }
    }

    private func page(_ request: PageRequest) async throws -> Page {
        let found = try await request.foundProduct()
        let offers = ListedOffer.all(of: found.product, in: found.app.defaultStorefront)
        return Page(
            .phrase(ProductPhrases.offers), .products, trail: request.productTrail(found),
            [
                .table(table(offers, found, request)),
                .same(request.same("offers list \(found.id)", "GET", call: "offers")),
            ] + (request.canEdit ? new(found.product.product, request) : []))
    }

    private func new(_ product: Product, _ request: PageRequest) -> [Block] {
        let kinds: [CatalogOfferKind] =
            switch product.type {
            case .autoRenewable: CatalogOfferKind.allCases
            case .consumable, .nonConsumable, .nonRenewing: [.code]
            case .free: []
            }
        guard !kinds.isEmpty else { return [.paragraph(.phrase(OfferPhrases.noneForType))] }
        return [
            .section(
                .phrase(OfferPhrases.newOffer), id: "new",
                [
                    .facts(
                        kinds.map { kind in
                            Fact(
                                .phrase(kind.definition),
                                Cell(
                                    .phrase(kind.phrase),
                                    path: request.productPath("offers/new", ["kind": kind.rawValue])))
                        })
                ])
        ]
    }

    private func table(_ offers: [ListedOffer], _ found: FoundProduct, _ request: PageRequest) -> Table {
        Table(
            caption: .phrase(ProductPhrases.offers),
            columns: [
                Table.Column(.phrase(Words.type), .leading, .primary),
                Table.Column(.phrase(Words.name), .leading, .primary),
                Table.Column(.phrase(OfferPhrases.mode)), Table.Column(.phrase(OfferPhrases.duration)),
                Table.Column(.phrase(Words.price), .trailing), Table.Column(.phrase(OfferPhrases.storefronts)),
                Table.Column(.phrase(OfferPhrases.days), .leading, .wideOnly), Table.Column(.phrase(Words.status)),
            ], rows: offers.map { row($0, found, request) },
            empty: EmptyState(text: .phrase(OfferPhrases.noOffers)))
    }

    private func row(_ offer: ListedOffer, _ found: FoundProduct, _ request: PageRequest) -> Table.Row {
        let codes = offer.kind == .code ? request.productPath("codes", ["offer": offer.id ?? ""]) : nil
        let edit = request.canEdit ? request.productPath("offers/edit", OfferReference(offer).query) : nil
        return Table.Row(
            [
                Cell(.phrase(offer.kind.phrase), path: edit),
                Cell(.data(offer.name.isEmpty ? offer.id ?? "" : offer.name), path: codes),
                Cell(offer.terms.map { .phrase($0.mode.phrase) } ?? .none), Cell(offer.duration ?? .none),
                Cell(offer.price.map { .money($0) } ?? .phrase(OfferPhrases.free)),
                Cell(offer.storefrontNames(request.language)), Cell(offer.days ?? .none),
                Cell(
                    .phrase(offer.isActive ? OfferPhrases.active : OfferPhrases.ended),
                    status: offer.isActive ? .good : .neutral),
            ], actions: request.canEdit && offer.isActive ? [Self.removal(of: offer, found, request)] : [])
    }

    /// Returns the action that deletes an offer, or ends one for codes.
    static func removal(of offer: ListedOffer, _ found: FoundProduct, _ request: PageRequest) -> Action {
        let places = offer.storefronts.map { $0.map(\.rawValue).sorted().joined(separator: ",") } ?? ""
        let name = offer.id ?? (offer.storefronts?.count == 1 ? places : "all")
        return .post(
            .phrase(offer.kind == .code ? OfferPhrases.end : Words.delete), path: request.productPath("offers/delete"),
            fields: found.product.fields([
                "kind": offer.kind.rawValue, "offer": offer.id ?? "", "storefronts": places,
                "starts": offer.starts?.description ?? "",
            ]), isDangerous: true,
            same: request.same(
                "offers delete \(found.id) \(offer.kind.commandName) \(shellQuoted(name))", "DELETE",
                call: "offers/\(offer.kind.rawValue)/\(ConsolePath.encoded(name))"))
    }

    private func delete(_ request: FormRequest) async throws -> FormAnswer {
        let (values, offer) = (request.values, request.values["offer"])
        let kind = try values.chosen("kind", CatalogOfferKind.self)
        let starts = try values.day("starts")
        let places = Set(values["storefronts"].split(separator: ",").map { Storefront(rawValue: String($0)) })
        return try await request.perform(on: page) {
            try await request.editProduct { product in
                switch kind {
                case .promotional: try product.removePromotionalOffer(offer)
                case .winBack: try product.removeWinBackOffer(offer)
                case .code: try product.setCodeOffer(offer, active: false)
                case .introductory:
                    try product.removeIntroductoryOffers {
                        $0.starts == starts && ($0.storefront.map(places.contains) ?? places.isEmpty)
                    }
                }
            }
            return .redirect(request.page.productPath("offers"), .phrase(SellerPhrases.removed))
        }
    }
}
