import Perennial

/// The storefronts in which a product is sold.
struct AvailabilityChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/availability", .view) { try await page($0, .new) }
        routes.form("products/:product/availability", .editCatalog) { try await save($0) }
        routes.form("products/:product/availability/all", .editCatalog) { try await all($0) }
    }

    /// Such as *All storefronts*.
    static func summary(_ product: Product) -> Text {
        guard product.isClearedForSale else { return .phrase(ProductPhrases.notOnSale) }
        guard let availability = product.availability else { return .phrase(ProductPhrases.everywhere) }
        let count = availability.storefronts.count
        return count == 0
            ? .phrase(ProductPhrases.notOnSale) : .phrase(ProductPhrases.storefrontCount, .number(count))
    }

    private static func field(_ storefront: Storefront) -> String { "storefront-\(storefront.rawValue)" }

    private func page(_ request: PageRequest, _ state: FormState) async throws -> Page {
        let found = try await request.foundProduct()
        let product = found.product.product
        let sold = Set(found.product.storefronts)
        let path = request.productPath("availability/all")
        let (everywhere, nowhere) = ("true", "")
        var blocks: [Block] = [
            .facts([Fact(.phrase(ProductPhrases.availability), Cell(Self.summary(product)))])
        ]
        if request.canEdit {
            blocks.append(
                .actions([
                    .post(
                        .phrase(AvailabilityPhrases.sellEverywhere), path: path,
                        fields: found.product.fields(["sold": everywhere]),
                        same: request.same("products edit \(found.id) --cleared-for-sale")),
                    .post(
                        .phrase(AvailabilityPhrases.removeFromSale), path: path,
                        fields: found.product.fields(["sold": nowhere]),
                        isDangerous: true, same: request.same("products edit \(found.id) --no-storefronts")),
                ]))
        }
        let boxes = LocalizedNames.sortedStorefronts(in: request.language).map { storefront in
            var box = state.box(Self.field(storefront), AvailabilityPhrases.storefront, sold.contains(storefront))
            box.label = .storefront(storefront, request.language)
            return box
        }
        let new = state.box(
            "includesNew", AvailabilityPhrases.includesNew, product.availability.includesNew)
        blocks.append(
            request.canEdit
                ? .form(
                    state.form(
                        request.productPath("availability"), submit: Words.save,
                        same: request.same("products edit \(found.id) --storefront USA --storefront DEU"),
                        [found.product.revisionField, new] + boxes))
                : .paragraph(.list(found.product.storefronts.map { .storefront($0, request.language) })))
        return Page(
            .phrase(ProductPhrases.availability), .products, trail: request.productTrail(found), blocks)
    }

    private func save(_ request: FormRequest) async throws -> FormAnswer {
        let values = request.values
        return try await request.perform(again: page) {
            let storefronts = Storefront.all.map(\.storefront).filter { values.isTicked(Self.field($0)) }
            try await request.editProduct {
                try $0.setAvailability(storefronts, includesNew: values.isTicked("includesNew"))
            }
            return .redirect(request.page.productPath("availability"), .phrase(SellerPhrases.saved))
        }
    }

    private func all(_ request: FormRequest) async throws -> FormAnswer {
        let isSold = !request.values["sold"].isEmpty
        return try await request.perform(on: { try await page($0, .new) }) {
            try await request.editProduct { product in
                try product.setAvailability(isSold ? Storefront.all.map(\.storefront) : [], includesNew: isSold)
            }
            return .redirect(request.page.productPath("availability"), .phrase(SellerPhrases.saved))
        }
    }
}

/// Texts about availability.
private enum AvailabilityPhrases {
    static let sellEverywhere = Phrase(
        "Sell in all storefronts", fr: "Vendre dans toutes les boutiques", pt: "Vender em todas as lojas",
        zh: "在所有店面販售",
        de: "In allen Stores verkaufen")
    static let removeFromSale = Phrase(
        "Remove from sale", fr: "Retirer de la vente", pt: "Remover da venda", zh: "移除販售", de: "Aus dem Verkauf nehmen")
    static let includesNew = Phrase(
        "Sell in storefronts that the App Store adds later",
        fr: "Vendre dans les boutiques que l’App Store ajoutera",
        pt: "Vender em lojas que a App Store adicionar depois",
        zh: "在 App Store 日後新增的店面販售", de: "In Stores verkaufen, die der App Store später hinzufügt")
    static let storefront = Words.storefront
}
