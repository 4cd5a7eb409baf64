import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/transactions: refunds that are asked for, granted, declined and reversed.
struct RefundRoutes {
    private struct ReasonBody: RequestModel {
        var reason: String?

        static let constraints: [String: Constraint] = ["reason": .oneOf(RefundRequestReason.self)]
    }

    private struct RefundBody: RequestModel {
        var reason: Int64?
        /// The share of 100.
        var percentage: Int64?
        /// A ``RefundedPeriod`` of a subscription.
        var period: String?

        static let constraints: [String: Constraint] = [
            "reason": .oneOf([0, 1]), "percentage": .range(Int64(1)...100), "period": .oneOf(RefundedPeriod.self),
        ]
    }

    private struct TransactionAnswer: AnswerModel {
        /// One of a subscription's periods.
        struct Period: Model, Encodable {
            /// RFC 3339.
            var begins: String
            var ends: String?
            var isNewest: Bool
            var newestTransactionId: String

            static let constraints: [String: Constraint] = ["begins": .time, "ends": .time]
        }

        var transactionId: String
        var originalTransactionId: String
        var signedTransaction: String
        var decoded: DecodedMembers?
        /// The refunded period of a subscription.
        var period: Period?

        static let constraints: [String: Constraint] = ["signedTransaction": .jws]

        init(_ found: (Transaction, App.BundleID), _ store: Store, period: Period? = nil) async throws {
            let (transaction, bundleID) = found
            transactionId = transaction.id.description
            originalTransactionId = transaction.originalID.description
            signedTransaction = try await store.receipts.signedTransaction(transaction, bundleID: bundleID)
            decoded = DecodedMembers(["signedTransaction": signedTransaction])
            self.period = period
        }
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.post("transactions/:id/refund", "Refund a transaction", errors: [409], use: refund)
        routes.post("transactions/:id/reverse-refund", "Undo a refund", errors: [409], use: reverse)
        routes.post("transactions/:id/request-refund", "Ask for a refund, as a customer", errors: [409], use: request)
        routes.post(
            "transactions/:id/decline-refund", "Decline a refund that was asked for", errors: [409], use: decline)
    }

    private func reverse(_ call: Call<NoBody>, _ context: ControlContext) async throws -> TransactionAnswer {
        let id = try context.namedTransaction()
        return try await TransactionAnswer(try await context.store.refunds.reverse(id), context.store)
    }

    private func request(_ call: Call<ReasonBody?>, _ context: ControlContext) async throws -> TransactionAnswer {
        let id = try context.namedTransaction()
        let word = try await call.body()?.reason
        let reason: RefundRequestReason = try word.map { try ControlFields.value($0, field: "reason") } ?? .other
        return try await TransactionAnswer(try await context.store.refunds.request(id, reason: reason), context.store)
    }

    private func decline(_ call: Call<NoBody>, _ context: ControlContext) async throws -> TransactionAnswer {
        let id = try context.namedTransaction()
        return try await TransactionAnswer(try await context.store.refunds.decline(id), context.store)
    }

    private func refund(_ call: Call<RefundBody?>, _ context: ControlContext) async throws -> TransactionAnswer {
        let body = try await call.body() ?? RefundBody()
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
        let id = try context.namedTransaction()
        let share: Refund.Share = body.percentage.map { .percentage(milliunits: $0 * 1000) } ?? .full
        let refunded = try await context.store.refunds.refund(id, Refund(share, reason: reason), of: period)
        return try await TransactionAnswer(
            refunded, context.store, period: try await Self.period(of: refunded.0, context.store))
    }

    /// The period of a subscription that was refunded; `nil` for anything else.
    private static func period(of transaction: Transaction, _ store: Store) async throws -> TransactionAnswer.Period? {
        guard transaction.type == .autoRenewable else { return nil }
        let newest = try await store.subscriptions.snapshot(of: transaction.originalID).subscription.current
            .transactionID
        return TransactionAnswer.Period(
            begins: transaction.purchaseDate.rfc3339(), ends: transaction.expiresDate?.rfc3339(),
            isNewest: transaction.id == newest, newestTransactionId: newest.description)
    }
}
