import Perennial
import PerennialConnect
import PerennialDelivery
import PerennialHTTP
import PerennialStorage
import PerennialStore
import TestSupport
import Testing

@testable import PerennialConsole

/// The console's pages over a whole store, called as the router calls them.
struct SellerConsole: Sendable {
    private static let routes = ConsoleRoutes.all(of: ConsoleChapters.all)

    let shop: TestStore
    let services: ConsoleServices
    var language = Language.english
    var user: String? = "ann@example.com"
    var app: App.BundleID? = TestCatalog.bundleID
    var permissions = Set(Permission.allCases)

    /// - Parameters:
    ///   - content: The folder of the content server; `nil` for a store without one.
    ///   - sender: The sender of notifications; by default none are sent.
    init(
        app: App = TestCatalog.magazine(), content: String? = nil, sender: (any NotificationSender)? = nil
    ) async throws {
        shop = try await TestStore.make(app: app, sender: sender)
        let (clock, database) = (shop.clock, shop.database)
        services = ConsoleServices(
            registry: shop.registry, catalog: CatalogEditor(database: database) { clock.now }, keys: shop.keys,
            rootCertificate: [], authority: nil,
            delivery: try content.map { try Self.delivery(database, folder: $0) },
            wallClock: { clock.now }, randomBytes: SeededBytes(seed: 7).bytes)
    }

    private struct NoReceipts: ReceiptVerifying {
        func verify(receipt: String, password: String?) async throws -> AuthenticReceipt {
            throw DeliveryError(.receiptInvalid, "receipt", "this test has none")
        }
    }

    private static func delivery(_ database: Database, folder: String) throws -> Delivery {
        Delivery(
            database: database, catalog: { DeliveryCatalog([]) }, library: try ContentLibrary(root: folder),
            verification: NoReceipts(), clock: { TestStore.opening }, randomBytes: SeededBytes(seed: 8).bytes,
            logger: TestStore.quiet)
    }

    var catalog: CatalogEditor { services.catalog }

    func product(_ id: String) async throws -> CatalogProduct? {
        try await catalog.read { try $0.product(Product.ID(rawValue: id), app: TestCatalog.magazine().appleID) }
    }

    // MARK: - Requests

    /// The kinds of routes that a path may have.
    enum Kind { case page, form, file, upload }

    /// Returns the request of a path with its route; a segment of the route that begins with `:` takes any text.
    func find(
        _ path: String, _ kind: Kind, query: [String: String] = [:], in store: Store? = nil
    ) async throws -> (route: ConsoleRoutes.Route, request: PageRequest) {
        let segments = path.split(separator: "/").map(String.init)
        let candidates = Self.routes.filter { Self.kind(of: $0) == kind }
        let matches = candidates.compactMap { route -> (ConsoleRoutes.Route, [String: String])? in
            let pattern = route.path.split(separator: "/").map(String.init)
            guard pattern.count == segments.count else { return nil }
            var parameters: [String: String] = [:]
            for (part, segment) in zip(pattern, segments) {
                if part.hasPrefix(":") {
                    parameters[String(part.dropFirst())] = segment
                } else if part != segment {
                    return nil
                }
            }
            return (route, parameters)
        }
        // As in a router, a fixed segment comes before a parameter.
        let found = try #require(matches.min { $0.1.count < $1.1.count }, "no route for \(path)")
        return (found.0, try await request(query, found.1, in: store ?? shop.store))
    }

    private static func kind(of route: ConsoleRoutes.Route) -> Kind? {
        switch route.handler {
        case .page: .page
        case .form: .form
        case .file: .file
        case .upload: .upload
        case .stream: nil
        }
    }

    private func request(
        _ query: [String: String], _ parameters: [String: String], in store: Store
    ) async throws -> PageRequest {
        let apps = try await catalog.read { try $0.apps() }.map {
            ConsoleApp(bundleID: $0.bundleID, appleID: $0.appleID, name: $0.name)
        }
        return PageRequest(
            services: services, store: store, apps: apps, app: apps.first { $0.bundleID == app },
            visitor: Visitor(
                userName: user, permissions: permissions, language: language, formToken: "token"),
            now: try await store.now(), query: query, parameters: parameters)
    }

    func page(_ path: String, _ query: [String: String] = [:]) async throws -> Page {
        let found = try await find(path, .page, query: query)
        guard case .page(let make) = found.route.handler else { throw TestStore.Missing(what: "page \(path)") }
        return try await make(found.request)
    }

    @discardableResult
    func send(
        _ path: String, _ values: [String: String] = [:], files: [String: UploadedFile] = [:], in store: Store? = nil
    ) async throws -> FormAnswer {
        let found = try await find(path, .form, in: store)
        guard case .form(_, let perform) = found.route.handler else { throw TestStore.Missing(what: "form \(path)") }
        return try await perform(
            FormRequest(page: found.request, values: FormValues(values.mapValues { [$0] }, files: files)))
    }

    func file(_ path: String) async throws -> ConsoleFile {
        let found = try await find(path, .file)
        guard case .file(let make) = found.route.handler else { throw TestStore.Missing(what: "file \(path)") }
        return try await make(found.request)
    }

    /// Returns the values that a form of a page would send.
    func values(of page: Page, path suffix: String) throws -> [String: String] {
        let form = try #require(page.forms.first { $0.path.hasSuffix(suffix) }, "no form \(suffix)")
        return Dictionary(form.fields.map { ($0.name, $0.value) }) { first, _ in first }
    }
}

extension FormAnswer {
    /// The path to which the form leads; `nil` for a refusal.
    var redirect: String? {
        switch self {
        case .redirect(let path, _), .audited(let path, _, _): path
        default: nil
        }
    }

    /// The words for the audit log; `nil` if it gets the request's method.
    var audited: String? { if case .audited(_, _, let action) = self { action } else { nil } }
    /// The page of a refusal.
    var page: Page? { if case .page(let page) = self { page } else { nil } }
}
