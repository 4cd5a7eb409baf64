import Perennial
import PerennialConnect
import PerennialStore

/// control/v1/apps/BUNDLE_ID/catalog/products/PRODUCT_ID/prices: prices as the seller keeps them, the same in every
/// environment. Instants are those of the environment's clock.
struct CatalogPriceRoutes {
    private struct CancelBody: RequestModel {
        var at: String
        var storefront: String?
        var all: Bool?
        var revision: Int64?

        static let constraints: [String: Constraint] = [
            "at": .moment, "storefront": .storefront, "revision": CatalogFields.revision,
            "all": .described("True for the prices of all storefronts at that time"),
        ]
    }

    let editor: CatalogEditor

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "apps/:bundleId/catalog/products/:productId/prices",
            "A product's prices in the catalog: in force and to come, by storefront", query: [.storefront], use: list)
        routes.post(
            "apps/:bundleId/catalog/products/:productId/prices",
            "Change a product's prices in the catalog, now or later", errors: [409], use: change)
        routes.post(
            "apps/:bundleId/catalog/products/:productId/prices/preview",
            "What a change of prices would mean for storefronts and subscribers, without making it",
            errors: [409], use: preview)
        routes.post(
            "apps/:bundleId/catalog/products/:productId/prices/cancel", "Cancel a price in the catalog's schedule",
            errors: [409], use: cancel)
    }

    private func list(_ call: Call<NoBody>, _ context: ControlContext) async throws -> CatalogPricesAnswer {
        let storefront = call.query(.storefront).map(Storefront.init(rawValue:))
        if let storefront, storefront.currency == nil {
            throw StoreError(.storefrontUnknown, storefront.rawValue, "a storefront is a three-letter code such as USA")
        }
        return try await answer(context, in: storefront)
    }

    private func change(_ call: Call<PriceOrderBody>, _ context: ControlContext) async throws -> CatalogPricesAnswer {
        let (body, id, bundleID) = (try await call.body(), context.productID, context.bundleID)
        let now = try await context.store.now()
        try await editor.edit(by: call.request.catalogActor) { draft in
            let product = try draft.found(id, of: bundleID)
            try draft.changePrice(
                of: product.appleID, try body.order(in: product.product.basePrice.currency), expecting: body.revision,
                now: now)
        }
        // A price that applies at once is announced to subscribers before the answer.
        try await context.store.performScheduledPrices()
        return try await answer(context, in: body.storefront.map(Storefront.init(rawValue:)))
    }

    private func preview(_ call: Call<PriceOrderBody>, _ context: ControlContext) async throws -> PricePreviewAnswer {
        let (body, id, bundleID) = (try await call.body(), context.productID, context.bundleID)
        let found = try await editor.read { try $0.found(id, of: bundleID) }
        guard body.revision == nil || body.revision == found.revision else {
            throw CatalogDraft.changedMeanwhile(id.rawValue)
        }
        let order = try body.order(in: found.product.basePrice.currency)
        let answer = try await context.store.products.preview(order, of: id, bundleID: bundleID)
        return PricePreviewAnswer(answer.preview, of: id, answer.terms)
    }

    private func cancel(_ call: Call<CancelBody>, _ context: ControlContext) async throws -> CatalogPricesAnswer {
        let (body, id, bundleID) = (try await call.body(), context.productID, context.bundleID)
        let at = try ControlFields.time(body.at, field: "at").wholeSeconds
        let (storefront, now) = (body.storefront.map(Storefront.init(rawValue:)), try await context.store.now())
        try await editor.edit(by: call.request.catalogActor) { draft in
            let product = try draft.found(id, of: bundleID).appleID
            try draft.expect(body.revision, of: product)
            if body.all == true { return try draft.cancelPrices(of: product, at: at, now: now) }
            try draft.cancelPrice(of: product, in: storefront, at: at, now: now)
        }
        return try await answer(context, in: storefront)
    }

    private func answer(_ context: ControlContext, in storefront: Storefront?) async throws -> CatalogPricesAnswer {
        let (id, bundleID, now) = (context.productID, context.bundleID, try await context.store.now())
        return try await editor.read { reader in
            CatalogPricesAnswer(
                try reader.found(id, of: bundleID), of: try reader.found(bundleID), in: storefront, at: now)
        }
    }
}
