import HTTPTypes
import Hummingbird
import PerennialHTTP

/// Answers requests to a session's store, after what is due by then.
struct SessionResponder: HTTPResponder {
    private let base: any HTTPResponder<BasicConnectionContext>
    private let gate: RequestGate
    private let schedule: RenewalSchedule
    /// Runs after each request that may have changed something.
    private let changed: (@Sendable () -> Void)?

    init(
        _ base: any HTTPResponder<BasicConnectionContext>, gate: RequestGate, schedule: RenewalSchedule,
        changed: (@Sendable () -> Void)? = nil
    ) {
        (self.base, self.gate, self.schedule, self.changed) = (base, gate, schedule, changed)
    }

    func respond(to request: Request, context: BasicConnectionContext) async throws -> Response {
        // A request that waits for changes must not hold up work that runs alone, and all that waits behind it.
        if request.uri.queryParameters["wait"] != nil {
            _ = try await gate.beside { try await schedule.bringUpToDate() }
            return try await base.respond(to: request, context: context)
        }
        let response = try await gate.beside {
            try await schedule.bringUpToDate()
            return try await base.respond(to: request, context: context)
        }
        if request.method != .get, request.method != .head {
            schedule.expectNewWork()
            changed?()
        }
        return response
    }
}
