import Hummingbird

/// Counts every request that passes, also those that end in an error.
struct MetricsMiddleware<Context: RequestContext>: RouterMiddleware {
    let metrics: RequestMetrics
    /// A clock that only ever goes forward.
    let nanoseconds: @Sendable () -> UInt64

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let start = nanoseconds()
        do {
            let response = try await next(request, context)
            record(request, context, response.status.code, since: start)
            return response
        } catch {
            record(request, context, (error as? any HTTPResponseError)?.status.code ?? 500, since: start)
            throw error
        }
    }

    private func record(_ request: Request, _ context: Context, _ status: Int, since start: UInt64) {
        let elapsed = nanoseconds()
        metrics.record(
            route: context.endpointPath, method: request.method, status: status,
            seconds: Double(elapsed > start ? elapsed - start : 0) / 1e9)
    }
}
