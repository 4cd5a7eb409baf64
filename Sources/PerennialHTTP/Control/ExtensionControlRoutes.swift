import Foundation
import Hummingbird
import Perennial
import PerennialStore

/// Renewal dates that the seller moves, of one subscription or of all subscribers of a product.
struct ExtensionControlRoutes {
    private struct Body: Decodable {
        var days: Int64
        var reason: Int64?
        var requestIdentifier: String?

        func request(_ store: Store) async throws -> RenewalExtension {
            let identifier =
                if let requestIdentifier { requestIdentifier } else { try await store.freshRequestIdentifier() }
            return try RenewalExtension(checking: days, reason: reason ?? 0, requestID: identifier)
        }
    }

    private struct MassBody: Decodable {
        var productId: String
        var storefronts: [String]?
    }

    private struct MassAnswer: Encodable {
        var requestIdentifier: String
        var productId: String
        var complete: Bool
        var completeDate: String?
        var succeededCount: Int
        var failedCount: Int

        init(_ status: MassExtensionStatus) {
            requestIdentifier = status.request.request.requestID
            productId = status.request.productID.rawValue
            complete = status.completed != nil
            completeDate = status.completed?.rfc3339(fraction: true)
            succeededCount = status.request.succeededCount
            failedCount = status.request.failedCount
        }
    }

    /// A limit of ours on the storefronts of one request: there are fewer.
    private static let maximumStorefronts = 300

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("control/v1/subscriptions/:id/extend") { request, context in
            let (store, id) = try await control.subscription(request, context)
            let wanted = try await request.controlJSON(Body.self).request(store)
            let extended = try await store.extendRenewal(id, wanted)
            return try await control.answer(extended.standing, store)
        }
        router.post("control/v1/apps/:bundleId/extensions") { request, context in
            let store = try await control.authorized(request, context)
            let bytes = try await request.collected(upTo: 65_536)
            let mass = try Request.decode(MassBody.self, from: bytes)
            let one = try Request.decode(Body.self, from: bytes)
            try Request.refuseUnknownFields(of: [mass, one], in: bytes)
            let storefronts = (mass.storefronts ?? []).map(Storefront.init(rawValue:))
            guard storefronts.count <= Self.maximumStorefronts else {
                throw APIError(
                    .badRequest, "malformedRequest", "at most \(Self.maximumStorefronts) storefronts",
                    field: "storefronts")
            }
            let status = try await store.extendAll(
                MassExtension(
                    productID: Product.ID(rawValue: mass.productId), storefronts: Set(storefronts),
                    request: try await one.request(store)),
                bundleID: control.app(context) ?? App.BundleID(rawValue: ""))
            return try JSONResponse.make(MassAnswer(status))
        }
        router.get("control/v1/apps/:bundleId/extensions/:requestId") { request, context in
            let store = try await control.authorized(request, context)
            let status = try await store.massExtensionStatus(
                context.parameters.get("requestId")?.removingPercentEncoding ?? "",
                bundleID: control.app(context) ?? App.BundleID(rawValue: ""))
            return try JSONResponse.make(MassAnswer(status))
        }
    }
}
