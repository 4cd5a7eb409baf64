import AppStoreFormats
import Hummingbird
import PerennialStore

/// Send Consumption Information, in both versions.
struct ConsumptionRoutes {
    let api: ServerAPIRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.put("inApps/v1/transactions/consumption/:transactionId") { request, context in
            try await receive(request, context) { .version1(try ConsumptionRequestV1(parsing: $0)) }
        }
        router.put("inApps/v2/transactions/consumption/:transactionId") { request, context in
            try await receive(request, context) { .version2(try ConsumptionRequest(parsing: $0)) }
        }
    }

    private func receive(
        _ request: Request, _ context: some RequestContext,
        _ parse: (ServerAPIRequestBody) throws -> ConsumptionInformation.Body
    ) async throws -> Response {
        try await api.answering(request, context, .consumption) { store, app in
            let id = try context.transactionID("transactionId")
            try await store.receiveConsumption(try parse(try await request.serverAPIBody()), of: id, in: app)
            return Response(status: .accepted)
        }
    }
}
