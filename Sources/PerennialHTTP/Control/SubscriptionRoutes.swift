import Perennial
import PerennialStore

/// control/v1/subscriptions and quarantine: a subscription, changed by a test or an operator.
struct SubscriptionRoutes {
    private struct EnabledBody: RequestModel { var enabled: Bool }
    private struct ChangeBody: RequestModel { var productId: String }
    private struct ConsentBody: RequestModel { var accepted: Bool }

    private struct PaymentBody: RequestModel {
        var method: String

        static let constraints: [String: Constraint] = ["method": .oneOf(Account.PaymentMethod.self)]
    }

    private struct QuarantineAnswer: AnswerModel {
        struct Item: Model, Encodable {
            var originalTransactionId: String
            var bundleId: String
            var since: String
            var reason: String

            static let constraints: [String: Constraint] = ["since": .time]
        }

        var subscriptions: [Item]
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("subscriptions/:id", "A subscription by its original transaction ID", errors: [409]) {
            (call: Call<NoBody>, context) in
            let id = try context.namedSubscription()
            return try await SubscriptionAnswer(try await context.store.subscriptions.snapshot(of: id), context.store)
        }
        routes.post("subscriptions/:id/auto-renew", "Turn renewal on or off", errors: [409]) {
            (call: Call<EnabledBody>, context) in
            let id = try context.namedSubscription()
            return try await Self.act(.setAutoRenew(try await call.body().enabled), id, context.store)
        }
        routes.post("subscriptions/:id/change", "Choose another product of the group", errors: [409]) {
            (call: Call<ChangeBody>, context) in
            let id = try context.namedSubscription()
            let product = Product.ID(rawValue: try await call.body().productId)
            return try await Self.act(.change(product), id, context.store)
        }
        routes.post("subscriptions/:id/payment", "Give the account another payment method", errors: [409]) {
            (call: Call<PaymentBody>, context) in
            let id = try context.namedSubscription()
            let method: Account.PaymentMethod = try ControlFields.value(
                try await call.body().method, field: "method")
            return try await SubscriptionAnswer(
                try await context.store.subscriptions.setPaymentMethod(method, of: id), context.store)
        }
        routes.post("subscriptions/:id/price-consent", "Answer a price increase", errors: [409]) {
            (call: Call<ConsentBody>, context) in
            let id = try context.namedSubscription()
            let accepted = try await call.body().accepted
            return try await Self.act(.answerPriceIncrease(accepted: accepted), id, context.store)
        }
        routes.post("subscriptions/:id/expire", "End the subscription now", errors: [409]) {
            (call: Call<NoBody>, context) in
            try await Self.act(.expire, try context.namedSubscription(), context.store)
        }
        routes.post("subscriptions/:id/renew", "Renew ahead of time", errors: [409]) {
            (call: Call<NoBody>, context) in
            try await Self.act(.renew, try context.namedSubscription(), context.store)
        }
        addQuarantine(to: routes)
    }

    private func addQuarantine(to routes: RouteGroup<ControlContext>) {
        routes.get("quarantine", "Subscriptions that are left out of the work, because it fails for them") {
            (call: Call<NoBody>, context) in
            QuarantineAnswer(
                subscriptions: try await context.store.renewals.quarantined().map {
                    QuarantineAnswer.Item(
                        originalTransactionId: $0.id.description, bundleId: $0.bundleID.rawValue,
                        since: $0.since.rfc3339(), reason: $0.reason)
                })
        }
        routes.post("quarantine/:id/release", "Put a subscription back to work", errors: [409]) {
            (call: Call<NoBody>, context) in
            try await context.store.renewals.releaseFromQuarantine(try context.namedSubscription())
            return NoContent()
        }
    }

    private static func act(
        _ action: Subscriptions.Action, _ id: TransactionID, _ store: Store
    ) async throws -> SubscriptionAnswer {
        try await SubscriptionAnswer(try await store.subscriptions.perform(action, on: id), store)
    }
}

/// A subscription's state, with its signed documents.
struct SubscriptionAnswer: AnswerModel {
    var transactionId: String
    var originalTransactionId: String
    var status: Int64
    var signedTransaction: String
    var signedRenewalInfo: String
    var decoded: DecodedMembers?

    static let constraints: [String: Constraint] = [
        "status": .oneOf(SubscriptionStatus.allCases.map(\.rawValue)), "signedTransaction": .jws,
        "signedRenewalInfo": .jws,
    ]

    init(_ snapshot: SubscriptionSnapshot, _ store: Store) async throws {
        transactionId = snapshot.transaction.id.description
        originalTransactionId = snapshot.subscription.id.description
        status = snapshot.subscription.status(at: try await store.now()).rawValue
        signedTransaction = try await store.receipts.signedTransaction(
            snapshot.transaction, bundleID: snapshot.bundleID)
        signedRenewalInfo = try await store.receipts.signedRenewalInfo(snapshot.subscription)
        decoded = DecodedMembers([
            "signedTransaction": signedTransaction, "signedRenewalInfo": signedRenewalInfo,
        ])
    }
}
