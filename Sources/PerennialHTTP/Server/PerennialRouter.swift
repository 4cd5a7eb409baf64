import HTTPTypes
import Hummingbird
import NIOCore
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
        let router = Router(context: BasicConnectionContext.self)
        let metrics = RequestMetrics()
        router.add(middleware: MetricsMiddleware(metrics: metrics, nanoseconds: nanoseconds))
        router.add(middleware: ErrorMiddleware())
        MetricsRoute(metrics: metrics, registry: registry).add(to: router)
        router.get("health") { _, _ in JSONResponse.bytes(Array(#"{"status":"ok"}"#.utf8)) }
        router.get("certificates/root.cer") { _, _ in
            Response(
                status: .ok, headers: [.contentType: "application/pkix-cert"],
                body: ResponseBody(byteBuffer: ByteBuffer(bytes: rootCertificate)))
        }
        addStore(.named("Production"), to: router)
        ControlRoutes(
            stores: StoreResolver(registry: registry, place: .named("Production")), controlToken: controlToken
        )
        .addEnvironments(to: router)
        addStore(.named("Sandbox"), to: router.group("sandbox"))
        addStore(.parameter, to: router.group("environments/:environment"))
        delivery?.add(to: router)
        return router
    }

    private func addStore(_ place: StoreResolver.Place, to router: some RouterMethods<BasicConnectionContext>) {
        let stores = StoreResolver(registry: registry, place: place)
        StoreRoutes(stores: stores).add(to: router)
        VerifyReceiptRoute(stores: stores).add(to: router)
        ControlRoutes(stores: stores, controlToken: controlToken).add(to: router)
    }
}
