import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import HummingbirdTesting
import Logging
import NIOCore
import Perennial
import PerennialConnect
import PerennialHTTP
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// A store with its console behind the router, without a socket.
struct ConsoleServer: Sendable {
    let shop: TestStore
    let services: ConsoleServices
    let client: any TestClientProtocol

    static func run(
        app: App = TestCatalog.magazine(), chapters: [any ConsoleChapter] = ConsoleChapters.all,
        streams: ConsoleStreams = ConsoleStreams(), logger: Logger = TestStore.quiet,
        _ test: @escaping @Sendable (ConsoleServer) async throws -> Void
    ) async throws {
        let shop = try await TestStore.make(app: app)
        let clock = shop.clock
        let keys = APIKeys(
            database: shop.database, wallClock: { clock.now }, randomBytes: shop.registry.randomBytes)
        var router = PerennialRouter(
            registry: shop.registry, controlToken: "the control token",
            rootCertificate: try TestSigning.identities.rootCertificate, delivery: nil, nanoseconds: { 0 })
        router.keys = keys
        let services = ConsoleServices(
            registry: shop.registry, catalog: router.catalog, keys: keys,
            rootCertificate: try TestSigning.identities.rootCertificate, authority: nil, delivery: nil,
            version: "1.2.3", wallClock: { clock.now }, randomBytes: shop.registry.randomBytes)
        router.extensions = [ConsoleRouter(services: services, chapters: chapters, streams: streams)]
        router.browserPath = ConsoleRouter.entrance
        try await Application(router: router.make(), logger: logger).test(.router) { client in
            try await test(ConsoleServer(shop: shop, services: services, client: client))
        }
    }

    struct Reply: Sendable {
        let status: Int
        let headers: HTTPFields
        /// Without the places at which lines may break.
        let body: String

        var location: String? { headers[.location] }

        /// The value of a cookie that the answer sets, by the start of its name.
        func cookie(_ name: String) -> String? {
            headers[values: .setCookie].first { $0.hasPrefix(name) }
                .flatMap { $0.split(separator: ";").first?.split(separator: "=", maxSplits: 1).dropFirst().first }
                .map(String.init)
        }
    }

    /// - Parameter session: The session's token.
    func send(
        _ method: HTTPRequest.Method, _ path: String, body: String = "", session: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Reply {
        var headers = headers
        if let session { headers[.cookie] = "perennial-session=\(session)" }
        let response = try await client.executeRequest(
            uri: path, method: method, headers: headers, body: body.isEmpty ? nil : ByteBuffer(string: body))
        return Reply(
            status: response.status.code, headers: response.headers,
            body: String(buffer: response.body).replacing("<wbr>", with: ""))
    }

    func get(_ path: String, session: String? = nil, headers: HTTPFields = [:]) async throws -> Reply {
        try await send(.get, path, session: session, headers: headers)
    }

    /// Sends a form with the session's token among its fields.
    func post(
        _ path: String, _ fields: [String: String] = [:], session: String? = nil, token: String? = nil,
        headers: HTTPFields = [:]
    ) async throws -> Reply {
        var fields = fields
        fields["form-token"] = token ?? session.map { SessionKeys(token: $0).formToken }
        let body = fields.map { "\(ConsolePath.encoded($0))=\(ConsolePath.encoded($1))" }.joined(separator: "&")
        var headers = headers
        headers[.contentType] = "application/x-www-form-urlencoded"
        return try await send(.post, path, body: body, session: session, headers: headers)
    }

    /// Signs in as operator by a one-time link, and returns the session's token.
    func signIn() async throws -> String {
        try await services.accounts.signIn(link: try await services.accounts.makeLink().code, from: nil)
    }

    /// Creates a user of the team with a password, who sees all apps or some.
    func makeUser(
        _ email: String, _ roles: Set<ConnectRole>, apps: Set<Int64> = [], password: String = Self.password
    ) async throws {
        _ = try await services.keys.team.edit { draft in
            try draft.create(
                TeamPerson(email: email, firstName: "Uma", lastName: "Urban"),
                access: TeamAccess(roles: roles, allAppsVisible: apps.isEmpty, visibleApps: apps))
        }
        try await services.accounts.setPassword(of: email, to: password)
    }

    /// Signs a user in, and returns the session's token.
    func signIn(_ email: String, password: String = Self.password) async throws -> String {
        try await services.accounts.signIn(email, password: password, from: nil)
    }

    static let password = "correct horse"
    static let place = "/console/Sandbox/com.example.magazine"
}

/// A chapter with a route of each kind, for tests of the frame.
struct ProbeChapter: ConsoleChapter {
    func add(to routes: ConsoleRoutes) {
        routes.page("probe", .view) { request in
            if let fault = request.query["fault"] { throw Fault(description: fault) }
            if request.query["refusal"] != nil { throw StoreError(.timeInThePast, "to", "the clock moves forward") }
            if request.query["app"] != nil { _ = try request.bundleID() }
            var page = Page(.data("Probe \(request.query["word"] ?? "")"), .overview, [])
            if let place = request.query["refresh"] {
                page.refresh = Page.Refresh(seconds: 1, path: request.path(place))
            }
            return page
        }
        routes.form("probe", .operate) { form in
            form.values["answer"] == "page"
                ? .page(Page(.data("Again"), .overview, status: 422, []))
                : .redirect(form.page.path("probe"), .data("done <\(form.values["word"])>"))
        }
        routes.file("probe/file", .viewMoney) { _ in
            ConsoleFile(name: "../\"ü.csv", contentType: "text/csv", bytes: Array("a,b".utf8))
        }
        routes.upload("probe/upload", .editCatalog, maximumLength: 10) { request, body in
            var count = 0
            for try await part in body { count += part.readableBytes }
            return .redirect(request.path("probe"), .number(count))
        }
        routes.stream("probe/stream", .view) { _ in
            AsyncThrowingStream { rows in
                rows.yield(
                    LiveRow(
                        id: "row", time: TestStore.opening, kind: "purchase", text: .data("row one\nand more"),
                        position: "1"))
                rows.finish()
            }
        }
    }

    struct Fault: Error, CustomStringConvertible { let description: String }
}
