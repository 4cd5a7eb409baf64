import HTTPTypes
import Hummingbird
import HummingbirdCore
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

/// control/v1: offer codes, made, listed and redeemed.
struct OfferCodeRoutes {
    private struct OrderBody: RequestModel {
        var productId: String
        var offerId: String
        var kind: String
        var code: String?
        var count: Int?
        var expires: String?
        var maximumRedemptions: Int?

        static let constraints: [String: Constraint] = [
            "kind": .oneOf(OfferCode.Kind.self), "count": .range(1...Offers.maximumCodes),
            "code": .pattern("^[0-9A-Za-z]{1,\(Offers.maximumCodeLength)}$"), "expires": .moment,
            "maximumRedemptions": .range(1...OfferCode.maximumPerQuarter),
        ]
        // A custom code has the seller's name.
        static let rule: Constraint? = .oneOf(fields: [
            ["kind": ["const": .string(OfferCode.Kind.oneTime.rawValue)]],
            ["kind": ["const": .string(OfferCode.Kind.custom.rawValue)], "code": ["type": "string"]],
        ])
    }

    private struct RedemptionBody: RequestModel {
        var bundleId: String
        var account: String
        var code: String
        var idempotencyKey: String?

        static let constraints: [String: Constraint] = [
            "account": .accountName, "idempotencyKey": .idempotencyKey,
        ]
    }

    private struct List: AnswerModel { var codes: [CodeModel] }

    private struct CodeModel: Model, Encodable {
        var code: String
        var productId: String
        var offerId: String
        var kind: String
        var created: String
        var expires: String?
        var maximumRedemptions: Int?
        var redemptions: Int
        var isActive: Bool

        static let constraints: [String: Constraint] = [
            "kind": .oneOf(OfferCode.Kind.self), "created": .time, "expires": .time,
            "isActive": .described("False after the seller has deactivated the codes made together with it"),
        ]

        init(_ record: OfferCodesTable.Record) {
            code = record.code.code
            productId = record.productID.rawValue
            offerId = record.code.offerID
            kind = record.code.kind.rawValue
            created = record.code.created.rfc3339(fraction: true)
            expires = record.code.end?.rfc3339(fraction: true)
            maximumRedemptions = record.code.kind == .oneTime ? 1 : record.code.maximumRedemptions
            redemptions = record.redemptions
            isActive = record.isActive
        }
    }

    let editor: CatalogEditor

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("apps/:bundleId/offer-codes", "An app's offer codes", query: [.after], use: list)
        routes.post("apps/:bundleId/offer-codes", "Make offer codes", .created, errors: [409], use: make)
        routes.post(
            "apps/:bundleId/offer-codes/:code/deactivate",
            "Deactivate the codes that were made together with a code, for good"
        ) { (call: Call<NoBody>, context) in
            let (code, bundleID) = (Offers.normalized(context.name("code")), context.bundleID)
            let environment = context.store.environment.id
            try await editor.edit(by: call.request.catalogActor) { draft in
                try draft.deactivateCodes(with: code, app: try draft.found(bundleID).appleID, in: environment)
            }
            return NoContent()
        }
        routes.post(
            "redemptions", "Redeem an offer code for anyone", errors: PurchaseRoutes.refusals, use: redeem)
    }

    private func list(_ call: Call<NoBody>, _ context: ControlContext) async throws -> List {
        let codes = try await context.store.offers.codes(of: context.bundleID, after: call.query(.after) ?? "")
        return List(codes: codes.map { CodeModel($0) })
    }

    private func make(_ call: Call<OrderBody>, _ context: ControlContext) async throws -> List {
        let order = try Self.order(try await call.body())
        let codes = try await context.store.offers.makeCodes(order, of: context.bundleID)
        return List(codes: codes.map { CodeModel($0) })
    }

    private func redeem(
        _ call: Call<RedemptionBody>, _ context: ControlContext
    ) async throws -> PurchaseAnswer {
        let (store, body) = (context.store, try await call.body())
        let customer = try await store.accounts.customer(
            account: body.account, bundleID: App.BundleID(rawValue: body.bundleId))
        let transaction = try await store.purchases.redeem(
            body.code, idempotencyKey: body.idempotencyKey ?? call.request.headers[.idempotencyKey], by: customer)
        return try await PurchaseAnswer(transaction, customer, store)
    }

    private static func order(_ body: OrderBody) throws -> OfferCodeOrder {
        let kind: OfferCode.Kind = try ControlFields.value(body.kind, field: "kind")
        let made: OfferCodeOrder.Kind
        switch kind {
        case .oneTime: made = .oneTime(count: body.count ?? 1)
        case .custom:
            guard let code = body.code else {
                throw APIError(.badRequest, "malformedRequest", "a custom code needs its code", field: "code")
            }
            made = .custom(code, maximumRedemptions: body.maximumRedemptions)
        }
        return OfferCodeOrder(
            productID: Product.ID(rawValue: body.productId), offerID: body.offerId, kind: made,
            expires: try body.expires.map { try ControlFields.time($0, field: "expires") })
    }
}

extension QueryParameter {
    fileprivate static let after = QueryParameter("after", .described("The last code of the page before"))
}
