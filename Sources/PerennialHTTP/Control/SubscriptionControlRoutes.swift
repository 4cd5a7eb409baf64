import Hummingbird
import Perennial
import PerennialStore

/// control/v1/subscriptions: what a test or an operator does to a subscription.
struct SubscriptionControlRoutes {
    private struct EnabledBody: Decodable { var enabled: Bool }
    private struct ChangeBody: Decodable { var productId: String }
    private struct PaymentBody: Decodable { var method: String }
    private struct ConsentBody: Decodable { var accepted: Bool }

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/subscriptions/:id") { request, context in
            let (store, id) = try await control.subscription(request, context)
            return try await control.answer(try await store.subscriptionStanding(id), store)
        }
        router.post("control/v1/subscriptions/:id/auto-renew") { request, context in
            let (store, id) = try await control.subscription(request, context)
            let body = try await request.controlJSON(EnabledBody.self)
            return try await control.answer(try await store.act(.setAutoRenew(body.enabled), on: id), store)
        }
        router.post("control/v1/subscriptions/:id/change") { request, context in
            let (store, id) = try await control.subscription(request, context)
            let body = try await request.controlJSON(ChangeBody.self)
            return try await control.answer(
                try await store.act(.change(Product.ID(rawValue: body.productId)), on: id), store)
        }
        router.post("control/v1/subscriptions/:id/payment") { request, context in
            let (store, id) = try await control.subscription(request, context)
            let body = try await request.controlJSON(PaymentBody.self)
            let method: Account.PaymentMethod = try control.parse(body.method, field: "method")
            return try await control.answer(try await store.setPaymentMethod(method, of: id), store)
        }
        router.post("control/v1/subscriptions/:id/price-consent") { request, context in
            let (store, id) = try await control.subscription(request, context)
            let body = try await request.controlJSON(ConsentBody.self)
            return try await control.answer(
                try await store.act(.answerPriceIncrease(accepted: body.accepted), on: id), store)
        }
        router.post("control/v1/subscriptions/:id/expire") { request, context in
            let (store, id) = try await control.subscription(request, context)
            return try await control.answer(try await store.act(.expire, on: id), store)
        }
        router.post("control/v1/subscriptions/:id/renew") { request, context in
            let (store, id) = try await control.subscription(request, context)
            return try await control.answer(try await store.act(.renew, on: id), store)
        }
    }
}

/// How a subscription stands, with what is signed about it.
private struct StandingAnswer: Encodable {
    var transactionId: String
    var originalTransactionId: String
    var status: Int64
    var signedTransaction: String
    var signedRenewalInfo: String
}

extension ControlRoutes {
    /// The subscription that a path names.
    func subscription(
        _ request: Request, _ context: some RequestContext
    ) async throws -> (Store, TransactionID) {
        let store = try await authorized(request, context)
        guard let id = context.parameters.get("id").flatMap({ TransactionID($0) }) else {
            throw APIError(
                .notFound, "transactionNotFound", "a subscription is named by its original transaction's number")
        }
        return (store, id)
    }

    func answer(_ standing: SubscriptionStanding, _ store: Store) async throws -> Response {
        try JSONResponse.make(
            StandingAnswer(
                transactionId: standing.transaction.id.description,
                originalTransactionId: standing.subscription.id.description,
                status: standing.subscription.status(at: try await store.now()).rawValue,
                signedTransaction: try await store.signedTransaction(
                    standing.transaction, bundleID: standing.bundleID),
                signedRenewalInfo: try await store.signedRenewalInfo(standing.subscription)))
    }
}
