import BaseEncoding
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Perennial
import PerennialStore

/// store/v1: a device's requests to the store (docs/reference/store.md).
struct StoreRoutes {
    private static let maximumBodyLength = 131_072

    let stores: StoreResolver

    /// - Parameters:
    ///   - open: Signing in.
    ///   - devices: Purchases, whose use cases look the device's token up in their own transaction.
    ///   - customers: All other requests.
    func add(
        open: RouteGroup<BasicConnectionContext>, devices: RouteGroup<DeviceContext>,
        customers: RouteGroup<CustomerContext>
    ) {
        open.post(
            "devices", "Sign in to an app on a device", errors: [401, 429],
            maximumBodyLength: Self.maximumBodyLength, use: signIn)
        devices.post(
            "purchases", "Buy a product", errors: PurchaseRoutes.refusals,
            maximumBodyLength: Self.maximumBodyLength, use: purchase)
        addAccount(to: customers)
        addTransactions(to: customers)
        addChanges(to: customers)
    }

    private func addAccount(to customers: RouteGroup<CustomerContext>) {
        customers.delete("devices/current", "Remove the app from the device") { (call: Call<NoBody>, context) in
            try await context.store.accounts.uninstall(context.customer)
            return NoContent()
        }
        customers.get("storefront", "The customer's storefront") { (call: Call<NoBody>, context) in
            StoreModels.StorefrontModel(try await context.store.accounts.account(of: context.customer).storefront)
        }
        customers.post(
            "products", "Products in the customer's language and currency", maximumBodyLength: Self.maximumBodyLength,
            use: products)
        customers.get("receipt", "The app receipt") { (call: Call<NoBody>, context) in
            StoreModels.AppReceiptAnswer(
                appReceipt: Base64.encode(try await context.store.receipts.appReceipt(for: context.customer)))
        }
        customers.get("app-transaction", "The download of the app, signed") { (call: Call<NoBody>, context) in
            StoreModels.AppTransactionAnswer(
                signedAppTransaction: try await context.store.receipts.signedAppTransaction(for: context.customer))
        }
    }

    private func addTransactions(to customers: RouteGroup<CustomerContext>) {
        customers.get(
            "purchases/:key", "The outcome of a purchase, by its idempotency key",
            errors: [400] + PurchaseRoutes.refusals, use: outcome)
        customers.post(
            "redemptions", "Redeem an offer code", errors: PurchaseRoutes.refusals,
            maximumBodyLength: Self.maximumBodyLength, use: redeem)
        customers.get("transactions/unfinished", "Transactions the app hasn't finished") {
            (call: Call<NoBody>, context) in
            let (transactions, hasMore) = try await context.store.transactions.unfinished(of: context.customer)
            return StoreModels.Transactions(
                transactions: transactions.map { TransactionModel($0) }, hasMore: hasMore ? true : nil)
        }
        customers.get(
            "transactions/revoked", "Refunded and revoked purchases, by when that became known",
            query: [.afterRevision], use: revoked)
        customers.post("transactions/:id/finish", "Say that the purchase was delivered") {
            (call: Call<NoBody>, context) in
            try await context.store.transactions.finish(try Self.transactionID(context), by: context.customer)
            return NoContent()
        }
        customers.get("transactions/:id/receipt", "The old form of receipt of one transaction") {
            (call: Call<NoBody>, context) in
            let transaction = try await context.store.transactions.transaction(
                try Self.transactionID(context), of: context.customer)
            let receipt = try await context.store.receipts.transactionReceipt(of: transaction, for: context.customer)
            return StoreModels.TransactionReceiptAnswer(transactionReceipt: receipt)
        }
        customers.post("restore", "Restore earlier purchases") { (call: Call<StoreModels.RestoreBody>, context) in
            let body = try await call.body()
            try body.applicationUsername.map(APIError.refuseNUL)
            let restored = try await context.store.restores.restore(
                for: context.customer, applicationUsername: body.applicationUsername)
            return StoreModels.Transactions(transactions: restored.map { TransactionModel($0) })
        }
    }

