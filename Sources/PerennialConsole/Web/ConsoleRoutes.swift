import Hummingbird
import NIOCore
import PerennialHTTP

/// Registers the pages and forms of chapters below `/console/ENVIRONMENT/APP`. Each names the permission that it needs, so
/// that none can forget to check.
struct ConsoleRoutes: Sendable {
    typealias MakePage = @Sendable (PageRequest) async throws -> Page
    typealias Perform = @Sendable (FormRequest) async throws -> FormAnswer
    typealias MakeFile = @Sendable (PageRequest) async throws -> ConsoleFile
    typealias MakeStream = @Sendable (PageRequest) async throws -> AsyncThrowingStream<LiveRow, any Error>
    /// A file that a script sends as a request's body, with its name in the query's `name`: for progress and large files.
    typealias Upload = @Sendable (PageRequest, RequestBody) async throws -> FormAnswer

    /// A route with its handler.
    struct Route: Sendable {
        enum Handler: Sendable {
            case page(MakePage)
            case form(maximumLength: Int, Perform)
            case file(MakeFile)
            case stream(MakeStream)
            case upload(maximumLength: Int, Upload)
        }

        /// The path below the app: `products/:product`.
        var path: String
        var permission: Permission
        var handler: Handler
        /// True for a page with figures or names of all apps: a visitor who sees some apps only is refused.
        var isOfAllApps = false
    }

    private let register: @Sendable (Route) -> Void

    init(_ register: @escaping @Sendable (Route) -> Void) { self.register = register }

    /// A page: GET.
    func page(_ path: String, _ permission: Permission, ofAllApps: Bool = false, _ make: @escaping MakePage) {
        register(Route(path: path, permission: permission, handler: .page(make), isOfAllApps: ofAllApps))
    }

    /// A form: POST, with the session's token.
    func form(
        _ path: String, _ permission: Permission, maximumLength: Int = 65_536, ofAllApps: Bool = false,
        _ perform: @escaping Perform
    ) {
        register(
            Route(
                path: path, permission: permission, handler: .form(maximumLength: maximumLength, perform),
                isOfAllApps: ofAllApps))
    }

    /// A file to download: GET.
    func file(_ path: String, _ permission: Permission, ofAllApps: Bool = false, _ make: @escaping MakeFile) {
        register(Route(path: path, permission: permission, handler: .file(make), isOfAllApps: ofAllApps))
    }

    /// Server-sent events, one for each row: GET.
    func stream(_ path: String, _ permission: Permission, _ make: @escaping MakeStream) {
        register(Route(path: path, permission: permission, handler: .stream(make)))
    }

    /// A file as a request's body: PUT, with the session's token in the field `X-Form-Token`.
    func upload(_ path: String, _ permission: Permission, maximumLength: Int, _ perform: @escaping Upload) {
        register(Route(path: path, permission: permission, handler: .upload(maximumLength: maximumLength, perform)))
    }
}
