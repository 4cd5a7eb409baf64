import Hummingbird
import Perennial
import PerennialStore

/// control/v1/transactions: refunds that are asked for, declined and taken back.
struct RefundRoutes {
    private struct ReasonBody: Decodable { var reason: String? }

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("control/v1/transactions/:id/refund") { request, context in try await refund(request, context) }
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

    private func refund(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let store = try await control.authorized(request, context)
        let body =
            try await request.optionalControlJSON(
                ControlModels.RefundBody.self, upTo: ControlRoutes.maximumBodyBytes) ?? ControlModels.RefundBody()
        guard let reason = Transaction.Revocation.Reason(rawValue: body.reason ?? 0) else {
            throw APIError(
                .badRequest, "malformedRequest", "reason is 1 (an issue with the app) or 0", field: "reason")
        }
        if let percentage = body.percentage, !(1...100).contains(percentage) {
            throw APIError(.badRequest, "malformedRequest", "percentage is 1 to 100", field: "percentage")
        }
        guard let period = RefundedPeriod(rawValue: body.period ?? RefundedPeriod.named.rawValue) else {
            throw APIError(
                .badRequest, "malformedRequest", "period is named, newest or unambiguous", field: "period")
        }
        guard let id = context.parameters.get("id").flatMap({ TransactionID($0) }) else {
            throw APIError(.notFound, "transactionNotFound", "a transaction is named by its number")
        }
        let share: Refund.Share = body.percentage.map { .percentage(milliunits: $0 * 1000) } ?? .full
        let refunded = try await store.refund(id, Refund(share, reason: reason), of: period)
        return try await answer(refunded, store, period: try await refundedPeriod(refunded.0, store))
    }

    /// Which of a subscription's periods was refunded; `nil` for anything else.
    private func refundedPeriod(
        _ transaction: Transaction, _ store: Store
    ) async throws -> ControlModels.SignedTransactionAnswer.Period? {
        guard transaction.type == .autoRenewable else { return nil }
        let newest = try await store.subscriptionStanding(transaction.originalID).subscription.current.transactionID
        return ControlModels.SignedTransactionAnswer.Period(
            begins: transaction.purchaseDate.rfc3339(), ends: transaction.expiresDate?.rfc3339(),
            isNewest: transaction.id == newest, newestTransactionId: newest.description)
    }

    private func answer(
        _ found: (Transaction, App.BundleID), _ store: Store,
        period: ControlModels.SignedTransactionAnswer.Period? = nil
    ) async throws -> Response {
        let (transaction, bundleID) = found
        return try JSONResponse.make(
            ControlModels.SignedTransactionAnswer(
                transactionId: transaction.id.description,
                originalTransactionId: transaction.originalID.description,
                signedTransaction: try await store.signedTransaction(transaction, bundleID: bundleID), period: period))
    }
}
