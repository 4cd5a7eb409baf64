import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// control/v1/quarantine: subscriptions that are left out of the work, because it fails for them.
struct QuarantineRoutes {
    private struct Answer: Encodable {
        struct Item: Encodable {
            var originalTransactionId: String
            var bundleId: String
            var since: String
            var reason: String
        }

        var subscriptions: [Item]
    }

    let control: ControlRoutes

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/quarantine") { request, context in
            let store = try await control.authorized(request, context)
            return try JSONResponse.make(
                Answer(
                    subscriptions: try await store.quarantinedSubscriptions().map {
                        Answer.Item(
                            originalTransactionId: $0.id.description, bundleId: $0.bundleID.rawValue,
                            since: $0.since.rfc3339(), reason: $0.reason)
                    }))
        }
        router.post("control/v1/quarantine/:id/release") { request, context in
            let (store, id) = try await control.subscription(request, context)
            try await store.releaseFromQuarantine(id)
            return Response(status: .noContent)
        }
    }
}
