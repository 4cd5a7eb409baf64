import AppStoreFormats
import Hummingbird
import Perennial
import PerennialStore

/// Get Refund History, in both versions.
struct RefundHistoryEndpoints {
    let api: ServerAPIRoutes

    func add(to router: some RouterMethods<SellerContext>) {
        router.get("inApps/v2/refund/lookup/:transactionId") { request, context in
            try await api.answering(context, .refundHistory) { store, app in
                let history = try await store.refunds.history(
                    ofCustomerOf: try context.transactionID("transactionId"), in: app,
                    after: request.uri.queryParameters["revision"].map(String.init))
                return try JSONResponse.make(
                    RefundHistoryResponse(
                        signedTransactions: try await signed(history.transactions, store, app),
                        revision: history.revision, hasMore: history.hasMore))
            }
        }
        router.get("inApps/v1/refund/lookup/:originalTransactionId") { request, context in
            try await api.answering(context, .refundHistory) { store, app in
                let refunds = try await store.refunds.lastRefunds(
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
            signed.append(try await store.receipts.signedTransaction(transaction, bundleID: app.bundleID))
        }
        return signed
    }
}

/// Send Consumption Information, in both versions.
struct ConsumptionEndpoints {
    let api: ServerAPIRoutes

    func add(to router: some RouterMethods<SellerContext>) {
        router.put("inApps/v1/transactions/consumption/:transactionId") { request, context in
            try await receive(request, context) { .version1(try ConsumptionRequestV1(parsing: $0)) }
        }
        router.put("inApps/v2/transactions/consumption/:transactionId") { request, context in
            try await receive(request, context) { .version2(try ConsumptionRequest(parsing: $0)) }
        }
    }

    private func receive(
        _ request: Request, _ context: SellerContext,
        _ parse: (ServerAPIRequestBody) throws -> ConsumptionInformation.Body
    ) async throws -> Response {
        try await api.answering(context, .consumption) { store, app in
            let id = try context.transactionID("transactionId")
            try await store.refunds.receiveConsumption(try parse(try await request.serverAPIBody()), of: id, in: app)
            return Response(status: .accepted)
        }
    }
}
