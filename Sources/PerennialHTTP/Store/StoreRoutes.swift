import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

/// store/v1: what a device says to the store (docs/protocols/store.md).
struct StoreRoutes {
    private static let maximumBodyBytes = 131_072

    let stores: StoreResolver

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("store/v1/devices") { request, context in try await signIn(request, context) }
        router.delete("store/v1/devices/current") { request, context in
            let (store, customer) = try await authorized(request, context)
            try await store.uninstall(customer)
            return Response(status: .noContent)
        }
        router.get("store/v1/storefront") { request, context in
            let (store, customer) = try await authorized(request, context)
            return try JSONResponse.make(StoreModels.StorefrontModel(try await store.account(of: customer).storefront))
        }
        router.post("store/v1/products") { request, context in try await products(request, context) }
        router.post("store/v1/purchases") { request, context in try await purchase(request, context) }
        router.get("store/v1/purchases/:key") { request, context in try await outcome(request, context) }
        router.post("store/v1/redemptions") { request, context in try await redeem(request, context) }
        router.get("store/v1/transactions/unfinished") { request, context in
            let (store, customer) = try await authorized(request, context)
            let (transactions, hasMore) = try await store.unfinished(of: customer)
            let answer = StoreModels.Transactions(
                transactions: transactions.map { TransactionModel($0) }, hasMore: hasMore ? true : nil)
            return JSONResponse.make(write: answer.write)
        }
        router.get("store/v1/transactions/revoked") { request, context in
            let (store, customer) = try await authorized(request, context)
            let revoked = try await store.revokedTransactions(
                of: customer, after: request.uri.queryParameters["after"].map(String.init))
            let answer = StoreModels.Transactions(
                transactions: revoked.transactions.map { TransactionModel($0) }, hasMore: revoked.hasMore ? true : nil,
                revision: revoked.revision)
            return JSONResponse.make(write: answer.write)
        }
        router.post("store/v1/transactions/:id/finish") { request, context in
            let (store, customer) = try await authorized(request, context)
            try await store.finish(try transactionID(context), by: customer)
            return Response(status: .noContent)
        }
        router.get("store/v1/transactions/:id/receipt") { request, context in
            let (store, customer) = try await authorized(request, context)
            let transaction = try await store.transaction(try transactionID(context), of: customer)
            let receipt = try await store.transactionReceipt(of: transaction, for: customer)
            return try JSONResponse.make(StoreModels.TransactionReceiptAnswer(transactionReceipt: receipt))
        }
        router.post("store/v1/restore") { request, context in try await restore(request, context) }
        router.get("store/v1/receipt") { request, context in
            let (store, customer) = try await authorized(request, context)
            let receipt = try await store.appReceipt(for: customer)
            return try JSONResponse.make(
                StoreModels.AppReceiptAnswer(appReceipt: Data(receipt).base64EncodedString()))
        }
    }

    private func signIn(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let store = try await stores.store(for: context)
        let body = try await request.json(StoreModels.SignIn.self, upTo: Self.maximumBodyBytes)
        let address = context.clientAddress
        let session = try await context.untilHangUp {
            try await store.signIn(
                account: body.account, password: body.password, deviceID: body.deviceId,
                bundleID: App.BundleID(rawValue: body.bundleId), applicationVersion: body.applicationVersion,
                from: address)
        }
        return try JSONResponse.make(
            StoreModels.Session(
                token: session.token, account: session.account.name,
                storefront: StoreModels.StorefrontModel(session.account.storefront),
                canMakePayments: session.account.canMakePayments))
    }

    private func products(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (store, customer) = try await authorized(request, context)
        let body = try await request.json(StoreModels.ProductsRequest.self, upTo: Self.maximumBodyBytes)
        let (products, invalid) = try await store.products(
            body.productIds.map(Product.ID.init(rawValue:)), language: body.language, for: customer)
        return try JSONResponse.make(
            StoreModels.Products(
                products: products.map { ProductModel($0, language: body.language) },
                invalidProductIds: invalid.map(\.rawValue)))
    }

    private func purchase(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let store = try await stores.store(for: context)
        let token = try request.bearerToken()
        let bytes = try await request.collected(upTo: Self.maximumBodyBytes)
        let body =
            try StoreModels.PurchaseBody(scanning: Array(bytes.readableBytesView))
            ?? Request.decode(StoreModels.PurchaseBody.self, from: bytes)
        let purchase = PurchaseRequest(
            productID: Product.ID(rawValue: body.productId), quantity: body.quantity ?? 1,
            applicationUsername: body.applicationUsername, claim: body.offer?.claim,
            idempotencyKey: body.idempotencyKey ?? request.headers[.idempotencyKey])
        // Only sandbox simulates; in production the account's family decides.
        if body.simulatesAskToBuy == true, store.environment.kind == .sandbox {
            guard let sold = try await store.askToBuy(purchase, token: token) else {
                return try JSONResponse.make(StoreModels.PurchaseState(.waiting), status: .accepted)
            }
            let answer = StoreModels.TransactionAnswer(transaction: TransactionModel(sold))
            return JSONResponse.make(write: answer.write)
        }
        let (transaction, customer) = try await store.purchase(purchase, token: token)
        let receipt =
            body.includeReceipt == true ? try await store.transactionReceipt(of: transaction, for: customer) : nil
        let answer = StoreModels.TransactionAnswer(transaction: TransactionModel(transaction, receipt: receipt))
        return JSONResponse.make(write: answer.write)
    }

    /// What became of a purchase that this customer asked for under a key.
    private func outcome(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (store, customer) = try await authorized(request, context)
        let outcome = try await store.purchaseOutcome(forKey: context.parameters.get("key") ?? "", of: customer)
        guard case .sold(let transaction) = outcome else {
            return try JSONResponse.make(StoreModels.PurchaseState(outcome))
        }
        let receipt = try await store.transactionReceipt(of: transaction, for: customer)
        let answer = StoreModels.TransactionAnswer(transaction: TransactionModel(transaction, receipt: receipt))
        return JSONResponse.make(write: answer.write)
    }

    private func redeem(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (store, customer) = try await authorized(request, context)
        let body = try await request.json(StoreModels.RedemptionBody.self, upTo: Self.maximumBodyBytes)
        let transaction = try await store.redeem(
            body.code, idempotencyKey: body.idempotencyKey ?? request.headers[.idempotencyKey], by: customer)
        let answer = StoreModels.TransactionAnswer(transaction: TransactionModel(transaction))
        return JSONResponse.make(write: answer.write)
    }

    private func restore(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let (store, customer) = try await authorized(request, context)
        let body = try await request.json(StoreModels.RestoreRequest.self)
        let restored = try await store.restore(for: customer, applicationUsername: body.applicationUsername)
        let answer = StoreModels.Transactions(transactions: restored.map { TransactionModel($0) }, hasMore: nil)
        return JSONResponse.make(write: answer.write)
    }

    private func authorized(
        _ request: Request, _ context: some RequestContext
    ) async throws -> (Store, Customer) {
        let store = try await stores.store(for: context)
        return (store, try await store.customer(token: try request.bearerToken()))
    }

    private func transactionID(_ context: some RequestContext) throws -> TransactionID {
        guard let id = context.parameters.get("id").flatMap({ TransactionID($0) }) else {
            throw APIError(.notFound, "transactionNotFound", "a transaction is named by its number", skError: 0)
        }
        return id
    }
}

extension HTTPField.Name {
    static let idempotencyKey = Self("Idempotency-Key")!
}

extension Request {
    /// The token of an `Authorization: Bearer` header.
    ///
    /// - Throws: ``APIError`` `unauthorized`.
    func bearerToken() throws -> String {
        // The scheme's name is in any case.
        guard let header = headers[.authorization]?.utf8,
            zip(header, "bearer ".utf8).allSatisfy({ $0 == $1 || $0 | 0x20 == $1 }),
            case let token = header.dropFirst(7), (1...512).contains(token.count)
        else {
            throw APIError(
                .unauthorized, "unauthorized", "the request needs the header Authorization: Bearer TOKEN", skError: 1)
        }
        return String(Substring(token))
    }
}
