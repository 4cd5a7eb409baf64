import Perennial
import PerennialConnect
import PerennialHTTP

/// The promoted purchases of an app, in their order on the App Store.
struct PromotionChapter: ConsoleChapter {
    /// The most products in the field of a new promotion.
    private static let choices = 500

    func add(to routes: ConsoleRoutes) {
        routes.page("promoted", .view) { try await page($0, .new) }
        routes.form("promoted", .editCatalog) { try await promote($0) }
        routes.form("promoted/order", .editCatalog) { try await order($0) }
        routes.form("promoted/withdraw", .editCatalog) { try await withdraw($0) }
    }

    private func page(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let bundleID = try request.bundleID()
        let (promoted, others) = try await request.services.catalog.read { reader in
            let app = try reader.found(bundleID).appleID
            let numbers = try reader.promotedProducts(app: app)
            let known = Set(numbers)
            let ids = try reader.productIDs(app: app, renewing: nil).filter { !known.contains($0) }
            return (try reader.products(numbers), try reader.products(ids.prefix(Self.choices)))
        }
        let rows = promoted.map { row($0, request) }
        var blocks: [Block] = [
            .paragraph(.phrase(OfferPhrases.promotedMeaning, .number(CatalogDraft.maximumPromotedPurchases))),
            .table(
                Table(
                    caption: .phrase(OfferPhrases.promoted),
                    columns: [
                        Table.Column(.phrase(Words.product), .leading, .primary),
                        Table.Column(.phrase(Words.status), .leading, .primary),
                        Table.Column(.phrase(OfferPhrases.visible)),
                    ], rows: rows, empty: EmptyState(text: .phrase(OfferPhrases.noPromoted)))),
        ]
        if request.canEdit {
            if promoted.count > 1 {
                blocks.append(
                    .order(
                        OrderedList(
                            label: .phrase(OfferPhrases.promoted), path: request.path("promoted/order"),
                            items: promoted.map {
                                OrderedList.Item(id: "\($0.appleID)", text: .data($0.product.referenceName))
                            }, fields: ["known": Self.text(promoted.map(\.appleID))])))
                let ids = promoted.map(\.id.rawValue)
                blocks.append(
                    .same(
                        request.sameInCatalog(
                            "promoted order \(ids.joined(separator: " "))", "PUT", call: "promoted",
                            body: #"{"productIds":["\#(ids.joined(separator: #"",""#))"]}"#)))
            }
            if !others.isEmpty { blocks.append(.form(form(others, state, request))) }
        }
        return Page(
            .phrase(OfferPhrases.promoted), .products,
            trail: [Link(.phrase(Words.products), request.path("products"))], blocks)
    }

    private func row(_ found: CatalogProduct, _ request: PageRequest) -> Table.Row {
        let promotion = found.listing.promotion
        let isVisible = promotion?.isVisibleForAllUsers == true
        return Table.Row(
            [
                Cell(.data(found.product.referenceName), path: request.productPath(found.id)),
                Cell(.phrase(found.listingState.phrase), status: found.listingState.status),
                Cell(.phrase(isVisible ? Words.yes : Words.no)),
            ],
            actions: request.canEdit
                ? [
                    .post(
                        .phrase(SellerPhrases.remove), path: request.path("promoted/withdraw"),
                        fields: ["promotion": promotion?.id ?? ""], isDangerous: true,
                        same: request.sameInCatalog(
                            "promoted remove \(found.id)", "DELETE",
                            call: "promoted/\(ConsolePath.encoded(found.id.rawValue))"))
                ] : [])
    }

    private func form(_ products: [CatalogProduct], _ state: FormState, _ request: PageRequest) -> Form {
        state.form(
            request.path("promoted"), submit: OfferPhrases.promote,
            same: request.sameInCatalog(
                "promoted add \(products[0].id)", call: "promoted",
                body: JSONText.object(["productId": products[0].id.rawValue])),
            [
                state.field(
                    "product", Words.product,
                    .choice(
                        products.map { Field.Option("\($0.appleID)", .data("\($0.product.referenceName) (\($0.id))")) })
                ),
                state.box("visible", OfferPhrases.visible, true),
            ])
    }

    /// Returns the order of products as a form sends it.
    private static func text(_ products: [Int64]) -> String { products.map(String.init).joined(separator: ",") }

    // MARK: - Actions

    private func promote(_ request: FormRequest) async throws -> FormAnswer {
        let (page, values) = (request.page, request.values)
        let bundleID = try page.bundleID()
        return try await request.perform(again: self.page) {
            guard let number = try values.integer("product") else { throw Refusal("product", RefusalPhrases.choice) }
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                _ = try draft.promote(
                    number, app: try draft.found(bundleID).appleID, isVisible: values.isTicked("visible"),
                    isEnabled: true)
            }
            return .redirect(page.path("promoted"), .phrase(SellerPhrases.saved))
        }
    }

    private func order(_ request: FormRequest) async throws -> FormAnswer {
        let page = request.page
        let bundleID = try page.bundleID()
        let numbers = request.values["order"].split(separator: ",").compactMap { Int64($0) }
        let known = request.values.optional("known")
        return try await request.perform(again: self.page, conflict: RefusalPhrases.changedBeforeAction) {
            try await page.services.catalog.edit(by: page.catalogActor) { draft in
                let app = try draft.found(bundleID).appleID
                if let known, known != Self.text(try draft.promotedProducts(app: app)) {
                    throw Refusal.conflict
                }
                try draft.reorderPromotions(numbers, app: app)
            }
            return .redirect(page.path("promoted"), .phrase(SellerPhrases.saved))
        }
    }

    private func withdraw(_ request: FormRequest) async throws -> FormAnswer {
        let (page, id) = (request.page, request.values["promotion"])
        try await page.services.catalog.edit(by: page.catalogActor) { try $0.withdrawPromotion(id) }
        return .redirect(page.path("promoted"), .phrase(SellerPhrases.removed))
    }
}
