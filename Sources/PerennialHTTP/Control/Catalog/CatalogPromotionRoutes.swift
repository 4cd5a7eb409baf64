import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStore

/// control/v1/apps/BUNDLE_ID/catalog/promoted: the products that the App Store promotes on the app's page, in their order.
struct CatalogPromotionRoutes {
    private struct NewBody: RequestModel {
        var productId: String
        var visible: Bool?

        static let constraints: [String: Constraint] = [
            "productId": CatalogFields.productID,
            "visible": .described("False to show it to customers only whom the app has it shown; true if left out"),
        ]
    }

    private struct OrderBody: RequestModel {
        var productIds: [String]

        static let constraints: [String: Constraint] = [
            "productIds": .described("Each of the promoted products once, in the new order")
        ]
    }

    private struct Promoted: Model, Encodable {
        var productId: String
        var name: String
        var visible: Bool
    }

    private struct PromotedAnswer: AnswerModel {
        var promoted: [Promoted]

        init(_ bundleID: App.BundleID, _ reader: CatalogReader) throws {
            let products = try reader.products(try reader.promotedProducts(app: try reader.found(bundleID).appleID))
            promoted = products.map {
                Promoted(
                    productId: $0.id.rawValue, name: $0.product.referenceName,
                    visible: $0.listing.promotion?.isVisibleForAllUsers == true)
            }
        }
    }

    let editor: CatalogEditor

    func add(to routes: RouteGroup<ControlContext>) {
        let path = "apps/:bundleId/catalog/promoted"
        routes.get(path, "The products that the App Store promotes, in their order") { (_: Call<NoBody>, context) in
            let app = context.bundleID
            return try await editor.read { try PromotedAnswer(app, $0) }
        }
        routes.post(path, "Promote a product, after the others", .created, errors: [409]) {
            (call: Call<NewBody>, context) in
            let body = try await call.body()
            return try await edit(call, context) { draft, bundleID in
                let product = try draft.found(Product.ID(rawValue: body.productId), of: bundleID)
                _ = try draft.promote(
                    product.appleID, app: try draft.found(bundleID).appleID, isVisible: body.visible ?? true,
                    isEnabled: true)
            }
        }
        routes.put(path, "Put the promoted products in another order", errors: [409]) {
            (call: Call<OrderBody>, context) in
            let ids = try await call.body().productIds
            return try await edit(call, context) { draft, bundleID in
                let numbers = try ids.map { try draft.found(Product.ID(rawValue: $0), of: bundleID).appleID }
                try draft.reorderPromotions(numbers, app: try draft.found(bundleID).appleID)
            }
        }
        routes.delete("\(path)/:productId", "End the promotion of a product", errors: [409]) {
            (call: Call<NoBody>, context) in
            let id = context.productID
            return try await edit(call, context) { draft, bundleID in
                guard let promotion = try draft.found(id, of: bundleID).listing.promotion else {
                    throw CatalogEditError(.notFound, "The product '\(id)' isn't promoted.")
                }
                try draft.withdrawPromotion(promotion.id)
            }
        }
    }

    private func edit<Body: CallBody>(
        _ call: Call<Body>, _ context: ControlContext,
        _ change: @escaping @Sendable (CatalogDraft, App.BundleID) throws -> Void
    ) async throws -> PromotedAnswer {
        let bundleID = context.bundleID
        return try await editor.edit(by: call.request.catalogActor) { draft in
            try change(draft, bundleID)
            return try PromotedAnswer(bundleID, draft)
        }
    }
}
