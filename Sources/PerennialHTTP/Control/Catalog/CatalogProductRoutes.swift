import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStore

/// control/v1/apps/BUNDLE_ID/catalog/products: products of all five types as their seller keeps them, the same in every
/// environment.
struct CatalogProductRoutes {
    private struct NewBody: RequestModel {
        var productId: String
        var type: String
        var name: String
        var reviewNote: String?
        var taxCategory: String?
        var familyShareable: Bool?
        var group: String?
        var level: Int64?
        var period: String?
        var localizations: [CatalogFields.Text]?
        var storefronts: [String]?
        var includesNewStorefronts: Bool?
        var price: Int64?
        var currency: String?
        var baseStorefront: String?

        /// Returns the order of the product's first price; `nil` without one.
        ///
        /// - Throws: ``CatalogEditError`` `.invalid`.
        func firstPrice(in app: App) throws -> PriceOrder? {
            guard let price else {
                guard currency == nil, baseStorefront == nil else {
                    throw CatalogEditError(
                        .invalid, at: .attribute("price"), "A currency or a base storefront needs a price.")
                }
                return nil
            }
            guard type != ProductType.free.rawValue else {
                throw CatalogEditError(.invalid, at: .attribute("price"), "A free subscription has no price.")
            }
            let currency = currency.map(Currency.init(rawValue:))
            guard let base = baseStorefront.map(Storefront.init(rawValue:)) ?? app.baseStorefront(for: currency) else {
                throw CatalogEditError(
                    .invalid, at: .attribute("currency"), "No storefront sells in \(currency?.rawValue ?? "").")
            }
            return PriceOrder(
                Money(milliunits: price, currency ?? base.currency ?? .usd), storefront: base)
        }

        static let constraints: [String: Constraint] = [
            "price": .range(0...PriceList.maximumPrice).and(.milliunits),
            "currency": .pattern("^[A-Z]{3}$", "Of the price; that of the base storefront if missing"),
            "baseStorefront": .storefront.and(
                .described("Whose price the others follow; the app's default storefront if missing")),
            "productId": CatalogFields.productID, "type": .oneOf(ProductType.self),
            "name": CatalogFields.name, "taxCategory": CatalogFields.taxCategory,
            "group": .described("The ID or the reference name of a subscription's group"),
            "level": .range(ListingLimits.subscriptionLevels),
            "period": .pattern("^P[1-9][0-9]{0,2}[DWMY]$", "Of an auto-renewable subscription, such as P1M"),
            "storefronts": .items(.storefront).and(.described("All of the App Store's if missing")),
        ]
    }

    private struct ChangeBody: RequestModel {
        var name: String?
        var reviewNote: String?
        var taxCategory: String?
        var familyShareable: Bool?
        var level: Int64?
        var period: String?
        var clearedForSale: Bool?
        var localizations: [CatalogFields.Text]?
        var removedLocales: [String]?
        var storefronts: [String]?
        var includesNewStorefronts: Bool?
        var revision: Int64?

        static let constraints: [String: Constraint] = [
            "name": CatalogFields.name, "level": .range(ListingLimits.subscriptionLevels),
            "reviewNote": .described("An empty one removes it"), "taxCategory": CatalogFields.taxCategory,
            "localizations": .described("Replaced by locale; others stay"),
            "storefronts": .items(.storefront),
            "revision": CatalogFields.revision,
        ]
    }

    private struct RemovalBody: RequestModel { var removed: Bool }

    /// The most products on a page.
    private static let pageSize = 200

