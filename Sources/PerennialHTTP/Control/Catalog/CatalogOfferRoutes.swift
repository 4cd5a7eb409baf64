import HTTPTypes
import Perennial
import PerennialConnect
import PerennialStore

/// control/v1/apps/BUNDLE_ID/catalog/products/PRODUCT_ID/offers: introductory, promotional and win-back offers, and offers
/// for codes.
struct CatalogOfferRoutes {
    struct NewBody: RequestModel {
        var kind: String
        var offerId: String?
        var name: String?
        var paymentMode: String?
        var period: String?
        var periodCount: Int?
        var price: Int64?
        var prices: [String: Int64]?
        var storefronts: [String]?
        var starts: String?
        var ends: String?
        var eligibility: [String]?
        var stackable: Bool?
        var winBack: WinBackModel?
        var revision: Int64?

        static let constraints: [String: Constraint] = [
            "kind": .oneOf(CatalogOfferKind.self), "paymentMode": .oneOf(Offer.PaymentMode.self),
            "offerId": .described("Not of an introductory offer; that of an offer for codes is its name"),
            "period": .described("Such as P1W; the subscription's if missing"), "periodCount": .range(1...365),
            "price": .range(0...Products.maximumPrice).and(
                .described("In the app's default storefront, in thousandths; elsewhere its equalizations")),
            "prices": .described("Those of single storefronts, in thousandths"), "storefronts": .items(.storefront),
            "starts": .day("The first day"), "ends": .day("The day on which it has ended"),
            "revision": CatalogFields.revision,
        ]
    }

    struct ChangeBody: RequestModel {
        var active: Bool?
        var price: Int64?
        var prices: [String: Int64]?
        var storefronts: [String]?
        var starts: String?
        var ends: String?
        var winBack: WinBackModel?
        var revision: Int64?

        static let constraints: [String: Constraint] = [
            "active": .described("False ends an offer for codes for good"),
            "price": .range(0...Products.maximumPrice), "storefronts": .items(.storefront),
            "prices": .described("Of a promotional offer: replaces all of its prices"),
            "starts": .day("The first day of a win-back offer"), "ends": .day("The day on which it has ended"),
            "revision": CatalogFields.revision,
        ]
    }

    let editor: CatalogEditor

    func add(to routes: RouteGroup<ControlContext>) {
        let offers = "apps/:bundleId/catalog/products/:productId/offers"
        routes.get(offers, "A product's offers") { (_: Call<NoBody>, context) in
            let (id, app) = (context.productID, context.bundleID)
            return CatalogOffersAnswer(try await editor.read { try $0.found(id, of: app) })
        }
        routes.post(offers, "Make an offer", .created, errors: [409]) { (call: Call<NewBody>, context) in
            let order = CatalogOfferOrder(try await call.body(), today: PacificDay(try await context.store.now()))
            let kind: CatalogOfferKind = try ControlFields.value(order.body.kind, field: "kind")
            return try await edit(call.request.catalogActor, context, expecting: order.body.revision) {
                try order.add(kind, to: &$0, app: $1)
            }
        }
        routes.post("\(offers)/:kind/:offer", "Change an offer; what is missing stays", errors: [409]) {
            (call: Call<ChangeBody>, context) in
            let body = try await call.body()
            let change = CatalogOfferChange(body, today: PacificDay(try await context.store.now()))
            let (kind, offer) = (try context.offerKind(), context.name("offer"))
            return try await edit(call.request.catalogActor, context, expecting: body.revision) {
                try change.apply(to: kind, offer, of: &$0, app: $1)
            }
        }
        routes.delete(
            "\(offers)/:kind/:offer",
            "Delete an offer; introductory ones by storefront or Connect ID, or all of them", query: [.revision],
            errors: [409]
        ) { (call: Call<NoBody>, context) in
            let (kind, offer) = (try context.offerKind(), context.name("offer"))
            let revision = try call.expectedRevision()
            return try await edit(call.request.catalogActor, context, expecting: revision) { product, _ in
                switch kind {
                case .introductory:
                    try product.removeIntroductoryOffers {
                        offer == "all" || $0.id == offer || $0.storefront?.rawValue == offer
                    }
                case .promotional: try product.removePromotionalOffer(offer)
                case .winBack: try product.removeWinBackOffer(offer)
                case .code: try product.setCodeOffer(offer, active: false)
                }
            }
        }
    }

    private func edit(
        _ actor: CatalogActor, _ context: ControlContext, expecting revision: Int64?,
        _ change: @escaping @Sendable (inout CatalogProduct, App) throws -> Void
    ) async throws -> CatalogOffersAnswer {
        let (id, bundleID) = (context.productID, context.bundleID)
        return try await editor.edit(by: actor) { draft in
            let app = try draft.found(bundleID)
            try draft.update(try draft.found(id, of: bundleID).appleID, expecting: revision) { try change(&$0, app) }
            return CatalogOffersAnswer(try draft.found(id, of: bundleID))
        }
    }
}

extension ControlContext {
    /// - Throws: ``CatalogEditError`` `.notFound`.
    fileprivate func offerKind() throws -> CatalogOfferKind {
        guard let kind = CatalogOfferKind(rawValue: name("kind")) else {
            let kinds = CatalogOfferKind.allCases.map(\.rawValue).joined(separator: ", ")
            throw CatalogEditError(.notFound, "The kinds of offers are: \(kinds).")
        }
        return kind
    }
}
