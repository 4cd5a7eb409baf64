import AppStoreFormats
import Foundation
import Hummingbird
import Perennial
import PerennialStore

/// Renewal-date extensions: of one subscription, of all active subscribers, and the progress of those.
struct ExtensionEndpoints {
    let api: ServerAPIRoutes

    func add(to router: some RouterMethods<SellerContext>) {
        router.put("inApps/v1/subscriptions/extend/:originalTransactionId") { request, context in
            try await api.answering(context, .extend) { store, app in
                let id = try context.transactionID("originalTransactionId", else: .invalidOriginalTransactionID)
                let body = try ExtendRenewalDateRequest(parsing: try await request.serverAPIBody())
                let extended = try await Self.translating {
                    try await store.extensions.extend(id, body.renewalExtension, bundleID: app.bundleID)
                }
                return try JSONResponse.make(
                    ExtendRenewalDateResponse(
                        originalTransactionId: id.description,
                        webOrderLineItemId: extended.webOrderLineItemID.map { "\($0)" }, success: true,
                        effectiveDate: extended.effectiveDate.date))
            }
        }
        router.post("inApps/v1/subscriptions/extend/mass") { request, context in
            try await api.answering(context, .massExtend) { store, app in
                let body = try MassExtendRenewalDateRequest(parsing: try await request.serverAPIBody())
                try await Self.translating {
                    try await store.extensions.requestMassExtension(body.massExtension, bundleID: app.bundleID)
                    // On real time a scheduler does it a moment later; on a manual clock there is none.
                    if store.environment.clock == .manual { try await store.extensions.processMassExtensions() }
                }
                return try JSONResponse.make(
                    MassExtendRenewalDateResponse(requestIdentifier: body.requestIdentifier))
            }
        }
        router.get("inApps/v1/subscriptions/extend/mass/:productId/:requestIdentifier") { request, context in
            try await api.answering(context, .massExtendStatus) { store, app in
                let id = context.name("requestIdentifier")
                guard UUID(uuidString: id) != nil else {
                    throw ServerAPIError(.invalidRequestIdentifier, "requestIdentifier", "requestIdentifier is a UUID")
                }
                let status = try await Self.translating {
                    try await store.extensions.massExtensionStatus(
                        id, bundleID: app.bundleID,
                        productID: Product.ID(rawValue: context.name("productId")))
                }
                return try JSONResponse.make(MassExtendRenewalDateStatusResponse(status))
            }
        }
    }

    /// Translates refusals into Apple's numbers.
    private static func translating<Value>(_ body: () async throws -> Value) async throws -> Value {
        do {
            return try await body()
        } catch let error as ExtensionError {
            guard let code = ServerAPIErrorCode(rawValue: Int64(error.code.number)) else { throw error }
            throw ServerAPIError(code, nil, error.reason)
        }
    }
}

extension MassExtendRenewalDateStatusResponse {
    /// Leaves the counts out until they are final, as Apple does.
    fileprivate init(_ status: MassExtensionStatus) {
        let isComplete = status.completed != nil
        self.init(
            requestIdentifier: status.request.request.requestID, complete: isComplete,
            completeDate: status.completed?.date,
            succeededCount: isComplete ? Int64(status.request.succeededCount) : nil,
            failedCount: isComplete ? Int64(status.request.failedCount) : nil)
    }
}