    let editor: CatalogEditor

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "apps/:bundleId/catalog/products", "An app's products as their seller keeps them, by Apple ID",
            query: [.afterAppleID], use: list)
        routes.post("apps/:bundleId/catalog/products", "Make a product", .created, errors: [409], use: create)
        routes.get("apps/:bundleId/catalog/products/:productId", "A product as its seller keeps it") {
            (_: Call<NoBody>, context) in
            let (id, app) = (context.productID, context.bundleID)
            return CatalogProductModel(try await editor.read { try $0.found(id, of: app) })
        }
        routes.post(
            "apps/:bundleId/catalog/products/:productId", "Change a product; what is missing stays", errors: [409],
            use: change)
        routes.post(
            "apps/:bundleId/catalog/products/:productId/submit", "Submit a product for review", errors: [409]
        ) { (call: Call<NoBody>, context) in
            let (id, app) = (context.productID, context.bundleID)
            return try await editor.edit(by: call.request.catalogActor) { draft in
                let found = try draft.found(id, of: app)
                _ = try draft.submitForReview(.product(found.appleID, version: found.currentVersion.id))
                return CatalogProductModel(try draft.found(id, of: app))
            }
        }
        routes.post(
            "apps/:bundleId/catalog/products/:productId/withdraw", "Withdraw a product from review", errors: [409]
        ) { (call: Call<NoBody>, context) in
            let (id, app) = (context.productID, context.bundleID)
            return try await editor.edit(by: call.request.catalogActor) { draft in
                try draft.withdrawFromReview(.product(try draft.found(id, of: app).appleID, version: ""))
                return CatalogProductModel(try draft.found(id, of: app))
            }
        }
        routes.post(
            "apps/:bundleId/catalog/products/:productId/removal",
            "Remove an approved product from sale as App Review does, or put it back", errors: [409], use: remove)
        routes.delete(
            "apps/:bundleId/catalog/products/:productId", "Delete a product, whose ID is never used again",
            query: [.revision], errors: [409]
        ) { (call: Call<NoBody>, context) in
            let (id, app, revision) = (context.productID, context.bundleID, try call.expectedRevision())
            try await editor.edit(by: call.request.catalogActor) { draft in
                let appleID = try draft.found(id, of: app).appleID
                try draft.expect(revision, of: appleID)
                try draft.deleteProduct(appleID)
            }
            return NoContent()
        }
    }

    private func list(_ call: Call<NoBody>, _ context: ControlContext) async throws -> CatalogProductsAnswer {
        let (app, after) = (context.bundleID, call.query(.afterAppleID).flatMap { Int64($0) } ?? 0)
        return try await editor.read { reader in
            let ids = try reader.productIDs(app: try reader.found(app).appleID, renewing: nil).filter { $0 > after }
            let page = ids.prefix(Self.pageSize)
            return CatalogProductsAnswer(
                products: try page.compactMap { try reader.product($0) }.map(CatalogProductModel.init),
                next: page.count < ids.count ? page.last.map(String.init) : nil)
        }
    }

    private func create(_ call: Call<NewBody>, _ context: ControlContext) async throws -> CatalogProductModel {
        let (body, bundleID) = (try await call.body(), context.bundleID)
        var new = NewProduct(
            Product.ID(rawValue: body.productId), try ControlFields.value(body.type, field: "type"),
            referenceName: body.name)
        new.reviewNote = body.reviewNote
        new.isFamilyShareable = body.familyShareable ?? false
        new.level = body.level
        new.period = try body.period.map { try CatalogFields.period($0, field: "period") }
        let now = try await context.store.now()
        return try await editor.edit(by: call.request.catalogActor) { [new] draft in
            var new = new
            new.groupID = try body.group.map { try draft.found(group: $0, of: bundleID).group.id }
            let id = try draft.createProduct(new, app: try draft.found(bundleID).appleID)
            try draft.update(id) { product in
                try Self.setTexts(body.localizations ?? [], of: &product)
                try product.setTaxCategory(body.taxCategory)
                // A product that is made here is to be sold everywhere; App Store Connect asks where.
                try product.setAvailability(
                    body.storefronts.map(CatalogFields.storefronts) ?? Storefront.all.map(\.storefront),
                    includesNew: body.includesNewStorefronts ?? (body.storefronts == nil))
            }
            if let price = try body.firstPrice(in: try draft.found(bundleID)) {
                try draft.changePrice(of: id, price, now: now)
            }
            return CatalogProductModel(try draft.found(new.id, of: bundleID))
        }
    }

    private func remove(_ call: Call<RemovalBody>, _ context: ControlContext) async throws -> CatalogProductModel {
        let (isRemoved, id, bundleID) = (try await call.body().removed, context.productID, context.bundleID)
        return try await editor.edit(by: call.request.catalogActor) { draft in
            try draft.update(try draft.found(id, of: bundleID).appleID) { try $0.setRemovedFromSale(isRemoved) }
            return CatalogProductModel(try draft.found(id, of: bundleID))
        }
    }

    private func change(_ call: Call<ChangeBody>, _ context: ControlContext) async throws -> CatalogProductModel {
        let (body, id, bundleID) = (try await call.body(), context.productID, context.bundleID)
        let period = try body.period.map { try CatalogFields.period($0, field: "period") }
        return try await editor.edit(by: call.request.catalogActor) { draft in
            let appleID = try draft.found(id, of: bundleID).appleID
            try draft.update(appleID, expecting: body.revision) { product in
                try Self.change(&product, body, period)
            }
            return CatalogProductModel(try draft.found(id, of: bundleID))
        }
    }

    private static func change(_ product: inout CatalogProduct, _ body: ChangeBody, _ period: Period?) throws {
        if let name = body.name { try product.rename(name) }
        if let note = body.reviewNote { try product.setReviewNote(note) }
        if let category = body.taxCategory { try product.setTaxCategory(category) }
        if let isShareable = body.familyShareable { try product.setFamilyShareable(isShareable) }
        if let level = body.level { try product.setLevel(level) }
        if let period { try product.setPeriod(period) }
        if body.storefronts != nil || body.includesNewStorefronts != nil {
            try product.changeAvailability(
                body.storefronts.map(CatalogFields.storefronts),
                // Named storefronts of a product that is sold everywhere don't stand for later ones.
                includesNew: body.includesNewStorefronts ?? product.product.availability?.includesNew ?? false)
        }
        // Storefronts clear a product for sale, unless the request says otherwise.
        if let isCleared = body.clearedForSale { product.product.isClearedForSale = isCleared }
        try setTexts(body.localizations ?? [], of: &product)
        for locale in body.removedLocales ?? [] {
            guard let text = product.text(in: locale) else {
                throw CatalogEditError(.notFound, at: .attribute("removedLocales"), "There is no text in '\(locale)'.")
            }
            try product.deleteLocalization(text.id, .first)
        }
    }

    private static func setTexts(_ texts: [CatalogFields.Text], of product: inout CatalogProduct) throws {
        for text in texts {
            if let known = product.text(in: text.locale) {
                try product.updateLocalization(known.id, .first) {
                    $0.name = text.name ?? $0.name
                    $0.description = text.description ?? $0.description
                }
            } else {
                _ = try product.addLocalization(locale: AppStoreLocale.connect(text.locale)) {
                    ListingLocalization(
                        id: $0, locale: AppStoreLocale.connect(text.locale), name: text.name ?? "",
                        description: text.description)
                }
            }
        }
    }
}

extension CatalogProduct {
    /// Returns the text of the current version in a language.
    fileprivate func text(in locale: String) -> ListingLocalization? {
        currentVersion.localizations.first {
            AppStoreLocale.connect($0.locale) == AppStoreLocale.connect(locale)
        }
    }
}

extension App {
    /// Returns the storefront whose price is the first one of a product: the default storefront, or the first one that
    /// sells in another currency.
    fileprivate func baseStorefront(for currency: Currency?) -> Storefront? {
        guard let currency, defaultStorefront.currency != currency else { return defaultStorefront }
        return Storefront.all.first { $0.currency == currency }?.storefront
    }
}

extension QueryParameter {
    fileprivate static let afterAppleID = QueryParameter(
        "after", .pattern("^[0-9]{1,18}$", "The Apple ID of the last product of the page before"))
}
