import Perennial
import PerennialStore

/// control/v1/apps/BUNDLE_ID/products: prices and sale, in one environment.
struct ProductRoutes {
    private struct PriceBody: RequestModel {
        var price: Int64
        var storefront: String?
        var consent: Bool?
        var preserve: Bool?
        var at: String?

        static let constraints: [String: Constraint] = [
            "price": .range(0...Products.maximumPrice).and(.milliunits), "storefront": .storefront, "at": .moment,
        ]
    }

    private struct CancelBody: RequestModel {
        var at: String
        var storefront: String?

        static let constraints: [String: Constraint] = ["at": .moment, "storefront": .storefront]
    }

    private struct SaleBody: RequestModel { var clearedForSale: Bool }

    private struct ProductAnswer: AnswerModel {
        var productId: String
        var price: Int64
        var currency: String
        var prices: [String: Int64]
        var clearedForSale: Bool

        static let constraints: [String: Constraint] = [
            "price": .milliunits, "prices": .described("By storefront, where one has a price of its own"),
        ]

        init(_ product: Product) {
            productId = product.id.rawValue
            price = product.basePrice.milliunits
            currency = product.basePrice.currency.rawValue
            prices = Dictionary(product.prices.map { ($0.key.rawValue, $0.value.milliunits) }) { first, _ in first }
            clearedForSale = product.isClearedForSale
        }
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.post(
            "apps/:bundleId/products/:productId/price", "Change a product's price, now or at a later instant",
            use: changePrice)
        routes.post(
            "apps/:bundleId/products/:productId/price/cancel", "Cancel a scheduled price", use: cancelScheduledPrice)
        routes.post("apps/:bundleId/products/:productId/sale", "Take a product off sale, or put it back", use: setSale)
    }

    private func changePrice(_ call: Call<PriceBody>, _ context: ControlContext) async throws -> ProductAnswer {
        let body = try await call.body()
        let change = PriceChange(
            context.productID, milliunits: body.price, storefront: body.storefront.map(Storefront.init(rawValue:)),
            needsConsent: body.consent, preservesSubscribers: body.preserve ?? false)
        if let at = body.at {
            let instant = try ControlFields.time(at, field: "at")
            return ProductAnswer(
                try await context.store.products.schedulePrice(change, at: instant, bundleID: context.bundleID))
        }
        return ProductAnswer(try await context.store.products.changePrice(change, bundleID: context.bundleID))
    }

    private func cancelScheduledPrice(
        _ call: Call<CancelBody>, _ context: ControlContext
    ) async throws -> ProductAnswer {
        let body = try await call.body()
        return ProductAnswer(
            try await context.store.products.cancelScheduledPrice(
                of: context.productID, at: try ControlFields.time(body.at, field: "at"),
                in: body.storefront.map(Storefront.init(rawValue:)), bundleID: context.bundleID))
    }

    private func setSale(_ call: Call<SaleBody>, _ context: ControlContext) async throws -> ProductAnswer {
        let isCleared = try await call.body().clearedForSale
        return ProductAnswer(
            try await context.store.products.setClearedForSale(isCleared, context.productID, bundleID: context.bundleID)
        )
    }
}

extension ControlContext {
    /// The product that the path names.
    var productID: Product.ID { Product.ID(rawValue: name("productId")) }
}
