import HTTPTypes
import Hummingbird
import NIOCore
import Perennial
import PerennialConnect
import PerennialStorage
import PerennialStore

/// Bindings of custom codes and batches of one-time codes.
enum CodeBatchBindings {
    static let all: [ConnectBinding] = [
        binding("subscriptionOfferCodeCustomCodes", .custom, renews: true),
        binding("subscriptionOfferCodeOneTimeUseCodes", .oneTime, renews: true),
        binding("inAppPurchaseOfferCodeCustomCodes", .custom, renews: false),
        binding("inAppPurchaseOfferCodeOneTimeUseCodes", .oneTime, renews: false),
    ]

    private static func binding(_ type: String, _ kind: OfferCode.Kind, renews: Bool) -> ConnectBinding {
        @Sendable func found(_ id: String, _ at: ConnectReading) throws -> OfferCodeBatchesTable.Record? {
            try batch(id, kind, renews: renews, at.environment, at.catalog)
        }
        var binding = ConnectBinding(type: type) { id, at in try found(id, at).map { attributes($0, at.environment) } }
        binding.related = [
            "offerCode": { id, at in
                guard let batch = try found(id, at) else { return .none }
                return .one(OfferNumber.make(product: batch.product, kind: .code, key: batch.offerID))
            },
            "createdByActor": { id, at in .optional(try found(id, at).flatMap { actor($0.createdBy) }) },
            "deactivatedByActor": { id, at in .optional(try found(id, at)?.deactivatedBy.flatMap(actor)) },
        ]
        binding.create = { entity, at in try make(entity, kind, renews: renews, at) }
        binding.update = { id, entity, at in
            guard let isActive = try entity.bool("active"),
                let batch = try batch(id, kind, renews: renews, at.environment, at.catalog)
            else { return }
            guard !isActive || batch.isActive else {
                throw CatalogEditError(
                    .stateInvalid, at: .attribute("active"), "Codes that were deactivated can't be activated again")
            }
            if !isActive {
                try at.catalog.deactivateCodeBatch(batch.id)
            }
        }
        if kind == .oneTime {
            binding.custom["GET v1/\(type)/{id}/values"] = { call in try await values(call, renews: renews) }
        }
        binding.app = { id, at in try found(id, at)?.app }
        return binding
    }

    // MARK: - Reading

    /// True if codes of an environment count as production's.
    ///
    /// - Parameter own: The environment of the request, which counts by its kind.
    static func isProduction(_ id: StoreEnvironment.ID, _ own: StoreEnvironment) -> Bool {
        id == own.id ? own.kind == .production : id == .production
    }

    /// Returns the batches of an offer that an environment shows: its own, and in Production those of Sandbox too.
    static func batches(of offer: FoundOffer, _ at: ConnectReading) throws -> [OfferCodeBatchesTable.Record] {
        try at.catalog.codeBatches(ofOffer: offer.id, product: offer.product.appleID).filter {
            isShown($0, in: at.environment)
        }
    }

    private static func isShown(_ batch: OfferCodeBatchesTable.Record, in environment: StoreEnvironment) -> Bool {
        batch.environment == environment.id || environment.id == .production && batch.environment == .sandbox
    }

    private static func batch(
        _ id: String, _ kind: OfferCode.Kind, renews: Bool, _ environment: StoreEnvironment, _ catalog: CatalogReader
    ) throws -> OfferCodeBatchesTable.Record? {
        guard let number = Int64(connectID: id),
            let batch = try catalog.codeBatch(number), batch.kind == kind,
            isShown(batch, in: environment), try catalog.product(batch.product)?.product.type.renews == renews
        else { return nil }
        return batch
    }

    private static func attributes(
        _ batch: OfferCodeBatchesTable.Record, _ environment: StoreEnvironment
    ) -> ConnectAttributes {
        var attributes: ConnectAttributes = [
            "numberOfCodes": .optional(batch.count), "createdDate": .dateTime(batch.created),
            "expirationDate": .date(batch.expires.map { PacificDay($0) }), "active": .bool(batch.isActive),
        ]
        switch batch.kind {
        case .custom: attributes["customCode"] = .optional(batch.code)
        case .oneTime:
            attributes["environment"] = .text(
                isProduction(batch.environment, environment) ? "PRODUCTION" : "SANDBOX")
        }
        return attributes
    }

