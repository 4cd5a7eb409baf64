import HTTPTypes
import Hummingbird

/// Routes that the same senders may call.
///
/// Each is registered and described by one declaration, so that the router and `openapi.json` can't disagree.
struct RouteGroup<Context: ConnectionContext> {
    /// A limit of ours on bodies, in bytes, where a route has no other.
    private static var maximumBodyLength: Int { 65_536 }

    private let router: RouterGroup<Context>
    /// The prefix of the group's paths: `control/v1`.
    private let prefix: String
    private let authorization: APIOperation.Authorization
    /// `nil` where another environment's routes are described.
    private let operations: OperationList?
    private let isGlobal: Bool
    private let refusesUnknownFields: Bool

    /// A group of open routes.
    init(
        _ router: some RouterMethods<BasicConnectionContext>, _ prefix: String = "", operations: OperationList?,
        isGlobal: Bool = false
    ) where Context == BasicConnectionContext {
        self.router = router.group(RouterPath(prefix))
        self.prefix = prefix
        authorization = .none
        self.operations = operations
        self.isGlobal = isGlobal
        refusesUnknownFields = false
    }

    /// A group of routes behind a middleware.
    ///
    /// - Parameter refusesUnknownFields: True if a field that a request doesn't have is refused by its name: an operator
    ///   who misspells one would otherwise be told that all is well.
    init<Middleware: AuthenticationMiddleware>(
        _ router: some RouterMethods<BasicConnectionContext>, _ prefix: String = "", for middleware: Middleware,
        _ authorization: APIOperation.Authorization, operations: OperationList?, isGlobal: Bool = false,
        refusesUnknownFields: Bool = false
    ) where Context == CallerContext<Middleware.Proof> {
        self.router = router.group(RouterPath(prefix)).add(middleware: middleware).group(context: Context.self)
        self.prefix = prefix
        self.authorization = authorization
        self.operations = operations
        self.isGlobal = isGlobal
        self.refusesUnknownFields = refusesUnknownFields
    }

    func get<Answer: CallAnswer>(
        _ path: String, _ summary: String, query: [QueryParameter] = [], answers: [AnswerDescription]? = nil,
        errors: [Int] = [], use handler: @escaping @Sendable (Call<NoBody>, Context) async throws -> Answer
    ) {
        add(.get, path, summary, .ok, query, answers, errors, Self.maximumBodyLength, handler)
    }

    func head<Answer: CallAnswer>(
        _ path: String, _ summary: String, answers: [AnswerDescription]? = nil, errors: [Int] = [],
        use handler: @escaping @Sendable (Call<NoBody>, Context) async throws -> Answer
    ) {
        add(.head, path, summary, .ok, [], answers, errors, Self.maximumBodyLength, handler)
    }

    func post<Body: CallBody, Answer: CallAnswer>(
        _ path: String, _ summary: String, _ status: HTTPResponse.Status = .ok, errors: [Int] = [],
        maximumBodyLength: Int = 65_536, use handler: @escaping @Sendable (Call<Body>, Context) async throws -> Answer
    ) {
        add(.post, path, summary, status, [], nil, errors, maximumBodyLength, handler)
    }

    func put<Body: CallBody, Answer: CallAnswer>(
        _ path: String, _ summary: String, query: [QueryParameter] = [], errors: [Int] = [],
        maximumBodyLength: Int = 65_536, use handler: @escaping @Sendable (Call<Body>, Context) async throws -> Answer
    ) {
        add(.put, path, summary, .ok, query, nil, errors, maximumBodyLength, handler)
    }

    func delete<Answer: CallAnswer>(
        _ path: String, _ summary: String, query: [QueryParameter] = [], errors: [Int] = [],
        use handler: @escaping @Sendable (Call<NoBody>, Context) async throws -> Answer
    ) {
        add(.delete, path, summary, .ok, query, nil, errors, Self.maximumBodyLength, handler)
    }

    private func add<Body: CallBody, Answer: CallAnswer>(
        _ method: HTTPRequest.Method, _ path: String, _ summary: String, _ status: HTTPResponse.Status,
        _ query: [QueryParameter], _ answers: [AnswerDescription]?, _ errors: [Int], _ maximumBodyLength: Int,
        _ handler: @escaping @Sendable (Call<Body>, Context) async throws -> Answer
    ) {
        let refusesUnknownFields = refusesUnknownFields
        router.on(RouterPath(path), method: method) { request, context -> Response in
            let call = Call<Body>(
                request, maximumBodyLength: maximumBodyLength, refusesUnknownFields: refusesUnknownFields,
                query: query)
            return try await handler(call, context).response(status: status)
        }
        operations?.append(
            APIOperation(
                method,
                described(path), summary, query: query,
                body: Body.description(refusesUnknownFields: refusesUnknownFields),
                answers: answers ?? Answer.descriptions(status: status.code), errors: errors, authorization,
                isGlobal: isGlobal))
    }

    /// Returns a route's whole path as OpenAPI writes it: `{id}` for `:id`.
    private func described(_ path: String) -> String {
        (prefix.split(separator: "/") + path.split(separator: "/"))
            .map { $0.first == ":" ? "{\($0.dropFirst())}" : String($0) }
            .joined(separator: "/")
    }
}
