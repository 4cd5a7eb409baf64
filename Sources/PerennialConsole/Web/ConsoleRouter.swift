import HTTPTypes
import Hummingbird
import Logging
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStorage
import PerennialStore

/// The console's routes: its pages behind a session, signing in, assets.
package struct ConsoleRouter: RouteExtension {
    /// The path that the outside knows; with a code in its query it signs in once (``ConsoleLink``).
    package static let entrance = "/connect"

    let services: ConsoleServices
    let accounts: ConsoleAccounts
    let audit: ConsoleAudit
    let renderer = PageRenderer()
    let streams: ConsoleStreams
    let refusals = RefusalRuns()
    private let routes: [ConsoleRoutes.Route]
    let formPlaces: FormPlaces

    package init(services: ConsoleServices) { self.init(services: services, chapters: ConsoleChapters.all) }

    init(
        services: ConsoleServices, chapters: [any ConsoleChapter], streams: ConsoleStreams = ConsoleStreams()
    ) {
        self.services = services
        self.streams = streams
        routes = ConsoleRoutes.all(of: chapters)
        formPlaces = FormPlaces(routes)
        accounts = services.accounts
        audit = ConsoleAudit(
            database: services.catalog.database, wallClock: services.wallClock, randomBytes: services.randomBytes)
    }

    var places: PlaceResolution { PlaceResolution(services: services) }

    package func add(to router: Router<BasicConnectionContext>) {
        for asset in ConsoleAsset.all.values {
            router.get(RouterPath(asset.path)) { _, _ in ConsoleResponse.asset(asset).secured() }
        }
        SignInRoutes(console: self).add(to: router)
        for path in ["console", "console/:environment", "console/:environment/:app"] {
            router.get(RouterPath(path), use: first)
        }
        let pages = router.group("console/:environment/:app")
        for route in routes {
            pages.on(RouterPath(route.path), method: route.method) { request, context in
                try await answer(request, context) { try await answer(route, $0) }
            }
        }
        // After the routes, so that it gets the requests that none of them matches.
        router.add(middleware: UnknownPageMiddleware(console: self))
    }

    /// Leads to the first page.
    private func first(_ request: Request, _ context: BasicConnectionContext) async throws -> Response {
        try await answer(request, context) { visit in
            guard let session = visit.session else { return signInFirst(visit) }
            let environment = visit.parameter("environment")
            guard !environment.isEmpty else {
                return ConsoleResponse.redirect(to: try await places.firstPage(visit, session))
            }
            let app = visit.parameter("app")
            let named = app.isEmpty ? try await places.apps(of: session).first?.bundleID.rawValue : app
            return ConsoleResponse.redirect(
                to: ConsolePath.page("overview", environment: environment, app: named))
        }
    }

    /// Answers a request, its errors as pages.
    func answer(
        _ request: Request, _ context: BasicConnectionContext,
        _ make: (ConsoleVisit) async throws -> Response
    ) async throws -> Response {
        let visit = try await ConsoleVisit(request, context, accounts)
        do {
            return try await make(visit).secured()
        } catch {
            return try await failure(error, visit)
        }
    }

    /// Leads a page's request to the sign-in page and back; refuses all others.
    func signInFirst(_ visit: ConsoleVisit) -> Response {
        guard visit.request.method == .get || visit.request.method == .head else {
            let page = SignInPages.signIn(visit, services.wallClock(), returningTo: "")
            note(status: 401, page.title, page.blocks)
            return ConsoleResponse.html(renderer.html(page), status: 401)
        }
        let target = ["/console", "/console/"].contains(visit.target) ? "" : visit.target
        let query = target.isEmpty ? "" : "?return=" + ConsolePath.encoded(target)
        return ConsoleResponse.redirect(to: "/console/sign-in" + query)
    }

    // MARK: Errors

    /// Returns the page of an error, in the frame where the visitor is signed in.
    func failure(_ error: any Error, _ visit: ConsoleVisit) async throws -> Response {
        let found = ErrorPage(error) { newID() }
        note(status: found.status, found.title, found.blocks)
        if let id = found.logID {
            visit.context.logger.error(
                "a page of the console failed",
                metadata: ["error": "\(error)", "id": "\(id)", "path": "\(visit.request.uri.path)"])
        }
        if visit.session != nil, found.outcome == .denied || found.outcome == .failed || !visit.isRead {
            await record(visit, found.outcome)
        }
        let page = try await page(found, error, visit)
        var response = ConsoleResponse.html(page, status: found.status)
        if let seconds = found.retryAfter { response.headers[.retryAfter] = seconds }
        return response.secured()
    }

    private func page(_ found: ErrorPage, _ error: any Error, _ visit: ConsoleVisit) async throws -> String {
        guard let session = visit.session,
            let request = try? await places.pageRequest(visit, session, [])
        else {
            let links = visit.session == nil ? [] : [Link(.phrase(WebPhrases.overview), ConsolePath.root)]
            var bare = found
            bare.links = links
            return renderer.html(
                BarePage(
                    title: found.title, blocks: bare.blocks, language: visit.language,
                    formToken: visit.keys?.formToken ?? "", now: services.wallClock()))
        }
        var blocks = found.blocks
        if case ConsoleError.appNeeded = error { blocks = chooseApp(request, visit) }
        let page = Page(found.title, .overview, status: found.status, blocks)
        return renderer.html(page, for: request, environments: try await services.registry.environments())
    }

    /// The same page for each app.
    private func chooseApp(_ request: PageRequest, _ visit: ConsoleVisit) -> [Block] {
        guard !request.apps.isEmpty else {
            return [
                .empty(
                    EmptyState(
                        text: .phrase(WebPhrases.noApps), same: SameCommand("catalog import catalog.yaml")))
            ]
        }
        let prefix = ConsolePath.page("", environment: request.environment.name, app: nil)
        let path = visit.target.hasPrefix(prefix) ? String(visit.target.dropFirst(prefix.count)) : "overview"
        return [
            .links(
                request.apps.map { app in
                    Link(
                        .data(app.name),
                        ConsolePath.page("", environment: request.environment.name, app: app.bundleID.rawValue) + path)
                })
        ]
    }

    /// An ID for the log.
    func newID() -> String { Array(services.randomBytes(5)).map { String($0 % 36, radix: 36) }.joined() }

    /// Adds an entry to the audit log. An answer doesn't fail because of it.
    func record(
        _ visit: ConsoleVisit, _ outcome: AuditEntry.Outcome, action: String? = nil, actor: String? = nil
    ) async {
        do {
            try await audit.record(
                action ?? visit.request.method.rawValue, by: actor ?? visit.actor, path: visit.request.uri.path,
                from: visit.address, outcome)
        } catch {
            visit.context.logger.error("the console's audit log can't be written", metadata: ["error": "\(error)"])
        }
    }
}

extension ConsoleVisit {
    /// True for a request that changes nothing.
    var isRead: Bool { request.method == .get || request.method == .head }
}

extension ConsoleServices {
    /// The visitors of the console.
    package var accounts: ConsoleAccounts {
        ConsoleAccounts(
            database: catalog.database, passwords: registry.passwords, wallClock: wallClock, randomBytes: randomBytes)
    }
}

/// Answers a path of the console that has no page with a page, not with JSON.
private struct UnknownPageMiddleware: RouterMiddleware {
    let console: ConsoleRouter

    func handle(
        _ request: Request, context: BasicConnectionContext,
        next: (Request, BasicConnectionContext) async throws -> Response
    ) async throws -> Response {
        do {
            return try await next(request, context)
        } catch let error as APIError where request.uri.path.hasPrefix(ConsolePath.root + "/") {
            guard error.status == .notFound || error.status == .methodNotAllowed else { throw error }
            return try await console.answer(request, context) { visit in
                guard visit.session != nil || !visit.isRead else { return console.signInFirst(visit) }
                throw ConsoleError.notFound(.none)
            }
        }
    }
}
