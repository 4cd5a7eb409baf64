import AppStoreFormats
import Hummingbird
import Perennial
import PerennialStore

/// Get Refund History, in both versions.
struct RefundHistoryRoutes {
    let api: ServerAPIRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("inApps/v2/refund/lookup/:transactionId") { request, context in
            try await api.answering(request, context, .refundHistory) { store, app in
                let history = try await store.refundHistory(
                    ofCustomerOf: try context.transactionID("transactionId"), in: app,
                    after: request.uri.queryParameters["revision"].map(String.init))
                return try JSONResponse.make(
                    RefundHistoryResponse(
                        signedTransactions: try await signed(history.transactions, store, app),
                        revision: history.revision, hasMore: history.hasMore))
            }
        }
        router.get("inApps/v1/refund/lookup/:originalTransactionId") { request, context in
            try await api.answering(request, context, .refundHistory) { store, app in
                let refunds = try await store.lastRefunds(
                    ofCustomerOf: try context.transactionID(
                        "originalTransactionId", else: .invalidOriginalTransactionID), in: app)
                return try JSONResponse.make(
                    RefundLookupResponse(signedTransactions: try await signed(refunds, store, app)))
            }
        }
    }

    private func signed(_ transactions: [Transaction], _ store: Store, _ app: App) async throws -> [String] {
        var signed: [String] = []
        for transaction in transactions {
            signed.append(try await store.signedTransaction(transaction, bundleID: app.bundleID))
        }
        return signed
    }
}
