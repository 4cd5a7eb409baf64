import AppStoreFormats
import Foundation
import Hummingbird
import Perennial
import PerennialStore

/// control/v1: what sellers sent to the App Store Server API, and what customers come to see of it.
struct RetentionControlRoutes {
    private struct LocaleBody: Decodable { var locale: String }
    private struct StateBody: Decodable { var state: String }

    private struct Consumption: Encodable {
        var transactionId: String
        var received: String
        var version: Int
        var consumption: Body

        enum Body: Encodable {
            case version1(ConsumptionRequestV1)
            case version2(ConsumptionRequest)

            func encode(to encoder: any Encoder) throws {
                switch self {
                case .version1(let request): try request.encode(to: encoder)
                case .version2(let request): try request.encode(to: encoder)
                }
            }
        }
    }

    private struct Offer: Encodable {
        var source: String
        var messageIdentifier: String?
        var message: UploadMessageRequest?
        var alternateProductId: String?
        var promotionalOfferIdentifier: String?
        var promotionalOfferSignature: String?
        var failure: String?
    }

    let control: ControlRoutes
    let realtime: any RealtimeEndpoint

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        router.get("control/v1/transactions/:id/consumption") { request, context in
            let store = try await control.authorized(request, context)
            return try await consumption(context.parameters.get("id"), store)
        }
        router.post("control/v1/subscriptions/:id/retention-message") { request, context in
            let store = try await control.authorized(request, context)
            let body = try await request.controlJSON(LocaleBody.self)
            guard let id = context.parameters.get("id").flatMap({ TransactionID($0) }) else {
                throw APIError(
                    .notFound, "transactionNotFound", "a subscription is named by its original transaction's number")
            }
            return try Self.answer(try await store.retentionOffer(for: id, locale: body.locale, asking: realtime))
        }
        router.put("control/v1/apps/:bundleId/retention-messages/:id") { request, context in
            let (store, app, id, state) = try await verdict(request, context)
            try await store.setState(state, ofMessage: id, of: app)
            return Response(status: .noContent)
        }
        router.put("control/v1/apps/:bundleId/retention-images/:id") { request, context in
            let (store, app, id, state) = try await verdict(request, context)
            try await store.setState(state, ofImage: id, of: app)
            return Response(status: .noContent)
        }
    }

    private func consumption(_ text: String?, _ store: Store) async throws -> Response {
        guard let id = text.flatMap({ TransactionID($0) }) else {
            throw APIError(.notFound, "transactionNotFound", "a transaction is named by its number")
        }
        guard let found = try await store.consumption(of: id) else {
            throw APIError(.notFound, "consumptionNotFound", "the seller sent nothing about this transaction")
        }
        let (version, body): (Int, Consumption.Body) =
            switch found.body {
            case .version1(let request): (1, .version1(request))
            case .version2(let request): (2, .version2(request))
            }
        return try JSONResponse.make(
            Consumption(
                transactionId: id.description, received: found.received.rfc3339(fraction: true), version: version,
                consumption: body))
    }

    /// What was found of a message or an image.
    private func verdict(
        _ request: Request, _ context: some RequestContext
    ) async throws -> (Store, App, UUID, RetentionState) {
        let store = try await control.authorized(request, context)
        let app = try await store.app(App.BundleID(rawValue: context.parameters.get("bundleId") ?? ""))
        let state: RetentionState = try control.parse(
            try await request.controlJSON(StateBody.self).state, field: "state")
        guard let id = context.parameters.get("id").flatMap(UUID.init(uuidString:)) else {
            throw APIError(.notFound, "notFound", "messages and images are named by UUIDs")
        }
        return (store, app, id, state)
    }

    private static func answer(_ offer: RetentionOffer) throws -> Response {
        var answer = Offer(
            source: offer.source.rawValue, messageIdentifier: offer.messageID?.name, message: offer.message,
            failure: offer.failure)
        switch offer.response {
        case .alternateProduct(_, let productID): answer.alternateProductId = productID
        case .promotionalOffer(_, .version1(let signature)):
            answer.promotionalOfferIdentifier = signature.offerIdentifier
            answer.promotionalOfferSignature = signature.encodedSignature
        case .promotionalOffer(_, .version2(let jws)): answer.promotionalOfferSignature = jws
        case .message, .advancedCommerce, nil: break
        }
        return try JSONResponse.make(answer)
    }
}
