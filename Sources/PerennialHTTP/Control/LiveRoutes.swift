import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// control/v1/live: the environment's events as they happen, as server-sent events.
struct LiveRoutes {
    func add(to routes: RouteGroup<ControlContext>) {
        routes.get(
            "live", "Purchases, requests and notifications as they happen, as server-sent events",
            query: [.liveFrom, .liveKinds, .liveApp, .liveAccount, .liveComplete, .liveFollow],
            answers: [
                AnswerDescription(
                    status: 200, description: "Events, each of which has an object as its data",
                    mediaType: "text/event-stream", schema: Self.eventSchema)
            ], use: live)
    }

    /// The schema of an event, in the form that OpenAPI 3.2 has for the items of a stream.
    @Sendable private static func eventSchema() throws -> OpenAPINode {
        let data: OpenAPINode = [
            "type": "string", "contentMediaType": "application/json",
            "contentSchema": try ModelSchema.schema(of: LiveModels.Event.self, .answer),
        ]
        return ["type": "object", "required": ["data"], "properties": ["id": ["type": "string"], "data": data]]
    }

    private func live(_ call: Call<NoBody>, _ context: ControlContext) async throws -> Response {
        let filter = LiveFilter(
            kinds: try kinds(call.query(.liveKinds)),
            bundleID: call.query(.liveApp).map(App.BundleID.init(rawValue:)), account: call.query(.liveAccount))
        // A client that connects again goes on where it was, wherever it began.
        let from = call.request.headers[.lastEventID] ?? call.query(.liveFrom)
        let follows = try bool(call.query(.liveFollow), field: "follow") ?? true
        let watcher = try await context.store.live.watch(
            filter, from: try from.flatMap(position),
            isComplete: try bool(call.query(.liveComplete), field: "complete") ?? false)
        return EventStream(context).response { send in
            while let batch = try await watcher.next(waits: follows), follows || !batch.isEmpty {
                if let events = try Self.events(batch) { try await send(events) }
            }
        }
    }

    /// Returns a batch's events. The last has the position after them, from which a client goes on.
    private static func events(_ batch: LiveBatch) throws -> EventStream.Event? {
        var models = batch.events.map(LiveModels.Event.init)
        if batch.skipped > 0 { models.insert(LiveModels.Event(skipped: batch.skipped), at: 0) }
        return EventStream.Event(
            try models.enumerated().map { index, model in
                EventStream.Event(
                    id: index == models.count - 1 ? batch.position.text : nil,
                    data: String(decoding: try JSONResponse.encode(model), as: UTF8.self))
            })
    }

    /// Reads a position; `nil` for `now`.
    private func position(_ text: String) throws -> LivePosition? {
        if text == "now" { return nil }
        guard let position = LivePosition(text) else {
            throw APIError(
                .badRequest, "malformedRequest",
                "from is now, a position of the journal such as 534, or one of each app: 1000000001-534,1000000002-77",
                field: "from")
        }
        return position
    }

    private func kinds(_ text: String?) throws -> Set<LiveKind> {
        guard let text else { return [] }
        return Set(
            try text.split(separator: ",", omittingEmptySubsequences: false).map { name in
                guard let kind = LiveKind(rawValue: String(name)), LiveKind.selectable.contains(kind) else {
                    let allowed = LiveKind.selectable.map(\.rawValue).joined(separator: ", ")
                    throw APIError(
                        .badRequest, "malformedRequest", "kinds are some of: \(allowed), with commas between them",
                        field: "kinds")
                }
                return kind
            })
    }

    private func bool(_ text: String?, field: String) throws -> Bool? {
        switch text {
        case nil: return nil
        case "true": return true
        case "false": return false
        default: throw APIError(.badRequest, "malformedRequest", "\(field) is true or false", field: field)
        }
    }
}

extension QueryParameter {
    fileprivate static let liveFrom = QueryParameter(
        "from",
        .pattern(
            "^(?:now|[0-9]{1,18}|[0-9]{1,18}-[0-9]{1,18}(?:,[0-9]{1,18}-[0-9]{1,18})*)$",
            "The position in the journal after which to begin, or the id of the last event; now if left out"))
    fileprivate static let liveKinds = QueryParameter("kinds", .pattern("^(?:\(kind))(?:,(?:\(kind)))*$", "Only these"))
    fileprivate static let liveApp = QueryParameter("app", .described("Only the events of the app with this bundle ID"))
    fileprivate static let liveAccount = QueryParameter("account", .described("Only this customer's"))
    fileprivate static let liveComplete = QueryParameter(
        "complete", .oneOf(Truth.self))
    fileprivate static let liveFollow = QueryParameter("follow", .oneOf(Truth.self))

    private static let kind = LiveKind.selectable.map(\.rawValue).joined(separator: "|")

    private enum Truth: String, CaseIterable {
        case `true`, `false`
    }
}

extension HTTPField.Name {
    /// The last event that a client was given before it connects again.
    fileprivate static let lastEventID = Self("Last-Event-ID")!
}
