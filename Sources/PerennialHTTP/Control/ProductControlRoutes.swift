import Foundation
import Hummingbird
import Perennial
import PerennialStore

/// control/v1/apps/BUNDLE_ID/products: new prices, and what is taken off sale, in one environment.
struct ProductControlRoutes {
    private struct PriceBody: Decodable {
        /// Thousandths of the currency's unit.
        var price: Int64
        var storefront: String?
        var consent: Bool?
        var preserve: Bool?
    }

    private struct SaleBody: Decodable { var clearedForSale: Bool }

    private struct ProductAnswer: Encodable {
        var productId: String
        var price: Int64
        var currency: String
        var prices: [String: Int64]
        var clearedForSale: Bool

        init(_ product: Product) {
            productId = product.id.rawValue
            price = product.basePrice.milliunits
            currency = product.basePrice.currency.rawValue
            prices = Dictionary(product.prices.map { ($0.key.rawValue, $0.value.milliunits) }) { first, _ in first }
            clearedForSale = product.isClearedForSale
        }
    }

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("control/v1/apps/:bundleId/products/:productId/price") { request, context in
            let (store, app, product) = try await place(request, context)
            let body = try await request.controlJSON(PriceBody.self)
            let change = PriceChange(
                product, milliunits: body.price, storefront: body.storefront.map(Storefront.init(rawValue:)),
                needsConsent: body.consent, preservesSubscribers: body.preserve ?? false)
            return try JSONResponse.make(ProductAnswer(try await store.changePrice(change, bundleID: app)))
        }
        router.post("control/v1/apps/:bundleId/products/:productId/sale") { request, context in
            let (store, app, product) = try await place(request, context)
            let body = try await request.controlJSON(SaleBody.self)
            let changed = try await store.setClearedForSale(body.clearedForSale, product, bundleID: app)
            return try JSONResponse.make(ProductAnswer(changed))
        }
    }

    private func place(
        _ request: Request, _ context: some RequestContext
    ) async throws -> (Store, App.BundleID, Product.ID) {
        let store = try await control.authorized(request, context)
        let product = context.parameters.get("productId")?.removingPercentEncoding ?? ""
        return (store, control.app(context) ?? App.BundleID(rawValue: ""), Product.ID(rawValue: product))
    }
}
