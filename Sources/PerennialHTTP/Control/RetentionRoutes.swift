import AppStoreFormats
import Foundation
import Hummingbird
import Perennial
import PerennialStore

/// control/v1: what sellers sent to the App Store Server API, and what customers come to see of it.
struct RetentionRoutes {
    private struct LocaleBody: RequestModel { var locale: String }

    private struct StateBody: RequestModel {
        var state: String

        static let constraints: [String: Constraint] = ["state": .oneOf(RetentionState.self)]
    }

    private struct ConsumptionAnswer: AnswerModel {
        var transactionId: String
        var received: String
        var version: Int
        var consumption: AppleMessage

        static let constraints: [String: Constraint] = [
            "received": .time, "version": .oneOf([1, 2]),
            "consumption": .described("Apple's ConsumptionRequest, of that version"),
        ]
    }

    private struct OfferAnswer: AnswerModel {
        var source: String
        var messageIdentifier: String?
        var message: AppleMessage?
        var alternateProductId: String?
        var promotionalOfferIdentifier: String?
        var promotionalOfferSignature: String?
        var failure: String?

        static let constraints: [String: Constraint] = [
            "source": .described("realtime, default or none"),
            "message": .described("Apple's UploadMessageRequestBody"),
        ]

        init(_ offer: RetentionOffer) {
            source = offer.source.rawValue
            messageIdentifier = offer.messageID?.name
            message = offer.message.map { AppleMessage($0) }
            failure = offer.failure
            switch offer.response {
            case .alternateProduct(_, let productID): alternateProductId = productID
            case .promotionalOffer(_, .version1(let signature)):
                promotionalOfferIdentifier = signature.offerIdentifier
                promotionalOfferSignature = signature.encodedSignature
            case .promotionalOffer(_, .version2(let jws)): promotionalOfferSignature = jws
            case .message, .advancedCommerce, nil: break
            }
        }
    }

    let realtime: any RealtimeEndpoint

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "transactions/:id/consumption", "The seller's information on a purchase's consumption", use: consumption)
        routes.post(
            "subscriptions/:id/retention-message",
            "The message for a customer who is about to cancel; asks the seller's server", errors: [409], use: message)
        routes.put("apps/:bundleId/retention-messages/:id", "Approve or reject a retention message") {
            (call: Call<StateBody>, context) in
            let verdict = try await Self.verdict(call, context)
            try await context.store.retention.setState(verdict.state, ofMessage: verdict.id, of: verdict.app)
            return NoContent()
        }
        routes.put("apps/:bundleId/retention-images/:id", "Approve or reject an image") {
            (call: Call<StateBody>, context) in
            let verdict = try await Self.verdict(call, context)
            try await context.store.retention.setState(verdict.state, ofImage: verdict.id, of: verdict.app)
            return NoContent()
        }
    }

    private func consumption(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ConsumptionAnswer {
        let id = try context.namedTransaction()
        guard let found = try await context.store.refunds.consumption(of: id) else {
            throw APIError(.notFound, "consumptionNotFound", "the seller sent nothing about this transaction")
        }
        let (version, message): (Int, AppleMessage) =
            switch found.body {
            case .version1(let request): (1, AppleMessage(request))
            case .version2(let request): (2, AppleMessage(request))
            }
        return ConsumptionAnswer(
            transactionId: id.description, received: found.received.rfc3339(fraction: true), version: version,
            consumption: message)
    }

    private func message(_ call: Call<LocaleBody>, _ context: ControlContext) async throws -> OfferAnswer {
        let body = try await call.body()
        let id = try context.namedSubscription()
        return OfferAnswer(try await context.store.retention.offer(for: id, locale: body.locale, asking: realtime))
    }

    /// The operator's decision on a message or an image.
    private static func verdict(
        _ call: Call<StateBody>, _ context: ControlContext
    ) async throws -> (app: App, id: UUID, state: RetentionState) {
        let app = try await context.store.app(context.bundleID)
        let state: RetentionState = try ControlFields.value(try await call.body().state, field: "state")
        guard let id = context.parameters.get("id").flatMap(UUID.init(uuidString:)) else {
            throw APIError(.notFound, "notFound", "messages and images are named by UUIDs")
        }
        return (app, id, state)
    }
}
