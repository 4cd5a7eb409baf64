import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/apps/BUNDLE_ID/refunds: the refunded transactions of an app.
struct RefundListRoutes {
    private struct Answer: AnswerModel {
        var refunds: [ListedTransactionModel]
        /// The `after` of the next page; missing on the last.
        var next: String?
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "apps/:bundleId/refunds", "An app's refunds, the newest purchase dates first",
            query: [
                .listAccount, .listProduct, .productType, .refundReason, .refundedFrom, .refundedUntil, .pageLimit,
                .afterPair,
            ], use: refunds)
    }

    private func refunds(_ call: Call<NoBody>, _ context: ControlContext) async throws -> Answer {
        let reason = try call.query(.refundReason).map { text -> Transaction.Revocation.Reason in
            guard let reason = Int64(text).flatMap(Transaction.Revocation.Reason.init(rawValue:)) else {
                throw APIError(.badRequest, "malformedRequest", "reason is 0 or 1", field: "reason")
            }
            return reason
        }
        let filter = TransactionFilter(
            account: call.query(.listAccount), product: call.query(.listProduct).map(Product.ID.init(rawValue:)),
            type: try call.query(.productType).map { try ControlFields.value($0, field: "type") }, state: .refunded,
            refund: RefundFilter(
                reason: reason,
                from: try call.query(.refundedFrom).map { try ControlFields.time($0, field: "fromDate") },
                until: try call.query(.refundedUntil).map { try ControlFields.time($0, field: "untilDate") }))
        let (page, now) = try await context.store.transactions.list(
            of: context.bundleID, filter, after: call.query(.afterPair), limit: try call.pageLimit())
        return Answer(refunds: page.items.map { ListedTransactionModel($0, at: now) }, next: page.next)
    }
}

extension QueryParameter {
    fileprivate static let refundReason = QueryParameter(
        "reason", .oneOf(Transaction.Revocation.Reason.allCases.map(\.rawValue)), type: "integer")
    fileprivate static let refundedFrom = QueryParameter(
        "fromDate", .moment.and(.described("The earliest date of a refund")))
    fileprivate static let refundedUntil = QueryParameter(
        "untilDate", .moment.and(.described("The end of the dates of refunds, itself excluded")))
}