    private func signIn(
        _ call: Call<StoreModels.SignInBody>, _ context: BasicConnectionContext
    ) async throws -> StoreModels.Session {
        let store = try await stores.store(for: context)
        let body = try await call.body()
        let family = try body.deviceFamily.map { text in
            guard let family = DeviceFamily(rawValue: text) else {
                let known = DeviceFamily.allCases.map(\.rawValue).joined(separator: ", ")
                throw StoreError(.malformed, "deviceFamily", "deviceFamily is one of: \(known)")
            }
            return family
        }
        let address = context.clientAddress
        let session = try await context.untilHangUp {
            try await store.accounts.signIn(
                account: body.account, password: body.password, deviceID: body.deviceId,
                bundleID: App.BundleID(rawValue: body.bundleId), applicationVersion: body.applicationVersion,
                deviceFamily: family, from: address)
        }
        return StoreModels.Session(
            token: session.token, account: session.account.name,
            storefront: StoreModels.StorefrontModel(session.account.storefront),
            canMakePayments: session.account.canMakePayments)
    }

    private func products(
        _ call: Call<StoreModels.ProductsBody>, _ context: CustomerContext
    ) async throws -> StoreModels.ProductsAnswer {
        let body = try await call.body()
        try body.productIds.forEach(APIError.refuseNUL)
        let (products, invalid) = try await context.store.products.list(
            body.productIds.map(Product.ID.init(rawValue:)), language: body.language, for: context.customer)
        return StoreModels.ProductsAnswer(
            products: products.map { ProductModel($0, language: body.language) },
            invalidProductIds: invalid.map(\.rawValue))
    }

    private func purchase(
        _ call: Call<StoreModels.PurchaseBody>, _ context: DeviceContext
    ) async throws -> StoreModels.PurchaseAnswer {
        let (store, token) = (context.caller.store, context.caller.token)
        let body = try await call.body()
        let purchase = PurchaseRequest(
            productID: Product.ID(rawValue: body.productId), quantity: body.quantity ?? 1,
            applicationUsername: try body.customerName(), claim: body.offer?.claim,
            idempotencyKey: body.idempotencyKey ?? call.request.headers[.idempotencyKey])
        let outcome = try await store.askToBuy.buy(purchase, token: token, isSimulated: body.simulatesAskToBuy ?? false)
        guard case .sold(let transaction, let customer) = outcome else { return .waiting }
        var receipt: String?
        if body.includeReceipt == true, let customer {
            receipt = try await store.receipts.transactionReceipt(of: transaction, for: customer)
        }
        let signed = body.includeSigned == true ? try await store.history.signedSale(transaction, for: customer) : nil
        return .sold(TransactionModel(transaction, receipt: receipt, signed: signed))
    }

    private func outcome(_ call: Call<NoBody>, _ context: CustomerContext) async throws -> StoreModels.OutcomeAnswer {
        let store = context.store
        switch try await store.purchases.outcome(forKey: context.parameters.get("key") ?? "", of: context.customer) {
        case .sold(let transaction):
            let receipt = try await store.receipts.transactionReceipt(of: transaction, for: context.customer)
            return .sold(
                TransactionModel(
                    transaction, receipt: receipt,
                    signed: try await store.history.signedSale(transaction, for: context.customer)))
        case .waiting: return .state(.waiting)
        case .declined: return .state(StoreModels.PurchaseState(state: "declined"))
        case .lapsed: return .state(StoreModels.PurchaseState(state: "lapsed"))
        }
    }

    private func redeem(
        _ call: Call<StoreModels.RedemptionBody>, _ context: CustomerContext
    ) async throws -> StoreModels.TransactionAnswer {
        let body = try await call.body()
        let transaction = try await context.store.purchases.redeem(
            body.code, idempotencyKey: body.idempotencyKey ?? call.request.headers[.idempotencyKey],
            by: context.customer)
        let signed =
            body.includeSigned == true
            ? try await context.store.history.signedSale(transaction, for: context.customer) : nil
        return StoreModels.TransactionAnswer(transaction: TransactionModel(transaction, signed: signed))
    }

    private func revoked(_ call: Call<NoBody>, _ context: CustomerContext) async throws -> StoreModels.Transactions {
        let revoked = try await context.store.restores.revokedTransactions(
            of: context.customer, after: call.query(.afterRevision))
        return StoreModels.Transactions(
            transactions: revoked.transactions.map { TransactionModel($0) }, hasMore: revoked.hasMore ? true : nil,
            revision: revoked.revision)
    }

    static func transactionID(_ context: CustomerContext) throws -> TransactionID {
        guard let id = context.parameters.get("id").flatMap({ TransactionID($0) }) else {
            throw APIError(.notFound, "transactionNotFound", "a transaction is named by its number", skError: 0)
        }
        return id
    }
}

extension QueryParameter {
    static let afterRevision = QueryParameter("after", .described("The revision of an earlier answer"))
}

extension HTTPField.Name {
    static let idempotencyKey = Self("Idempotency-Key")!
}
