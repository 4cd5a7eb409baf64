import HTTPTypes
import Perennial
import PerennialStore

/// Renewal dates that the seller moves, of one subscription or of all subscribers of a product.
struct ExtensionRoutes {
    private struct ExtensionBody: RequestModel {
        var days: Int64
        var reason: Int64?
        var requestIdentifier: String?

        static let constraints = ExtensionRoutes.constraints
    }

    private struct MassExtensionBody: RequestModel {
        var productId: String
        var storefronts: [String]?
        var days: Int64
        var reason: Int64?
        var requestIdentifier: String?

        static let constraints: [String: Constraint] = ExtensionRoutes.constraints.merging(
            ["storefronts": .items(.storefront, count: 0...maximumStorefronts)]
        ) { $1 }
    }

    private struct MassExtensionAnswer: AnswerModel {
        var requestIdentifier: String
        var productId: String
        var complete: Bool
        var completeDate: String?
        var succeededCount: Int
        var failedCount: Int

        static let constraints: [String: Constraint] = ["completeDate": .time]

        init(_ status: MassExtensionStatus) {
            requestIdentifier = status.request.request.requestID
            productId = status.request.productID.rawValue
            complete = status.completed != nil
            completeDate = status.completed?.rfc3339(fraction: true)
            succeededCount = status.request.succeededCount
            failedCount = status.request.failedCount
        }
    }

    private static let constraints: [String: Constraint] = [
        "days": .range(RenewalExtension.days), "reason": .range(Int64(0)...3),
        "requestIdentifier": .text(bytes: 1...RenewalExtension.maximumIdentifierLength),
    ]

    /// A limit of ours on the storefronts of one request: there are fewer.
    private static let maximumStorefronts = 300

    func add(to routes: RouteGroup<ControlContext>) {
        routes.post("subscriptions/:id/extend", "Move a renewal date", errors: [409], use: extend)
        routes.post(
            "apps/:bundleId/extensions", "Move the renewal dates of all subscribers of a product", errors: [409],
            use: extendAll)
        routes.get("apps/:bundleId/extensions/:requestId", "How far such a request has got", use: status)
    }

    private func extend(_ call: Call<ExtensionBody>, _ context: ControlContext) async throws -> SubscriptionAnswer {
        let id = try context.namedSubscription()
        let body = try await call.body()
        let wanted = try await Self.request(body.days, body.reason, body.requestIdentifier, context.store)
        return try await SubscriptionAnswer(
            try await context.store.extensions.extend(id, wanted).snapshot, context.store)
    }

    private func extendAll(
        _ call: Call<MassExtensionBody>, _ context: ControlContext
    ) async throws -> MassExtensionAnswer {
        let body = try await call.body()
        let storefronts = (body.storefronts ?? []).map(Storefront.init(rawValue:))
        guard storefronts.count <= Self.maximumStorefronts else {
            throw APIError(
                .badRequest, "malformedRequest", "at most \(Self.maximumStorefronts) storefronts",
                field: "storefronts")
        }
        return MassExtensionAnswer(
            try await context.store.extensions.extendAll(
                MassExtension(
                    productID: Product.ID(rawValue: body.productId), storefronts: Set(storefronts),
                    request: try await Self.request(body.days, body.reason, body.requestIdentifier, context.store)),
                bundleID: context.bundleID))
    }

    private func status(_ call: Call<NoBody>, _ context: ControlContext) async throws -> MassExtensionAnswer {
        MassExtensionAnswer(
            try await context.store.extensions.massExtensionStatus(
                context.name("requestId"), bundleID: context.bundleID))
    }

    private static func request(
        _ days: Int64, _ reason: Int64?, _ identifier: String?, _ store: Store
    ) async throws -> RenewalExtension {
        let identifier = if let identifier { identifier } else { try await store.extensions.freshRequestIdentifier() }
        return try RenewalExtension(checking: days, reason: reason ?? 0, requestID: identifier)
    }
}
