import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import Perennial
import PerennialStore

/// The App Store Server API of one environment, under `inApps/v1` and `inApps/v2` (docs/reference/server-api.md).
///
/// Each group of endpoints is a type of its own that is added here with one line. The middleware of the routes,
/// ``APIKeyMiddleware``, lets sellers' servers in; endpoints throw `ServerAPIError`s, which ``ServerAPIErrors``
/// translates into Apple's form.
struct ServerAPIRoutes: Sendable {
    /// Longer than any body that an endpoint takes.
    static let maximumBodyBytes = 65_536

    let limiter: RateLimiter
    let realtime: any RealtimeEndpoint
    let histories: HistoryAnswers<ByteBuffer>

    func add(to router: some RouterMethods<SellerContext>) {
        TransactionEndpoints(api: self).add(to: router)
        HistoryEndpoints(api: self).add(to: router)
        RefundHistoryEndpoints(api: self).add(to: router)
        ConsumptionEndpoints(api: self).add(to: router)
        ExtensionEndpoints(api: self).add(to: router)
        RetentionEndpoints(api: self, realtime: realtime).add(to: router)
        AdvancedCommerceEndpoints(api: self).add(to: router)
        NotificationEndpoints(api: self).add(to: router)
    }

    /// Runs a use case for the app that a request is signed for; the request is counted.
    func answering(
        _ context: SellerContext, _ endpoint: ServerAPIEndpoint, _ body: (Store, App) async throws -> Response
    ) async throws -> Response {
        let (store, app) = try await app(context, endpoint)
        return try await body(store, app)
    }

    /// Returns the app that a request is signed for; the request is counted.
    ///
    /// - Throws: ``StoreError`` `.unauthorized`, ``ServerAPIError`` `.rateLimitExceeded`.
    func app(_ context: SellerContext, _ endpoint: ServerAPIEndpoint) async throws -> (store: Store, app: App) {
        let store = context.caller.store
        let app = try await store.credentials.app(of: context.caller.key)
        try await count(endpoint, app: app.appleID, store)
        return (store, app)
    }

    /// Returns the key that a request is signed with, for use cases that look its app up in their own reading; the request
    /// is counted. Where nothing is counted, nothing is read.
    func counted(
        _ context: SellerContext, _ endpoint: ServerAPIEndpoint
    ) async throws -> (store: Store, key: ServerAPICaller) {
        let (store, key) = (context.caller.store, context.caller.key)
        if limiter.limits.hourly(endpoint, store.environment.kind) != nil {
            try await count(endpoint, app: try await store.credentials.app(of: key).appleID, store)
        }
        return (store, key)
    }

    private func count(_ endpoint: ServerAPIEndpoint, app: Int64, _ store: Store) async throws {
        guard limiter.limits.hourly(endpoint, store.environment.kind) != nil else { return }
        try limiter.count(endpoint, app: app, store.environment, at: try await store.now())
    }
}

extension Request {
    /// Reads the body's JSON object.
    ///
    /// - Throws: ``ServerAPIError`` 4000000.
    func serverAPIBody() async throws -> ServerAPIRequestBody {
        do {
            return try ServerAPIRequestBody(
                try await wholeBody(upTo: ServerAPIRoutes.maximumBodyBytes).readableBytesView)
        } catch is NIOTooManyBytesError {
            throw ServerAPIError(
                .generalBadRequest, nil, "a body has at most \(ServerAPIRoutes.maximumBodyBytes) bytes")
        }
    }
}

extension RequestContext {
    /// Reads a UUID in the path, in either case.
    ///
    /// - Throws: ``ServerAPIError`` 4000000.
    func uuid(_ name: String) throws -> UUID {
        guard let id = parameters.get(name).flatMap(UUID.init(uuidString:)) else {
            throw ServerAPIError(.generalBadRequest, name, "\(name) is a UUID")
        }
        return id
    }
}
