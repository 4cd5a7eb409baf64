import AppStoreFormats
import HTTPTypes
import Hummingbird
import Perennial
import PerennialDelivery
import PerennialStorage
import TestSupport

@testable import PerennialHTTP

/// A server with all that a process can have: keys, certificates, the content server.
enum DescribedServer {
    static func run<Value: Sendable>(
        _ test: @escaping @Sendable (StoreServer) async throws -> Value
    ) async throws -> Value {
        let (authority, delivery) = (try CertificateRoutesTests.authority().authority, try delivery())
        return try await StoreServer.run(app: TestCatalog.magazineWithOffers, test) { router in
            (router.authority, router.delivery) = (authority, delivery)
        }
    }

    /// Runs a test against a store and a content server that are there.
    static func run<Value: Sendable>(
        _ shop: TestStore, _ delivery: DeliveryRoutes, _ test: @escaping @Sendable (StoreServer) async throws -> Value
    ) async throws -> Value {
        let authority = try CertificateRoutesTests.authority().authority
        return try await StoreServer.run(shop, test) { router in
            (router.authority, router.delivery) = (authority, delivery)
        }
    }

    /// The operations that its router is given.
    static func operations() async throws -> [APIOperation] { try await described.value }

    /// Made once: every operation has tests of its own that ask for them.
    private static let described = Task { try await router().makeDescribed().operations.all }

    /// The routes of its router, each of whose path parameters is in braces.
    static func routes() async throws -> [(method: HTTPRequest.Method, path: String)] {
        try await router().make().routes.map { route in
            (route.method, "/" + route.path.description.drop { $0 == "/" }.replacing(/:(\w+)/) { "{\($0.1)}" })
        }
    }

    private static func router() async throws -> PerennialRouter {
        let shop = try await TestStore.make()
        var router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken, rootCertificate: [],
            delivery: try delivery(), nanoseconds: { 0 })
        router.keys = shop.keys
        router.authority = try CertificateRoutesTests.authority().authority
        return router
    }

    /// - Parameters: Those of `DeliveryServer.makeDelivery`.
    static func delivery(in database: Database? = nil, drawn: UInt8 = 0) throws -> DeliveryRoutes {
        DeliveryRoutes(
            delivery: try DeliveryServer.makeDelivery(
                trust: NotificationTrust(roots: [TestSigning.identities.rootCertificate]), in: database, drawn: drawn),
            operatorToken: DeliveryServer.operatorToken)
    }
}
