import BaseEncoding
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdCore
import Perennial
import PerennialStore

/// control/v1/purchases and receipt: purchases for any account.
struct PurchaseRoutes {
    private struct PurchaseBody: RequestModel {
        var bundleId: String
        var account: String
        var productId: String
        var quantity: Int?
        var offerId: String?
        var appAccountToken: String?
        var idempotencyKey: String?
        var device: String?
        var appVersion: String?
        var free: Bool?
        var reason: String?

        static let constraints: [String: Constraint] = [
            "account": .accountName, "quantity": .range(PurchaseRequest.quantities), "appAccountToken": .uuidText,
            "offerId": .text(bytes: 0...OfferClaim.maximumTextLength), "idempotencyKey": .idempotencyKey,
            "device": .oneOf(DeviceFamily.self), "appVersion": .appVersion,
            "free": .described("Gives the product without charge; not for auto-renewable subscriptions"),
            "reason": .text(bytes: 1...GrantNote.maximumReasonLength).and(
                .described("Why the product is given; kept with a free sale only")),
        ]

        /// The device and its app's version, for reports; `nil` if neither is said.
        ///
        /// - Throws: ``APIError`` `malformedRequest`.
        func saleFacts() throws -> SaleFacts? {
            guard device != nil || appVersion != nil else { return nil }
            if let appVersion { try ControlFields.check(appVersion: appVersion, field: "appVersion") }
            return SaleFacts(
                device: try device.map { try ControlFields.value($0, field: "device") }, appVersion: appVersion)
        }
    }

    /// The refusals of a purchase besides those of any request.
    static let refusals = [402, 403, 409]

    func add(to routes: RouteGroup<ControlContext>) {
        routes.post("purchases", "Buy a product for an account", errors: Self.refusals, use: purchase)
        routes.get("receipt", "An account's app receipt", query: [.bundleID, .account], use: receipt)
        routes.get(
            "app-transaction", "A customer's signed app transaction", query: [.bundleID, .account], use: appTransaction)
    }

    private func purchase(
        _ call: Call<PurchaseBody>, _ context: ControlContext
    ) async throws -> PurchaseAnswer {
        let (store, body) = (context.store, try await call.body())
        if let token = body.appAccountToken, UUID(uuidString: token) == nil {
            throw APIError(.badRequest, "malformedRequest", "appAccountToken is a UUID", field: "appAccountToken")
        }
        let device = try body.saleFacts()
        let customer = try await store.accounts.customer(
            account: body.account, bundleID: App.BundleID(rawValue: body.bundleId))
        let transaction = try await store.purchases.buy(
            PurchaseRequest(
                productID: Product.ID(rawValue: body.productId), quantity: body.quantity ?? 1,
                applicationUsername: body.appAccountToken?.lowercased(), offerID: body.offerId,
                idempotencyKey: body.idempotencyKey ?? call.request.headers[.idempotencyKey],
                isGrant: body.free ?? false,
                grantNote: body.free == true
                    ? GrantNote(actor: call.request.catalogActor, reason: body.reason) : nil), by: customer, on: device)
        return try await PurchaseAnswer(transaction, customer, store)
    }

    private struct ReceiptAnswer: AnswerModel {
        var appReceipt: String
        var decoded: DecodedMembers?

        static let constraints: [String: Constraint] = ["appReceipt": .base64]
    }

    private struct AppTransactionAnswer: AnswerModel {
        var signedAppTransaction: String
        var decoded: DecodedMembers?

        static let constraints: [String: Constraint] = ["signedAppTransaction": .jws]
    }

    private func receipt(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ReceiptAnswer {
        let bytes = try await context.store.receipts.appReceipt(for: try await customer(call, context.store))
        let receipt = Base64.encode(bytes)
        return ReceiptAnswer(appReceipt: receipt, decoded: DecodedMembers(["appReceipt": receipt]))
    }

    private func appTransaction(_ call: Call<NoBody>, _ context: ControlContext) async throws -> AppTransactionAnswer {
        let customer = try await customer(call, context.store)
        let signed = try await context.store.receipts.signedAppTransaction(for: customer)
        return AppTransactionAnswer(
            signedAppTransaction: signed, decoded: DecodedMembers(["signedAppTransaction": signed]))
    }

    /// The customer that the query names. A question makes no account.
    ///
    /// - Throws: ``APIError`` `malformedRequest`, `StoreError` `.accountNotFound`, `.appNotFound`.
    private func customer(_ call: Call<NoBody>, _ store: Store) async throws -> Customer {
        let (bundleID, account) = (try call.bundleIDOfQuery(), try call.required(.account))
        _ = try await store.accounts.account(named: account)
        return try await store.accounts.customer(account: account, bundleID: bundleID)
    }
}

/// A purchase with all that is signed about it.
struct PurchaseAnswer: AnswerModel {
    var transactionId: String
    var originalTransactionId: String
    /// The number in a customer's e-mail; Production only.
    var orderId: String?
    var signedTransaction: String
    var signedRenewalInfo: String?
    var appReceipt: String
    var transactionReceipt: String
    var decoded: DecodedMembers?

    static let constraints: [String: Constraint] = [
        "signedTransaction": .jws, "signedRenewalInfo": .jws, "appReceipt": .base64, "transactionReceipt": .base64,
        "orderId": .described("In Production only"),
    ]

    init(_ transaction: Transaction, _ customer: Customer, _ store: Store) async throws {
        transactionId = transaction.id.description
        originalTransactionId = transaction.originalID.description
        orderId = OrderID(of: transaction.id)?.description
        if transaction.type == .autoRenewable {
            signedRenewalInfo = try await store.receipts.signedRenewalInfo(
                try await store.subscriptions.snapshot(of: transaction.originalID).subscription)
        }
        signedTransaction = try await store.receipts.signedTransaction(transaction, bundleID: customer.bundleID)
        appReceipt = Base64.encode(try await store.receipts.appReceipt(for: customer))
        transactionReceipt = try await store.receipts.transactionReceipt(of: transaction, for: customer)
        decoded = DecodedMembers([
            "signedTransaction": signedTransaction, "signedRenewalInfo": signedRenewalInfo, "appReceipt": appReceipt,
            "transactionReceipt": transactionReceipt,
        ])
    }
}
