import Foundation
import HTTPTypes
import Hummingbird
import Perennial
import PerennialStorage
import PerennialStore

/// control/v1: offer codes, made, listed and redeemed.
struct OfferCodeRoutes {
    private struct MakeBody: Decodable {
        var productId: String
        var offerId: String
        var kind: String
        var code: String?
        var count: Int?
        var expires: String?
        var maximumRedemptions: Int?
    }

    private struct RedeemBody: Decodable {
        var bundleId: String
        var account: String
        var code: String
        var idempotencyKey: String?
    }

    private struct List: Encodable { var codes: [CodeModel] }

    private struct CodeModel: Encodable {
        var code: String
        var productId: String
        var offerId: String
        var kind: String
        var created: String
        var expires: String?
        var maximumRedemptions: Int?
        var redemptions: Int

        init(_ record: OfferCodesTable.Record) {
            code = record.code.code
            productId = record.productID.rawValue
            offerId = record.code.offerID
            kind = record.code.kind.rawValue
            created = record.code.created.rfc3339(fraction: true)
            expires = record.code.end?.rfc3339(fraction: true)
            maximumRedemptions = record.code.kind == .oneTime ? 1 : record.code.maximumRedemptions
            redemptions = record.redemptions
        }
    }

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/apps/:bundleId/offer-codes") { request, context in
            let store = try await control.authorized(request, context)
            let after = request.uri.queryParameters["after"].map(String.init) ?? ""
            let codes = try await store.offerCodes(of: app(context), after: after)
            return try JSONResponse.make(List(codes: codes.map { CodeModel($0) }))
        }
        router.post("control/v1/apps/:bundleId/offer-codes") { request, context in
            let store = try await control.authorized(request, context)
            let order = try order(try await request.controlJSON(MakeBody.self))
            let codes = try await store.makeOfferCodes(order, of: app(context))
            return try JSONResponse.make(List(codes: codes.map { CodeModel($0) }), status: .created)
        }
        router.post("control/v1/redemptions") { request, context in
            let store = try await control.authorized(request, context)
            let body = try await request.controlJSON(RedeemBody.self)
            let customer = try await store.customer(
                account: body.account, bundleID: App.BundleID(rawValue: body.bundleId))
            let transaction = try await store.redeem(
                body.code, idempotencyKey: body.idempotencyKey ?? request.headers[.idempotencyKey], by: customer)
            return try await control.purchaseAnswer(transaction, customer, store)
        }
    }

    private func app(_ context: some RequestContext) -> App.BundleID {
        App.BundleID(rawValue: context.parameters.get("bundleId")?.removingPercentEncoding ?? "")
    }

    private func order(_ body: MakeBody) throws -> OfferCodeOrder {
        let kind: OfferCode.Kind = try control.parse(body.kind, field: "kind")
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
            expires: try body.expires.map { try control.time($0, field: "expires") })
    }
}
