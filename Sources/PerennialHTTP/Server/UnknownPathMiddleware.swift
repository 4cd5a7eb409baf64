import HTTPTypes
import Hummingbird

/// Answers requests for an unknown path with 404, and for another method than a path's own with 405, in the form of our own
/// protocols. It is added after all routes, so that it gets only requests that none of them matches. Apple's protocols have
/// a form of their own.
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
            guard !ServerAPIErrors.answers(path) else { throw error }
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

    /// Returns the methods of a path; none for an unknown one.
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
