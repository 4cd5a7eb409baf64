import Hummingbird
import Perennial
import PerennialStore

/// control/v1/interruptions: purchases that failed until their customers act, and what became of them.
struct InterruptionRoutes {
    private struct List: Encodable {
        struct Item: Encodable {
            var id: String
            var account: String
            var productId: String
            var quantity: Int
        }

        var interruptions: [Item]
    }

    private struct Answer: Encodable {
        /// Left out where nothing was bought: given up, or answered before.
        var transactionId: String?
    }

    private struct Body: Decodable { var completed: Bool? }

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/interruptions") { request, context in
            let store = try await control.authorized(request, context)
            guard let bundleID = request.uri.queryParameters["bundleId"].map(String.init) else {
                throw APIError(.badRequest, "malformedRequest", "the query needs bundleId", field: "bundleId")
            }
            let waiting = try await store.interruptions(bundleID: App.BundleID(rawValue: bundleID))
            return try JSONResponse.make(
                List(
                    interruptions: waiting.map {
                        List.Item(
                            id: "\($0.id)", account: $0.account, productId: $0.request.productID.rawValue,
                            quantity: $0.request.quantity)
                    }))
        }
        router.post("control/v1/interruptions/:id/resolve") { request, context in
            let store = try await control.authorized(request, context)
            guard let id = context.parameters.get("id").flatMap({ Int64($0) }) else {
                throw APIError(.notFound, "approvalNotFound", "an interrupted purchase is named by its number")
            }
            let isCompleted = try await request.optionalControlJSON(Body.self)?.completed ?? true
            let transaction = try await store.resolveInterruption(id, completed: isCompleted)
            return try JSONResponse.make(Answer(transactionId: transaction?.id.description))
        }
    }
}
