import Perennial
import PerennialStore

/// The storefronts in which a product is sold.
struct AvailabilityChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("products/:product/availability", .view) { try await page($0, .new) }
        routes.form("products/:product/availability", .editCatalog) { try await save($0) }
        routes.page("products/:product/availability/removal", .editCatalog) { try await confirm($0) }
        routes.form("products/:product/availability/all", .editCatalog) { try await all($0) }
    }

    /// Returns a text such as *All storefronts*.
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
        let everywhere = "true"
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
                    .link(
                        Link(
                            .phrase(AvailabilityPhrases.removeFromSale), request.productPath("availability/removal"))),
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

    /// Asks before a product is removed from sale, with the number of subscriptions that this ends.
    private func confirm(_ request: PageRequest) async throws -> Page {
        let found = try await request.foundProduct()
        let product = found.product.product
        let isSubscription = product.type == .autoRenewable && product.isPriced
        let ending =
            isSubscription
            ? try await request.services.registry.subscriptions(renewing: found.id, of: found.app.appleID) : nil
        let form = Form(
            request.productPath("availability/all"), submit: .phrase(AvailabilityPhrases.removeFromSale),
            warning: ending.map(Self.warning),
            isDangerous: true, same: request.same("products edit \(found.id) --no-storefronts"),
            [found.product.revisionField, .hidden("sold", "")])
        let trail =
            request.productTrail(found)
            + [Link(.phrase(ProductPhrases.availability), request.productPath("availability"))]
        return Page(
            .phrase(AvailabilityPhrases.removeFromSale), .products, trail: trail,
            [.paragraph(.phrase(AvailabilityPhrases.noPurchases)), .form(form)])
    }

    /// The most environments that a question names.
    private static let maximumNamed = 8

    private static func warning(_ ending: RenewingSubscriptions) -> Text {
        var places = ending.environments.prefix(maximumNamed).map { one in
            Text.joined([.data(one.name), .data(" "), .number(one.count)])
        }
        if places.isEmpty {
            return .phrase(ending.isComplete ? AvailabilityPhrases.noneEnds : AvailabilityPhrases.someEnd)
        }
        if ending.environments.count > maximumNamed { places.append(.data("…")) }
        let phrase = ending.isComplete ? AvailabilityPhrases.subscriptionsEnd : AvailabilityPhrases.manyEnd
        return .phrase(phrase, .number(ending.count), .list(places))
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
    static let noPurchases = Phrase(
        "Customers can’t buy the product any more, in any environment. What they have bought stays theirs.",
        fr: "Les clients ne peuvent plus acheter le produit, dans aucun environnement. Ils gardent leurs achats.",
        pt: "Os clientes não podem mais comprar o produto, em nenhum ambiente. O que já compraram continua deles.",
        zh: "顧客在任何環境中都無法再購買此產品。已購買的項目仍屬於顧客。",
        de: "Kunden können das Produkt nicht mehr kaufen, in keiner Umgebung. Was sie gekauft haben, behalten sie.")
    static let subscriptionsEnd = Phrase(
        "%1 active subscriptions aren’t renewed and end with their period: %2.",
        fr: "%1 abonnements actifs ne seront pas renouvelés et prendront fin avec leur période : %2.",
        pt: "%1 assinaturas ativas não serão renovadas e terminarão com o período: %2.",
        zh: "%1 個有效訂閱將不再續訂，並於目前週期結束時終止：%2。",
        de: "%1 aktive Abos werden nicht verlängert und enden mit ihrem Zeitraum: %2.")
    static let manyEnd = Phrase(
        "At least %1 active subscriptions aren’t renewed and end with their period: %2.",
        fr: "Au moins %1 abonnements actifs ne seront pas renouvelés et prendront fin avec leur période : %2.",
        pt: "Pelo menos %1 assinaturas ativas não serão renovadas e terminarão com o período: %2.",
        zh: "至少 %1 個有效訂閱將不再續訂，並於目前週期結束時終止：%2。",
        de: "Mindestens %1 aktive Abos werden nicht verlängert und enden mit ihrem Zeitraum: %2.")
    static let someEnd = Phrase(
        "Active subscriptions that renew with this product end with their period. The app has too many to count them here.",
        fr:
            "Les abonnements actifs qui se renouvellent avec ce produit prendront fin avec leur période. L’app en a trop pour les compter ici.",
        pt:
            "As assinaturas ativas que se renovam com este produto terminarão com o período. O app tem assinaturas demais para contá-las aqui.",
        zh: "以此產品續訂的有效訂閱將於目前週期結束時終止。此 App 的訂閱過多，無法在此計算。",
        de:
            "Aktive Abos, die sich mit diesem Produkt verlängern, enden mit ihrem Zeitraum. Die App hat zu viele, um sie hier zu zählen."
    )
    static let noneEnds = Phrase(
        "No active subscription renews with this product, in any environment.",
        fr: "Aucun abonnement actif ne se renouvelle avec ce produit, dans aucun environnement.",
        pt: "Nenhuma assinatura ativa é renovada com este produto, em nenhum ambiente.",
        zh: "任何環境中都沒有以此產品續訂的有效訂閱。",
        de: "Kein aktives Abo verlängert sich mit diesem Produkt, in keiner Umgebung.")
    static let includesNew = Phrase(
        "Sell in storefronts that the App Store adds later",
        fr: "Vendre dans les boutiques que l’App Store ajoutera",
        pt: "Vender em lojas que a App Store adicionar depois",
        zh: "在 App Store 日後新增的店面販售", de: "In Stores verkaufen, die der App Store später hinzufügt")
    static let storefront = Words.storefront
}
