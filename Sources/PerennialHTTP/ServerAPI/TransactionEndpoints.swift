import AppStoreFormats
import Hummingbird
import Perennial
import PerennialStore

/// What the App Store Server API says of single transactions.
struct TransactionEndpoints {
    let api: ServerAPIRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("inApps/v1/transactions/:transactionId") { request, context in
            let (store, app) = try await api.authorized(request, context, .transactionInfo)
            let transaction = try await store.transaction(try context.transactionID(), of: app)
            let signed = try await store.signedTransaction(transaction, bundleID: app.bundleID)
            return JSONResponse.make { json in
                json.beginObject()
                json.string("signedTransactionInfo", signed)
                json.endObject()
            }
        }
    }
}

extension RequestContext {
    /// The number that the path names a transaction by.
    ///
    /// - Throws: ``ServerAPIError`` `.invalidTransactionID`, or the code that the endpoint has for it.
    func transactionID(
        _ parameter: String = "transactionId", else code: ServerAPIErrorCode = .invalidTransactionID
    ) throws -> TransactionID {
        guard let id = parameters.get(parameter).flatMap({ TransactionID($0) }) else { throw ServerAPIError(code) }
        return id
    }
}
