import AppStoreFormats
import FastJSON
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

/// Endpoints about all purchases of a customer: histories, the statuses of subscriptions, orders.
struct HistoryEndpoints {
    /// The approximate length of a signed transaction, with its certificates.
    private static let signedLength = 4096

    let api: ServerAPIRoutes

    func add(to router: some RouterMethods<SellerContext>) {
        router.get("inApps/v2/history/:transactionId") { request, context in
            try await history(request, context, version: 2)
        }
        router.get("inApps/v1/history/:transactionId") { request, context in
            try await history(request, context, version: 1)
        }
        router.get("inApps/v1/subscriptions/:transactionId") { request, context in
            try await statuses(request, context)
        }
        router.get("inApps/v1/lookup/:orderId") { request, context in
            try await api.answering(context, .orderLookup) { store, app in
                // Apple's sandbox has no orders, and no such path.
                guard store.environment.kind == .production else { return Response(status: .notFound) }
                return try await order(context.name("orderId"), store, app)
            }
        }
    }

    private func history(
        _ request: Request, _ context: SellerContext, version: Int
    ) async throws -> Response {
        let (store, caller) = try await api.counted(context, .transactionHistory)
        let query = HistoryQuery(request)
        let answer = try await store.history.transactionHistory(
            ofCustomerOf: try context.transactionID(), try query.filter(version: version), after: query.revision,
            for: caller, api.histories
        ) { history in
            let answer = Self.answer(history, store.environment.kind)
            return (answer, answer.readableBytes)
        }
        return JSONResponse.buffer(answer)
    }

    private static func answer(_ history: TransactionHistory, _ kind: StoreEnvironment.Kind) -> ByteBuffer {
        let length = history.signedTransactions.reduce(512) { $0 + $1.count + 1 }
        return JSONResponse.write(capacity: length) { json in
            json.beginObject()
            json.string("revision", history.revision)
            json.bool("hasMore", history.hasMore)
            json.string("bundleId", history.app.bundleID.rawValue)
            json.number("appAppleId", history.app.appleID)
            json.string("environment", kind.rawValue)
            json.beginArray("signedTransactions")
            for transaction in history.signedTransactions { json.element(written: transaction) }
            json.endArray()
            json.endObject()
        }
    }

    private func statuses(_ request: Request, _ context: SellerContext) async throws -> Response {
        let (store, caller) = try await api.counted(context, .subscriptionStatuses)
        let wanted = try HistoryQuery(request).statuses()
        let statuses = try await store.history.subscriptionStatuses(
            ofCustomerOf: try context.transactionID(), wanted, for: caller)
        return JSONResponse.make(capacity: Self.signedLength) { json in
            json.beginObject()
            json.string("environment", store.environment.kind.rawValue)
            json.string("bundleId", statuses.app.bundleID.rawValue)
            json.number("appAppleId", statuses.app.appleID)
            json.beginArray("data")
            for group in statuses.groups { write(group, to: &json) }
            json.endArray()
            json.endObject()
        }
    }

    private func write(_ group: SubscriptionStatuses.Group, to json: inout JSONWriter) {
        json.beginObject()
        json.string("subscriptionGroupIdentifier", group.id)
        json.beginArray("lastTransactions")
        for item in group.items {
            json.beginObject()
            json.number("status", item.status.rawValue)
            json.string("originalTransactionId", item.originalTransactionID.description)
            json.written("signedTransactionInfo", item.signedTransaction)
            json.written("signedRenewalInfo", item.signedRenewalInfo)
            json.endObject()
        }
        json.endArray()
        json.endObject()
    }

    /// - Parameter id: An order's number; any other text is answered with status 1.
    private func order(_ id: String, _ store: Store, _ app: App) async throws -> Response {
        let signed = try await store.history.signedTransaction(ofOrder: id, in: app)
        return JSONResponse.make(capacity: Self.signedLength) { json in
            json.beginObject()
            json.number("status", signed == nil ? 1 : 0)
            if let signed {
                json.beginArray("signedTransactions")
                json.element(written: signed)
                json.endArray()
            }
            json.endObject()
        }
    }
}
