import HTTPTypes
import Hummingbird
import Perennial
import PerennialStore

/// The App Store Connect API of one environment, under `v1` (docs/reference/connect-api.md).
///
/// Each group of endpoints is a type of its own that is added here with one line. The middleware of the routes,
/// ``ConnectKeyMiddleware``, lets team keys in; endpoints throw ``ConnectFailure``s.
struct ConnectRoutes {
    /// A request of a key that may make it, with the parameters that its route takes.
    struct Call: Sendable {
        let store: Store
        let request: Request
        /// The resource's ID in the path; empty without one.
        let id: String
        let query: ConnectQuery
        let links: ConnectLinks
        let backpressure: WriteBackpressure
    }

    private let router: RouterGroup<ConnectContext>

    init(_ router: RouterGroup<ConnectContext>) { self.router = router }

    func add() {
        ReportEndpoints().add(to: self)
        AppEndpoints().add(to: self)
        AnalyticsEndpoints().add(to: self)
    }

    func get(
        _ path: RouterPath, _ permission: ConnectRole.Permission, _ parameters: [ConnectQuery.Parameter],
        use handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        on(path, .get, permission, parameters, handler)
    }

    func post(
        _ path: RouterPath, _ permission: ConnectRole.Permission,
        use handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        on(path, .post, permission, [], handler)
    }

    func delete(
        _ path: RouterPath, _ permission: ConnectRole.Permission,
        use handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        on(path, .delete, permission, [], handler)
    }

    private func on(
        _ path: RouterPath, _ method: HTTPRequest.Method, _ permission: ConnectRole.Permission,
        _ parameters: [ConnectQuery.Parameter], _ handler: @escaping @Sendable (Call) async throws -> Response
    ) {
        router.on(path, method: method) { request, context -> Response in
            guard context.caller.key.roles.grant(permission) else { throw ConnectFailure.forbidden }
            let query = try ConnectQuery(request, parameters)
            return try await handler(
                Call(
                    store: context.caller.store, request: request, id: context.name("id"), query: query,
                    links: await ConnectLinks(request, context), backpressure: WriteBackpressure(context)))
        }
    }
}
