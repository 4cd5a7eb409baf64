import AppStoreFormats
import Hummingbird
import Perennial
import PerennialStore

/// Advanced Commerce: the calls that apply to a store that sells a catalog, and Apple's refusal for the others.
struct AdvancedCommerceEndpoints {
    let api: ServerAPIRoutes

    func add(to router: some RouterMethods<SellerContext>) {
        let commerce = router.group("advancedCommerce/v1")
        commerce.post("subscription/cancel/:transactionId") { request, context in
            try await change(request, context) { store, app, id, body in
                try await store.advancedCommerce.cancel(try AdvancedCommerceCancelRequest(parsing: body), id, in: app)
            }
        }
        commerce.post("subscription/revoke/:transactionId") { request, context in
            try await change(request, context) { store, app, id, body in
                try await store.advancedCommerce.revoke(try AdvancedCommerceRevokeRequest(parsing: body), id, in: app)
            }
        }
        commerce.post("transaction/requestRefund/:transactionId") { request, context in
            try await change(request, context) { store, app, id, body in
                try await store.advancedCommerce.refund(try AdvancedCommerceRefundRequest(parsing: body), id, in: app)
            }
        }
        for refused in ["changeMetadata", "changePrice", "migrate"] {
            commerce.post("subscription/\(refused)/:transactionId") { request, context in
                try await change(request, context) { store, app, id, body in
                    _ = try AdvancedCommerceCancelRequest(parsing: body)
                    try await store.advancedCommerce.refuseChange(id, in: app)
                }
            }
        }
    }

    private func change(
        _ request: Request, _ context: SellerContext,
        _ body: (Store, App, TransactionID, ServerAPIRequestBody) async throws -> AdvancedCommerceOutcome
    ) async throws -> Response {
        try await api.answering(context, .unlimited) { store, app in
            let id = try context.transactionID("transactionId")
            let outcome = try await body(store, app, id, try await request.serverAPIBody())
            var renewalInfo: String?
            if let subscription = outcome.subscription {
                renewalInfo = try await store.receipts.signedRenewalInfo(subscription)
            }
            return try JSONResponse.make(
                AdvancedCommerceResponse(
                    signedTransactionInfo: try await store.receipts.signedTransaction(
                        outcome.transaction, bundleID: app.bundleID), signedRenewalInfo: renewalInfo))
        }
    }
}
