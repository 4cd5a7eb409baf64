import Hummingbird
import Perennial
import PerennialStore

/// The requests of StoreKit 2: what changed, refund requests, messages and consent to prices.
extension StoreRoutes {
    /// The longest wait for changes, in seconds. Proxies end requests after half a minute or more.
    fileprivate static let waits = 0...25

    func addChanges(to customers: RouteGroup<CustomerContext>) {
        customers.get(
            "changes", "Changes of the customer's purchases, signed", query: [.afterChange, .waitSeconds],
            use: changes)
        customers.post("transactions/:id/refund-request", "Request a refund", errors: [409], use: requestRefund)
        customers.get("messages", "Messages to show to the customer") { (call: Call<NoBody>, context) in
            StoreModels.Messages(try await context.store.subscriptions.messages(to: context.customer))
        }
        customers.post("subscriptions/:id/price-consent", "Answer a price increase", errors: [409]) {
            (call: Call<StoreModels.ConsentBody>, context) in
            let body = try await call.body()
            try await context.store.subscriptions.answerPriceIncrease(
                of: try Self.transactionID(context), accepted: body.accepted, by: context.customer)
            return NoContent()
        }
    }

    private func requestRefund(
        _ call: Call<StoreModels.RefundBody?>, _ context: CustomerContext
    ) async throws -> StoreModels.RefundAnswer {
        let reason = try await call.body()?.reason.map { text in
            guard let reason = RefundRequestReason(rawValue: text) else {
                let known = RefundRequestReason.allCases.map(\.rawValue).joined(separator: ", ")
                throw StoreError(.malformed, "reason", "a reason is one of: \(known)")
            }
            return reason
        }
        try await context.store.refunds.request(
            try Self.transactionID(context), reason: reason ?? .other, by: context.customer)
        return StoreModels.RefundAnswer()
    }

    private func changes(_ call: Call<NoBody>, _ context: CustomerContext) async throws -> StoreModels.Changes {
        let (history, customer) = (context.store.history, context.customer)
        let revision = call.query(.afterChange)
        var seconds = 0
        if let text = call.query(.waitSeconds) {
            guard let number = Int(text), Self.waits.contains(number) else {
                throw StoreError(.malformed, "wait", "wait is 0 to \(Self.waits.upperBound) seconds")
            }
            seconds = number
        }
        guard seconds > 0 else {
            return StoreModels.Changes(try await history.changes(of: customer, after: revision))
        }
        let wait = Duration.seconds(seconds)
        return StoreModels.Changes(
            try await context.untilHangUpOrShutdown {
                try await history.changes(of: customer, after: revision, waiting: wait)
            })
    }
}

extension QueryParameter {
    /// 48 bytes in base64url, or 32 of an earlier version. One of this form that isn't the customer's starts the list again.
    fileprivate static let afterChange = QueryParameter(
        "after",
        .pattern(
            "^[A-Za-z0-9_-]{42}([AEIMQUYcgkosw048]|[A-Za-z0-9_-]{22})$", "The revision of an earlier answer"))
    fileprivate static let waitSeconds = QueryParameter("wait", .range(StoreRoutes.waits), type: "integer")
}
