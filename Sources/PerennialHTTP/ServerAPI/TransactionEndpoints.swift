import AppStoreFormats
import FastJSON
import Hummingbird
import Perennial
import PerennialStore

/// Endpoints that read and change single transactions.
struct TransactionEndpoints {
    let api: ServerAPIRoutes

    func add(to router: some RouterMethods<SellerContext>) {
        router.get("inApps/v1/transactions/:transactionId") { request, context in
            let (store, caller) = try await api.counted(context, .transactionInfo)
            let signed = try await store.history.signedTransaction(try context.transactionID(), for: caller)
            return JSONResponse.make(capacity: signed.count + 64) { json in
                json.beginObject()
                json.written("signedTransactionInfo", signed)
                json.endObject()
            }
        }
        router.get("inApps/v1/transactions/appTransactions/:transactionId") { request, context in
            try await api.answering(context, .unlimited) { store, app in
                let signed = try await store.history.signedAppTransaction(
                    ofCustomerOf: try context.transactionID(), in: app)
                return JSONResponse.make(capacity: signed.utf8.count + 64) { json in
                    json.beginObject()
                    json.string("signedAppTransactionInfo", signed)
                    json.endObject()
                }
            }
        }
        router.put("inApps/v1/transactions/:transactionId/appAccountToken") { request, context in
            try await api.answering(context, .unlimited) { store, app in
                let id = try context.transactionID()
                let token = try UpdateAppAccountTokenRequest(parsing: try await request.serverAPIBody())
                try await store.transactions.setAppAccountToken(token.appAccountToken, of: id, in: app)
                return Response(status: .ok)
            }
        }
        router.post("inApps/v1/transactions/:transactionId/finish") { request, context in
            try await api.answering(context, .unlimited) { store, app in
                try await store.transactions.finish(try context.transactionID(), in: app)
                return Response(status: .ok)
            }
        }
    }
}

extension RequestContext {
    /// Reads the number by which the path names a transaction.
    ///
    /// - Throws: ``ServerAPIError`` `.invalidTransactionID`, or the code that the endpoint has for it.
    func transactionID(
        _ parameter: String = "transactionId", else code: ServerAPIErrorCode = .invalidTransactionID
    ) throws -> TransactionID {
        guard let id = parameters.get(parameter).flatMap({ TransactionID($0) }) else { throw ServerAPIError(code) }
        return id
    }
}