    private static func actor(_ text: String) -> String? { CatalogActor(text)?.connectID }

    /// Answers with the codes of a batch: a line for each, with the code and the address that redeems it.
    private static func values(_ call: ConnectCall, renews: Bool) async throws -> Response {
        let (id, environment, visible) = (call.id, call.store.environment, call.key.visibleApps)
        let type = renews ? "subscriptionOfferCodeOneTimeUseCodes" : "inAppPurchaseOfferCodeOneTimeUseCodes"
        let text = try await call.editor.read { catalog -> String? in
            guard let batch = try batch(id, .oneTime, renews: renews, environment, catalog),
                visible?.contains(batch.app) ?? true
            else { return nil }
            return try catalog.codes(ofBatch: batch.id).map { code in
                "\(code),https://apps.apple.com/redeem?ctx=offercodes&id=\(batch.app)&code=\(code)\n"
            }.joined()
        }
        guard let text else { throw ConnectFailure.notFound(type, id) }
        return Response(
            status: .ok, headers: [.contentType: "text/csv"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }

    // MARK: - Making

    private static func make(
        _ entity: ConnectEntity, _ kind: OfferCode.Kind, renews: Bool, _ at: ConnectEditing
    ) throws -> String {
        guard let offer = try at.catalog.offer(try entity.requiredOne("offerCode"), .code, renews: renews),
            let app = try at.catalog.owner(of: offer.product.appleID), at.isVisible(app)
        else { throw entity.unknownRelated("offerCode") }
        guard offer.product.isCodeOfferActive(offer.id) == true else {
            throw CatalogEditError(.state, at: .relationship("offerCode"), "The offer was deactivated")
        }
        let count = Int(clamping: try entity.requiredInteger("numberOfCodes"))
        let expires = try entity.day("expirationDate")?.start
        if let expires, expires <= at.now {
            throw CatalogEditError(.invalid, at: .attribute("expirationDate"), "The expiration date is after today")
        }
        let order = OfferCodeOrder(
            productID: offer.product.id, offerID: offer.id,
            kind: kind == .oneTime
                ? .oneTime(count: count)
                : .custom(try entity.requiredText("customCode"), maximumRedemptions: count), expires: expires)
        do {
            let batch = try at.store.offers.insertBatch(
                order, of: offer.product.product, app: app, by: at.actor, in: try target(entity, at),
                on: at.catalog.connection)
            return String(batch.id)
        } catch let error as StoreError {
            throw refusal(error)
        }
    }

    /// The environment in which new codes are redeemed: that of the request, or Sandbox if Production's request asks for it.
    private static func target(_ entity: ConnectEntity, _ at: ConnectEditing) throws -> StoreEnvironment.ID {
        guard let wanted = try entity.text("environment") else { return at.environment.id }
        switch (at.environment.kind, wanted) {
        case (.production, "PRODUCTION"), (.sandbox, "SANDBOX"): return at.environment.id
        case (.production, "SANDBOX") where at.environment.id == .production: return .sandbox
        default:
            throw CatalogEditError(
                .invalid, at: .attribute("environment"),
                "Codes that are made here are redeemed in the environment \(at.environment.name)")
        }
    }

    private static func refusal(_ error: StoreError) -> any Error {
        let (code, field): (CatalogEditError.Code, String)
        switch (error.code, error.subject) {
        case (.offerCodeExists, _): (code, field) = (.duplicate, "customCode")
        case (.malformed, "count"), (.malformed, "maximumRedemptions"): (code, field) = (.invalid, "numberOfCodes")
        case (.malformed, "expires"): (code, field) = (.invalid, "expirationDate")
        case (.malformed, "code"): (code, field) = (.invalid, "customCode")
        default: return error
        }
        return CatalogEditError(code, at: .attribute(field), error.reason)
    }
}
