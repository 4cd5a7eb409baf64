import Crypto
import Foundation
import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// control/v1: what a test or an operator does to an environment. Every request carries the control token.
struct ControlRoutes {
    static let maximumBodyBytes = 65_536

    let stores: StoreResolver
    let controlToken: String

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.post("control/v1/accounts") { request, context in try await putAccount(request, context) }
        router.get("control/v1/accounts/:account") { request, context in
            let store = try await authorized(request, context)
            let name = context.parameters.get("account")?.removingPercentEncoding
            let account = try await store.account(named: name ?? "")
            return try JSONResponse.make(ControlModels.AccountModel(account))
        }
        router.post("control/v1/purchases") { request, context in try await purchase(request, context) }
        router.get("control/v1/receipt") { request, context in try await receipt(request, context) }
        router.get("control/v1/clock") { request, context in
            let store = try await authorized(request, context)
            return try JSONResponse.make(
                ControlModels.ClockAnswer(
                    now: try await store.now().rfc3339(fraction: true), kind: store.environment.clock.rawValue))
        }
        router.post("control/v1/clock/advance") { request, context in try await advance(request, context) }
        router.post("control/v1/reset") { request, context in
            let store = try await authorized(request, context)
            try await store.reset()
            return Response(status: .noContent)
        }
        SubscriptionControlRoutes(control: self).add(to: router)
        ApprovalRoutes(control: self).add(to: router)
        FamilyRoutes(control: self).add(to: router)
        OfferCodeRoutes(control: self).add(to: router)
        NotificationRoutes(control: self).add(to: router)
        BillingRoutes(control: self).add(to: router)
        ProductControlRoutes(control: self).add(to: router)
        ExtensionControlRoutes(control: self).add(to: router)
        RefundRoutes(control: self).add(to: router)
        InterruptionRoutes(control: self).add(to: router)
        QuarantineRoutes(control: self).add(to: router)
    }

    /// Further environments are made through the first one.
    func addEnvironments<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/environments") { request, context in
            _ = try await authorized(request, context)
            let environments = try await stores.registry.environments()
            return try JSONResponse.make(
                ControlModels.EnvironmentsAnswer(environments: environments.map { .init($0) }))
        }
        router.post("control/v1/environments") { request, context in
            _ = try await authorized(request, context)
            let body = try await request.controlJSON(ControlModels.EnvironmentBody.self, upTo: Self.maximumBodyBytes)
            let environment = try await stores.registry.makeEnvironment(
                body.name, kind: try parse(body.kind, field: "kind"), clock: try parse(body.clock, field: "clock"),
                now: try body.now.map { try time($0, field: "now") }, seed: body.seed,
                billing: try body.billing?.settings(self, in: "billing."))
            return try JSONResponse.make(ControlModels.EnvironmentModel(environment), status: .created)
        }
        addRemoval(to: router)
    }

    func addRemoval<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.delete("control/v1/environments/:name") { request, context in
            _ = try await authorized(request, context)
            try await stores.registry.removeEnvironment(context.parameters.get("name")?.removingPercentEncoding ?? "")
            return Response(status: .noContent)
        }
    }

    func authorized(_ request: Request, _ context: some RequestContext) async throws -> Store {
        // Digests are compared, so that the time it takes says nothing about the token.
        guard SHA256.hash(data: Data(try request.bearerToken().utf8)) == SHA256.hash(data: Data(controlToken.utf8))
        else { throw APIError(.unauthorized, "unauthorized", "the control token is wrong") }
        return try await stores.store(for: context)
    }

    private func putAccount(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let store = try await authorized(request, context)
        let body = try await request.controlJSON(ControlModels.AccountBody.self, upTo: Self.maximumBodyBytes)
        let account = try await store.putAccount(
            body.account, storefront: body.storefront.map(Storefront.init(rawValue:)),
            paymentMethod: try body.paymentMethod.map { try parse($0, field: "paymentMethod") },
            canMakePayments: body.canMakePayments, password: body.password,
            interruptsPurchases: body.interruptsPurchases,
            renewalRate: try body.renewalRate.map { try tester($0) })
        return try JSONResponse.make(ControlModels.AccountModel(account))
    }

    /// The pace of a tester's account; `environment` for the environment's.
    private func tester(_ text: String) throws -> TimeRate? {
        text == "environment" ? nil : try parse(text, field: "renewalRate")
    }

    private func purchase(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let store = try await authorized(request, context)
        let body = try await request.controlJSON(ControlModels.PurchaseBody.self, upTo: Self.maximumBodyBytes)
        if let token = body.appAccountToken, UUID(uuidString: token) == nil {
            throw APIError(.badRequest, "malformedRequest", "appAccountToken is a UUID", field: "appAccountToken")
        }
        let customer = try await store.customer(
            account: body.account, bundleID: App.BundleID(rawValue: body.bundleId))
        let transaction = try await store.purchase(
            PurchaseRequest(
                productID: Product.ID(rawValue: body.productId), quantity: body.quantity ?? 1,
                applicationUsername: body.appAccountToken?.lowercased(), offerID: body.offerId,
                idempotencyKey: body.idempotencyKey ?? request.headers[.idempotencyKey]), by: customer)
        return try await purchaseAnswer(transaction, customer, store)
    }

    func purchaseAnswer(
        _ transaction: Transaction, _ customer: Customer, _ store: Store
    ) async throws -> Response {
        var renewalInfo: String?
        if transaction.type == .autoRenewable {
            renewalInfo = try await store.signedRenewalInfo(
                try await store.subscriptionStanding(transaction.originalID).subscription)
        }
        return try JSONResponse.make(
            ControlModels.PurchaseAnswer(
                transactionId: transaction.id.description,
                originalTransactionId: transaction.originalID.description,
                orderId: OrderID(of: transaction.id)?.description,
                signedTransaction: try await store.signedTransaction(transaction, bundleID: customer.bundleID),
                signedRenewalInfo: renewalInfo,
                appReceipt: Data(try await store.appReceipt(for: customer)).base64EncodedString(),
                transactionReceipt: try await store.transactionReceipt(of: transaction, for: customer)))
    }

    private func receipt(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let store = try await authorized(request, context)
        let customer = try await askedCustomer(request, store)
        let receipt = try await store.appReceipt(for: customer)
        return try JSONResponse.make(
            StoreModels.AppReceiptAnswer(appReceipt: Data(receipt).base64EncodedString()))
    }

    /// The customer that a question's query names: one that is there, for a question makes none.
    ///
    /// - Throws: ``APIError`` `malformedRequest`, `StoreError` `.accountNotFound`, `.appNotFound`.
    func askedCustomer(_ request: Request, _ store: Store) async throws -> Customer {
        let query = request.uri.queryParameters
        guard let bundleID = query["bundleId"].map(String.init), let account = query["account"].map(String.init)
        else { throw APIError(.badRequest, "malformedRequest", "the query needs bundleId and account") }
        _ = try await store.account(named: account)
        return try await store.customer(account: account, bundleID: App.BundleID(rawValue: bundleID))
    }

    private func advance(_ request: Request, _ context: some RequestContext) async throws -> Response {
        let store = try await authorized(request, context)
        let body = try await request.controlJSON(ControlModels.AdvanceBody.self, upTo: Self.maximumBodyBytes)
        let advance: @Sendable () async throws -> ClockAdvance
        switch (body.by, body.to) {
        case (let by?, nil):
            let duration = try duration(by, field: "by")
            advance = { try await store.advanceClock(by: duration) }
        case (nil, let to?):
            let time = try time(to, field: "to")
            advance = { try await store.advanceClock(to: time) }
        default: throw APIError(.badRequest, "malformedRequest", "say either by or to")
        }
        let moved = try await CallerWatch.run(on: context, advance)
        return try JSONResponse.make(
            ControlModels.AdvanceAnswer(now: moved.reached.rfc3339(fraction: true), events: moved.events))
    }

    private func duration(_ text: String, field: String) throws -> CalendarDuration {
        do {
            return try CalendarDuration(iso8601: text)
        } catch {
            throw APIError(.badRequest, "malformedRequest", "\(field): \(error.reason)", field: field)
        }
    }

    func parse<Value: RawRepresentable<String> & CaseIterable>(
        _ text: String, field: String
    ) throws -> Value {
        guard let value = Value(rawValue: text) else {
            let allowed = Value.allCases.map(\.rawValue).joined(separator: ", ")
            throw APIError(.badRequest, "malformedRequest", "\(field) is one of: \(allowed)", field: field)
        }
        return value
    }

    func time(_ text: String, field: String) throws -> Instant {
        guard let time = Instant(rfc3339: text) else {
            throw APIError(
                .badRequest, "malformedRequest", "\(field) is a time such as 2026-01-31T10:00:00Z", field: field)
        }
        return time
    }
}
