import Hummingbird
import HummingbirdTesting
import PerennialHTTP
import TestSupport
import Testing

/// An unread body on a connection that ends with the answer.
struct UnreadBodyTests {
    struct Case: Sendable {
        var request: String
        var megabytes: Int
        var status: String
        var says: String
        var headers = ""
    }

    private static let token = "Authorization: Bearer \(StoreServer.controlToken)\r\n"

    static let cases = [
        Case(request: "POST /sandbox/verifyReceipt", megabytes: 10, status: "200", says: "\"status\":21002"),
        Case(
            request: "POST /sandbox/control/v1/accounts", megabytes: 10, status: "413", says: "bodyTooLarge",
            headers: token),
        Case(request: "POST /sandbox/store/v1/devices", megabytes: 10, status: "413", says: "bodyTooLarge"),
        Case(request: "POST /delivery/v1/grants", megabytes: 10, status: "413", says: "bodyTooLarge"),
        // Answered without a look at the body.
        Case(request: "POST /sandbox/control/v1/accounts", megabytes: 10, status: "401", says: "unauthorized"),
        Case(request: "POST /nowhere", megabytes: 10, status: "404", says: "notFound"),
        Case(request: "GET /health", megabytes: 0, status: "200", says: "ok"),
        // Too much to be read to its end.
        Case(request: "POST /nowhere", megabytes: 40, status: "404", says: "notFound"),
    ]

    @Test(arguments: cases)
    func `who asks for the end of the connection gets an answer, and then the end`(wanted: Case) async throws {
        let shop = try await TestStore.make()
        let router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken, rootCertificate: [],
            delivery: DeliveryRoutes(delivery: try DeliveryServer.makeDelivery()), nanoseconds: { 0 })
        let application = Application(
            router: router.make(), server: ConnectionLimits.http1,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: TestStore.quiet)
        try await application.test(.live) { client in
            let size = wanted.megabytes << 20
            let answer = try await RawClient.ask(
                port: try #require(client.port),
                head: """
                    \(wanted.request) HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\(wanted.headers)\
                    Content-Length: \(size)\r\n\r\n
                    """, bodySize: size)
            #expect(answer.hasPrefix("HTTP/1.1 \(wanted.status)"), "\(answer)")
            #expect(answer.contains(wanted.says), "\(answer)")
        }
    }
}
