import HTTPTypes
import Hummingbird
import NIOCore
import PerennialConnect
import PerennialStore

/// All that one process answers, under its paths (the contract in docs/protocols).
package struct PerennialRouter {
    package var registry: StoreRegistry
    package var controlToken: String
    /// DER.
    package var rootCertificate: [UInt8]
    package var delivery: DeliveryRoutes?
    /// A clock that only ever goes forward, for how long requests take.
    package var nanoseconds: @Sendable () -> UInt64
    /// How keys and secrets are made and revoked; without it they can't be.
    package var keys: APIKeys?
    /// Answers about certificates; without it nobody does.
    package var authority: CertificateAuthority?
    /// Of the App Store Server API.
    package var rateLimits = RateLimits()
    /// The way to sellers' servers that choose retention messages.
    package var realtime: any RealtimeEndpoint = RealtimeClient()
    /// Waits for as long as the database may take to answer, before the store says that it isn't ready.
    package var readinessLimit: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(2)) }

    package init(
        registry: StoreRegistry, controlToken: String, rootCertificate: [UInt8], delivery: DeliveryRoutes?,
        nanoseconds: @escaping @Sendable () -> UInt64
    ) {
        self.registry = registry
        self.controlToken = controlToken
        self.rootCertificate = rootCertificate
        self.delivery = delivery
        self.nanoseconds = nanoseconds
    }

    package func make() -> Router<BasicConnectionContext> {
        let router = Router(context: BasicConnectionContext.self, options: .autoGenerateHeadEndpoints)
        let metrics = RequestMetrics()
        router.add(middleware: MetricsMiddleware(metrics: metrics, nanoseconds: nanoseconds))
        router.add(middleware: UnreadBodyMiddleware())
        router.add(middleware: ErrorMiddleware())
        router.add(middleware: ServerAPIErrorMiddleware())
        MetricsRoute(metrics: metrics, registry: registry, readinessLimit: readinessLimit).add(to: router)
        OpenAPIDocument().add(to: router)
        router.get("health") { _, _ in JSONResponse.bytes(Array(#"{"status":"ok"}"#.utf8)) }
        router.get("ready") { _, _ in
            switch await registry.readiness(within: readinessLimit) {
            case .ready: return try JSONResponse.make(["status": "ready"])
            case .notReady(let status, let reason):
                throw APIError(
                    .serviceUnavailable, status, "the store can't sell now: \(reason): \(status)",
                    headers: [.retryAfter: "1"])
            }
        }
        router.get("/") { _, _ in FrontPage.response }
        let limiter = RateLimiter(rateLimits)
        addStore(.named("Production"), limiter, to: router)
        let control = ControlRoutes(
            stores: StoreResolver(registry: registry, place: .named("Production")), controlToken: controlToken)
        control.addEnvironments(to: router)
        if let authority {
            CertificateRoutes(authority: authority).add(to: router)
            CertificateControlRoutes(control: control, authority: authority).add(to: router)
        }
        addStore(.named("Sandbox"), limiter, to: router.group("sandbox"))
        addStore(.parameter, limiter, to: router.group("environments/:environment"))
        delivery?.add(to: router)
        router.add(middleware: UnknownPathMiddleware(knowing: router.routes))
        return router
    }

    private func addStore(
        _ place: StoreResolver.Place, _ limiter: RateLimiter, to router: some RouterMethods<BasicConnectionContext>
    ) {
        let stores = StoreResolver(registry: registry, place: place)
        RootCertificateRoute(stores: stores, certificate: rootCertificate).add(to: router)
        StoreRoutes(stores: stores).add(to: router)
        VerifyReceiptRoute(stores: stores).add(to: router)
        ServerAPIRoutes(stores: stores, limiter: limiter, realtime: realtime).add(to: router)
        let control = ControlRoutes(stores: stores, controlToken: controlToken)
        control.add(to: router)
        AppTransactionRoutes(stores: stores, control: control).add(to: router)
        if let keys { KeyRoutes(control: control, keys: keys).add(to: router) }
        RetentionControlRoutes(control: control, realtime: realtime).add(to: router)
    }
}
