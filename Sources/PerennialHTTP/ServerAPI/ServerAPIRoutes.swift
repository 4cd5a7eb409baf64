import AppStoreFormats
import Hummingbird
import Perennial
import PerennialStore

/// The App Store Server API of one environment, under `inApps/v1` and `inApps/v2` (docs/protocols/server-api.md).
///
/// Each group of endpoints is a type of its own that is added here with one line. It asks ``authorized(_:_:_:)`` who calls,
/// and throws `ServerAPIError`s, which ``ServerAPIErrorMiddleware`` answers in Apple's form.
struct ServerAPIRoutes: Sendable {
    /// Longer than any body that an endpoint takes.
    static let maximumBodyBytes = 65_536

    let stores: StoreResolver
    let limiter: RateLimiter
    let realtime: any RealtimeEndpoint

    func add<Context: RequestContext>(to router: some RouterMethods<Context>) {
        TransactionEndpoints(api: self).add(to: router)
        HistoryEndpoints(api: self).add(to: router)
        SellerRoutes(api: self, realtime: realtime).add(to: router)
        NotificationEndpoints(api: self).add(to: router)
    }

    /// Who calls, of which store; the request is counted.
    ///
    /// - Throws: ``StoreError`` `.unauthorized`, ``ServerAPIError`` `.rateLimitExceeded`.
    func authorized(
        _ request: Request, _ context: some RequestContext, _ endpoint: ServerAPIEndpoint = .unlimited
    ) async throws -> (store: Store, app: App) {
        let (store, caller) = try await caller(request, context)
        let app = try await store.app(of: caller)
        try await count(endpoint, app: app.appleID, store)
        return (store, app)
    }

    /// Who calls, as far as the token says it: for use cases that let the caller in where they read.
    func caller(_ request: Request, _ context: some RequestContext) async throws -> (Store, ServerAPICaller) {
        let store = try await stores.store(for: context)
        return (store, try await stores.registry.serverAPIGate.caller(of: try request.serverAPIToken()))
    }

    /// The same for an endpoint that is counted. Where nothing is counted, nothing is read.
    func caller(
        _ request: Request, _ context: some RequestContext, _ endpoint: ServerAPIEndpoint
    ) async throws -> (Store, ServerAPICaller) {
        let (store, caller) = try await caller(request, context)
        if limiter.limits.hourly(endpoint, store.environment.kind) != nil {
            try await count(endpoint, app: try await store.app(of: caller).appleID, store)
        }
        return (store, caller)
    }

    func count(_ endpoint: ServerAPIEndpoint, app: Int64, _ store: Store) async throws {
        guard limiter.limits.hourly(endpoint, store.environment.kind) != nil else { return }
        try limiter.count(endpoint, app: app, store.environment, at: try await store.now())
    }
}

extension Request {
    /// The token of the header, in the one spelling that Apple documents.
    fileprivate func serverAPIToken() throws -> String {
        guard let header = headers[.authorization], header.utf8.count <= KeySignedToken.maximumLength,
            header.hasPrefix("Bearer ")
        else { throw StoreError(.unauthorized, "token", "the request needs the header Authorization: Bearer TOKEN") }
        return String(header.dropFirst(7))
    }
}
