import HTTPTypes
import Perennial
import PerennialStore

/// control/v1/clock and reset: an environment's time, and its beginning.
struct ClockRoutes {
    private struct ClockAnswer: AnswerModel {
        var now: String
        var kind: String

        static let constraints: [String: Constraint] = ["now": .time, "kind": .oneOf(StoreEnvironment.Clock.self)]
    }

    private struct AdvanceBody: RequestModel {
        var by: String?
        var to: String?

        static let constraints: [String: Constraint] = ["by": .duration, "to": .moment]
        static let rule: Constraint? = .oneOf(fields: [
            ["by": ["type": "string"], "to": .absent], ["to": ["type": "string"], "by": .absent],
        ])
    }

    private struct AdvanceAnswer: AnswerModel {
        var now: String
        var events: Int

        static let constraints: [String: Constraint] = ["now": .time]
    }

    func add(to routes: RouteGroup<ControlContext>) {
        routes.get("clock", "The environment's time", use: clock)
        routes.post(
            "clock/advance", "Move a manual clock, doing all that falls due on the way", errors: [409], use: advance)
        routes.post("reset", "Empty the environment; catalog and keys stay", use: reset)
    }

    private func clock(_ call: Call<NoBody>, _ context: ControlContext) async throws -> ClockAnswer {
        ClockAnswer(
            now: try await context.store.now().rfc3339(fraction: true),
            kind: context.store.environment.clock.rawValue)
    }

    private func advance(_ call: Call<AdvanceBody>, _ context: ControlContext) async throws -> AdvanceAnswer {
        let (store, body) = (context.store, try await call.body())
        let advance: @Sendable () async throws -> ClockAdvance
        switch (body.by, body.to) {
        case (let by?, nil):
            let duration = try ControlFields.duration(by, field: "by")
            advance = { try await store.clock.advance(by: duration) }
        case (nil, let to?):
            let time = try ControlFields.time(to, field: "to")
            advance = { try await store.clock.advance(to: time) }
        default: throw APIError(.badRequest, "malformedRequest", "say either by or to")
        }
        let moved = try await context.untilHangUpOrShutdown(advance)
        return AdvanceAnswer(now: moved.reached.rfc3339(fraction: true), events: moved.events)
    }

    private func reset(_ call: Call<NoBody>, _ context: ControlContext) async throws -> NoContent {
        try await context.store.reset()
        return NoContent()
    }
}
