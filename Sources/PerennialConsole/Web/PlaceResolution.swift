import HTTPTypes
import Hummingbird
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStore

/// Finds the store and the app that a path of the console names.
struct PlaceResolution: Sendable {
    let services: ConsoleServices

    /// Returns what a page is made from.
    ///
    /// - Throws: ``ConsoleError`` `.notFound` for an environment or an app that isn't there, or that the user may not see.
    func pageRequest(_ visit: ConsoleVisit, _ session: ConsoleSession, _ names: [String]) async throws -> PageRequest {
        let environment = visit.parameter("environment")
        guard let store = try await services.registry.store(named: environment) else {
            throw ConsoleError.notFound(.phrase(WebPhrases.noSuchEnvironment, .data(environment)))
        }
        let apps = try await apps(of: session)
        let bundleID = visit.parameter("app")
        let app = apps.first { $0.bundleID.rawValue == bundleID }
        guard app != nil || bundleID == ConsolePath.noApp else {
            throw ConsoleError.notFound(.phrase(WebPhrases.noSuchApp, .data(bundleID)))
        }
        var query = visit.query
        if let id = visit.request.headers[HTTPField.Name("Last-Event-ID")!] { query["last-event-id"] = id }
        return PageRequest(
            services: services, store: store, apps: apps, app: app,
            visitor: Visitor(
                userName: session.user?.username, permissions: Permission.all(of: session), language: visit.language,
                formToken: visit.keys?.formToken ?? "", seesAllApps: session.user?.access.scope == nil),
            now: try await store.now(), query: query,
            parameters: Dictionary(names.map { ($0, visit.parameter($0)) }) { first, _ in first })
    }

    /// Returns the apps that a session may see, by name.
    func apps(of session: ConsoleSession) async throws -> [ConsoleApp] {
        let all = try await services.catalog.read { try $0.apps() }
        let scope = session.user?.access.scope
        return
            all.filter { scope?.contains($0.appleID) ?? true }
            .map { ConsoleApp(bundleID: $0.bundleID, appleID: $0.appleID, name: $0.name) }
            .sorted { ($0.name, $0.bundleID) < ($1.name, $1.bundleID) }
    }

    /// Returns the path of the first page: of the environment and app that were seen last, or of the first.
    func firstPage(_ visit: ConsoleVisit, _ session: ConsoleSession) async throws -> String {
        let apps = try await apps(of: session)
        let last = (visit.cookies[.place] ?? "").split(separator: "/").map(String.init)
        var environment = StoreEnvironment.production.name
        if let name = last.first, try await services.registry.store(named: name) != nil { environment = name }
        let app = apps.first { last.count == 2 && $0.bundleID.rawValue == last[1] } ?? apps.first
        return ConsolePath.page("overview", environment: environment, app: app?.bundleID.rawValue)
    }
}
