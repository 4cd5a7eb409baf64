import HTTPTypes
import Hummingbird
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStore
import Synchronization

extension ConsoleRoutes {
    private final class Collected: Sendable {
        let routes = Mutex<[Route]>([])
    }

    /// Returns the routes of chapters.
    static func all(of chapters: [any ConsoleChapter]) -> [Route] {
        let collected = Collected()
        let routes = ConsoleRoutes { route in collected.routes.withLock { $0.append(route) } }
        for chapter in chapters { chapter.add(to: routes) }
        return collected.routes.withLock { $0 }
    }
}

extension ConsoleRoutes.Route {
    var method: HTTPRequest.Method {
        switch handler {
        case .page, .file, .stream: .get
        case .form: .post
        case .upload: .put
        }
    }

    /// The names of the path's parameters.
    var parameters: [String] {
        path.split(separator: "/").filter { $0.first == ":" }.map { String($0.dropFirst()) }
    }
}

extension ConsoleRouter {
    /// A notice travels in a cookie.
    private static let maximumNoticeLength = 1_000
    private static let placeLifetime: Int64 = 365 * 86_400
    /// The header of HTML's standard (section "shared declarative refresh steps"); no script is needed.
    private static let refresh = HTTPField.Name("Refresh")!
    private static let uploadToken = HTTPField.Name("X-Form-Token")!

    /// Answers a request of a route: checks session, token and permission, then calls its handler.
    func answer(_ route: ConsoleRoutes.Route, _ visit: ConsoleVisit) async throws -> Response {
        guard let session = visit.session else { return signInFirst(visit) }
        let request = try await places.pageRequest(visit, session, route.parameters)
        guard request.allows(route.permission) else { throw ConsoleError.forbidden(route.permission) }
        guard request.visitor.seesAllApps || !route.isOfAllApps else { throw ConsoleError.ofAllApps }
        try await request.expectVisibleAccount()
        switch route.handler {
        case .page(let make):
            return try await show(try await make(request), request, visit)
        case .file(let make):
            return ConsoleResponse.file(try await make(request))
        case .stream(let make):
            guard visit.request.method == .get else { return Response(status: .ok) }
            return try await stream(make, request, visit, session)
        case .form(let limit, let perform):
            let values = try await visit.request.form(upTo: limit)
            try visit.check(formToken: values["form-token"])
            // A long action ends when its visitor hangs up; its finished steps stay.
            let answer = try await visit.context.untilHangUpOrShutdown {
                try await perform(FormRequest(page: request, values: values))
            }
            return try await show(answer, request, visit, isScript: false)
        case .upload(let limit, let perform):
            try visit.check(formToken: visit.request.headers[Self.uploadToken] ?? "")
            let answer = try await perform(request, visit.request.upload(upTo: limit))
            return try await show(answer, request, visit, isScript: true)
        }
    }

    /// Streams rows until the visitor leaves, or their session ends.
    private func stream(
        _ make: ConsoleRoutes.MakeStream, _ request: PageRequest, _ visit: ConsoleVisit, _ session: ConsoleSession
    ) async throws -> Response {
        guard streams.hasPlace(for: session) else {
            return Response(status: .tooManyRequests, headers: [.retryAfter: "15"])
        }
        let rows = try await make(request)
        let (accounts, token) = (accounts, visit.cookies[.session] ?? "")
        let whileSignedIn = EventStream(visit.context) { [streams] in
            try await streams.pause()
            guard try await accounts.session(token: token) != nil else { throw CancellationError() }
        }
        return whileSignedIn.response { [renderer, streams] send in
            try await streams.run(of: session) {
                for try await row in rows {
                    try await send(EventStream.Event(id: row.position, data: renderer.html(row, for: request)))
                }
            }
        }
    }

    /// Shows a page, with the notice that waits for it.
    private func show(_ page: Page, _ request: PageRequest, _ visit: ConsoleVisit) async throws -> Response {
        let notice = visit.cookies[.notice].flatMap { visit.keys?.opened($0) }
        var response = ConsoleResponse.html(
            renderer.html(
                page, for: request, notice: notice.map { .data($0) },
                environments: try await services.registry.environments()),
            status: page.status)
        if let refresh = page.refresh { response.headers[Self.refresh] = "\(refresh.seconds); url=\(refresh.path)" }
        if visit.cookies[.notice] != nil { response.set(visit.cookies.setting(.notice, to: "", lifetime: 0)) }
        let place = [request.environment.name, request.app?.bundleID.rawValue ?? ConsolePath.noApp]
            .map(ConsolePath.encoded).joined(separator: "/")
        if request.app != nil, visit.cookies[.place] != place {
            response.set(visit.cookies.setting(.place, to: place, lifetime: Self.placeLifetime))
        }
        return response
    }

    /// - Parameter isScript: True if a script sent the request, which doesn't follow a redirect by itself.
    private func show(
        _ answer: FormAnswer, _ request: PageRequest, _ visit: ConsoleVisit, isScript: Bool
    ) async throws -> Response {
        switch answer {
        case .redirect(let path, let notice):
            await record(visit, .done)
            return redirect(to: path, notice, request, visit, isScript: isScript)
        case .audited(let path, let notice, let action):
            await record(visit, .done, action: action)
            return redirect(to: path, notice, request, visit, isScript: isScript)
        case .page(let page):
            note(status: page.status, page.title, page.blocks)
            if page.status >= 400 { await record(visit, .refused) }
            return try await show(page, request, visit)
        case .shown(let page): return try await show(page, request, visit)
        case .file(let file):
            await record(visit, .done)
            return ConsoleResponse.file(file)
        }
    }

    private func redirect(
        to path: String, _ notice: Text?, _ request: PageRequest, _ visit: ConsoleVisit, isScript: Bool
    ) -> Response {
        var response = ConsoleResponse.redirect(to: path.hasPrefix("/") ? path : request.path(path))
        if isScript { response.status = .created }
        if let notice, let keys = visit.keys {
            let text = String(
                TextFormatter(visit.language, now: request.now).string(notice).prefix(Self.maximumNoticeLength))
            response.set(visit.cookies.setting(.notice, to: keys.sealed(text), lifetime: 60))
        }
        return response
    }
}
