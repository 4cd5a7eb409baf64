import Hummingbird
import Perennial
import PerennialStore

/// control/v1/transactions: refunds that are asked for, declined and taken back.
struct RefundRoutes {
    private struct ReasonBody: Decodable { var reason: String? }

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("control/v1/transactions/:id/reverse-refund") { request, context in
            let (store, id) = try await transaction(request, context)
            return try await answer(try await store.reverseRefund(id), store)
        }
        router.post("control/v1/transactions/:id/request-refund") { request, context in
            let (store, id) = try await transaction(request, context)
            let word = try await request.optionalControlJSON(ReasonBody.self)?.reason
            let reason: RefundRequestReason = try word.map { try control.parse($0, field: "reason") } ?? .other
            return try await answer(try await store.requestRefund(id, reason: reason), store)
        }
        router.post("control/v1/transactions/:id/decline-refund") { request, context in
            let (store, id) = try await transaction(request, context)
            return try await answer(try await store.declineRefund(id), store)
        }
    }

    private func transaction(
        _ request: Request, _ context: some RequestContext
    ) async throws -> (Store, TransactionID) {
        let store = try await control.authorized(request, context)
        guard let id = context.parameters.get("id").flatMap({ TransactionID($0) }) else {
            throw APIError(.notFound, "transactionNotFound", "a transaction is named by its number")
        }
        return (store, id)
    }

    private func answer(_ found: (Transaction, App.BundleID), _ store: Store) async throws -> Response {
        let (transaction, bundleID) = found
        return try JSONResponse.make(
            ControlModels.SignedTransactionAnswer(
                transactionId: transaction.id.description,
                originalTransactionId: transaction.originalID.description,
                signedTransaction: try await store.signedTransaction(transaction, bundleID: bundleID)))
    }
}
