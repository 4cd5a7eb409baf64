import HTTPTypes
import Hummingbird
import NIOCore
import PerennialConnect
import PerennialStore

/// The routes of one process, under their paths (the contract in docs/reference).
package struct PerennialRouter {
    package var registry: StoreRegistry
    package var controlToken: String
    /// DER.
    package var rootCertificate: [UInt8]
    package var delivery: DeliveryRoutes?
    /// A clock that only ever goes forward, to time requests with.
    package var nanoseconds: @Sendable () -> UInt64
    /// Makes and revokes keys and secrets; `nil` where they can't be.
    package var keys: APIKeys?
    /// Reads and edits the catalog for all protocols.
    package let catalog: CatalogEditor
    /// Answers about certificates; `nil` where there is no such answer.
    package var authority: CertificateAuthority?
    /// The rate limits of the App Store Server API.
    package var rateLimits = RateLimits()
    /// The requests an hour of each key of the App Store Connect API.
    package var connectRequestsPerHour = ConnectRateLimiter.requestsPerHour
    /// The way to sellers' servers that choose retention messages.
    package var realtime: any RealtimeEndpoint = RealtimeClient()
    /// Waits for as long as the database may take to answer, before the store says that it isn't ready.
    package var readinessLimit: @Sendable () async throws -> Void = { try await Task.sleep(for: .seconds(2)) }
    /// The time that a request may wait for the database, in milliseconds.
    package var requestMilliseconds = DeadlineMiddleware<BasicConnectionContext>.standardMilliseconds
    /// Routes of parts that this one doesn't know: the console.
    package var extensions: [any RouteExtension] = []
    /// The path to which `/` leads a browser; `nil` where it gets the text for all others.
    package var browserPath: String?
    /// The answers of the App Store Server API, for all environments.
    private let histories = HistoryAnswers<ByteBuffer>()

    package init(
        registry: StoreRegistry, controlToken: String, rootCertificate: [UInt8], delivery: DeliveryRoutes?,
        nanoseconds: @escaping @Sendable () -> UInt64
    ) {
        self.registry = registry
        catalog = CatalogEditor(
            database: registry.database, wallClock: registry.connectAuthenticator.wallClock)
        self.controlToken = controlToken
        self.rootCertificate = rootCertificate
        self.delivery = delivery
        self.nanoseconds = nanoseconds
    }

    package func make() -> Router<BasicConnectionContext> { makeDescribed().router }

    /// Makes a router with the requests of apps only, under `environments/NAME`: a test session needs no others, and is
    /// made often.
    package func makeStore() -> Router<BasicConnectionContext> {
        let router = Router(context: BasicConnectionContext.self)
        router.add(middleware: ErrorMiddleware(answersAppleProtocols: false))
        let place = router.group("environments/:environment")
        addApps(StoreResolver(registry: registry, place: .parameter), nil, to: place)
        delivery?.add(to: place, operations: nil)
        router.add(middleware: UnknownPathMiddleware(knowing: router.routes))
        return router
    }

    /// Makes the router, and the list of the operations that it was given.
    func makeDescribed() -> (router: Router<BasicConnectionContext>, operations: OperationList) {
        let router = Router(context: BasicConnectionContext.self, options: .autoGenerateHeadEndpoints)
        let metrics = RequestMetrics()
        router.add(middleware: MetricsMiddleware(metrics: metrics, nanoseconds: nanoseconds))
        router.add(middleware: UnreadBodyMiddleware())
        router.add(
            middleware: ErrorMiddleware(
                answersAppleProtocols: true,
                observer: RequestObserver(
                    live: registry.live, wallClock: registry.wallClock, nanoseconds: nanoseconds)))
        router.add(middleware: DeadlineMiddleware(milliseconds: requestMilliseconds))
        let operations = OperationList()
        addProcess(metrics, operations, to: router)
        let connect = ConnectEngine(ConnectDirectory.current, editor: catalog)
        let limiters = (
            server: RateLimiter(rateLimits),
            connect: ConnectRateLimiter(
                limit: connectRequestsPerHour, clock: registry.connectAuthenticator.wallClock)
        )
        addStore(.named("Production"), limiters, connect, operations, to: router)
        // The same routes, described once.
        addStore(.named("Sandbox"), limiters, connect, nil, to: router.group("sandbox"))
        addStore(.parameter, limiters, connect, nil, to: router.group("environments/:environment"))
        delivery?.add(to: router, operations: operations)
        for routes in extensions { routes.add(to: router) }
        router.add(middleware: UnknownPathMiddleware(knowing: router.routes))
        return (router, operations)
    }

    /// Adds the routes that the process has once.
    private func addProcess(
        _ metrics: RequestMetrics, _ operations: OperationList, to router: Router<BasicConnectionContext>
    ) {
        let open = RouteGroup(router, operations: operations, isGlobal: true)
        MetricsRoute(metrics: metrics, registry: registry, readinessLimit: readinessLimit).add(to: open)
        StatusRoutes(registry: registry, readinessLimit: readinessLimit).add(to: open)
        let document = OpenAPIDocument(operations)
        open.get("openapi.json", "This document", answers: [.json(OpenAPIDocument.Version.self)]) {
            (_: Call<NoBody>, _) in try document.response()
        }
        router.get("/") { [browserPath] request, _ in FrontPage.response(to: request, browsersTo: browserPath) }
        let control = control(.named("Production"), operations, isGlobal: true, router)
        EnvironmentRoutes(registry: registry).add(to: control)
        NodeRoutes(registry: registry).add(to: control)
        CatalogFileRoutes(registry: registry, editor: catalog).add(to: control)
        if let authority {
            CertificateRoutes(authority: authority).add(to: open, router)
            CertificateRevocationRoutes(authority: authority).add(to: control)
        }
    }

    /// Adds the routes of an environment, in groups by the credentials that they need.
    private func addStore(
        _ place: StoreResolver.Place, _ limiters: (server: RateLimiter, connect: ConnectRateLimiter),
        _ connect: ConnectEngine, _ operations: OperationList?, to router: some RouterMethods<BasicConnectionContext>
    ) {
        let stores = StoreResolver(registry: registry, place: place)
        // Open: a certificate is public, and a receipt's shared secret is in the body, as Apple has it.
        RootCertificateRoute(stores: stores, certificate: rootCertificate)
            .add(to: RouteGroup(router, operations: operations))
        VerifyReceiptRoute(stores: stores).add(to: router)
        addApps(stores, operations, to: router)
        ServerAPIRoutes(limiter: limiters.server, realtime: realtime, histories: histories).add(
            to: router.group().add(middleware: APIKeyMiddleware(stores: stores)).group(context: SellerContext.self))
        ConnectRoutes(engine: connect).add(
            to: router.group().add(middleware: ConnectKeyMiddleware(stores: stores, limiter: limiters.connect))
                .group(context: ConnectContext.self))
        AnalyticsFileRoute(stores: stores).add(to: router)
        AssetRoutes(editor: catalog).add(to: router)
        ControlRoutes(
            realtime: realtime, keys: keys, catalog: catalog, accounts: accounts, delivery: delivery?.delivery,
            authority: authority
        ).add(to: control(place, operations, isGlobal: false, router))
    }

    /// Adds the requests of apps.
    private func addApps(
        _ stores: StoreResolver, _ operations: OperationList?, to router: some RouterMethods<BasicConnectionContext>
    ) {
        StoreRoutes(stores: stores).add(
            open: RouteGroup(router, "store/v1", operations: operations),
            devices: RouteGroup(
                router, "store/v1", for: DeviceTokenMiddleware(stores: stores), .deviceToken, operations: operations),
            customers: RouteGroup(
                router, "store/v1", for: CustomerMiddleware(stores: stores), .deviceToken, operations: operations))
    }

    private var accounts: ConsoleAccounts {
        ConsoleAccounts(
            database: registry.database, passwords: registry.passwords,
            wallClock: registry.connectAuthenticator.wallClock, randomBytes: registry.randomBytes)
    }

    /// The routes below control/v1 of an environment.
    private func control(
        _ place: StoreResolver.Place, _ operations: OperationList?, isGlobal: Bool,
        _ router: some RouterMethods<BasicConnectionContext>
    ) -> RouteGroup<ControlContext> {
        RouteGroup(
            router, "control/v1",
            for: ControlTokenMiddleware(
                stores: StoreResolver(registry: registry, place: place), token: SharedToken(controlToken)),
            .controlToken, operations: operations, isGlobal: isGlobal, refusesUnknownFields: true)
    }
}
