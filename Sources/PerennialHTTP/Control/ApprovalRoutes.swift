import Hummingbird
import Perennial
import PerennialStore

/// control/v1/approvals: Ask to Buy, as a parent answers it.
struct ApprovalRoutes {
    private struct List: Encodable {
        struct Item: Encodable {
            var id: String
            var account: String
            var productId: String
            var quantity: Int
        }

        var approvals: [Item]
    }

    private struct Answer: Encodable {
        /// Left out where nothing was bought: declined, or answered too late.
        var transactionId: String?
    }

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/approvals") { request, context in
            let store = try await control.authorized(request, context)
            guard let bundleID = request.uri.queryParameters["bundleId"].map(String.init) else {
                throw APIError(.badRequest, "malformedRequest", "the query needs bundleId", field: "bundleId")
            }
            let waiting = try await store.approvals(bundleID: App.BundleID(rawValue: bundleID))
            return try JSONResponse.make(
                List(
                    approvals: waiting.map {
                        List.Item(
                            id: "\($0.id)", account: $0.account, productId: $0.request.productID.rawValue,
                            quantity: $0.request.quantity)
                    }))
        }
        router.post("control/v1/approvals/:id/approve") { request, context in
            try await answer(true, request, context)
        }
        router.post("control/v1/approvals/:id/decline") { request, context in
            try await answer(false, request, context)
        }
    }

    private func answer(
        _ approved: Bool, _ request: Request, _ context: some RequestContext
    ) async throws -> Response {
        let store = try await control.authorized(request, context)
        guard let id = context.parameters.get("id").flatMap({ Int64($0) }) else {
            throw APIError(.notFound, "approvalNotFound", "a request is named by its number")
        }
        let transaction = try await store.answerApproval(id, approved: approved)
        return try JSONResponse.make(Answer(transactionId: transaction?.id.description))
    }
}
