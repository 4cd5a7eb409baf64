import HTTPTypes
import Hummingbird

/// What is said where a path leads nowhere, or not by that method: in the form of our own protocols. Added after all
/// routes, it is asked only where none of them fits. Apple's protocols have a form of their own for it.
struct UnknownPathMiddleware<Context: RequestContext>: RouterMiddleware {
    private let routes: [(path: [Substring], method: HTTPRequest.Method)]

    init(knowing routes: [Router<Context>.RouteDescription]) {
        self.routes = routes.map { (Self.parts($0.path.description), $0.method) }
    }

    func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as HTTPError where error.status == .notFound {
            let path = request.uri.path
            guard !ServerAPIErrorMiddleware<Context>.answers(path) else { throw error }
            let methods = allowed(Self.parts(path))
            guard !methods.isEmpty else {
                throw APIError(.notFound, "notFound", "\(request.method) \(path) is none of this server's paths")
            }
            let list = methods.joined(separator: ", ")
            throw APIError(
                .methodNotAllowed, "methodNotAllowed", "\(path) is asked by \(list), not by \(request.method)",
                headers: [.allow: list])
        }
    }

    /// The methods by which a path can be asked; none where there is no such path.
    private func allowed(_ path: [Substring]) -> [String] {
        let fitting = routes.filter { route in
            route.path.count == path.count
                && zip(route.path, path).allSatisfy { $0 == $1 || $0.first == ":" || $0.first == "{" }
        }
        let methods = Set(fitting.map(\.method.rawValue))
        return methods.union(methods.contains("GET") ? ["HEAD"] : []).sorted()
    }

    private static func parts(_ path: String) -> [Substring] { path.split(separator: "/") }
}
