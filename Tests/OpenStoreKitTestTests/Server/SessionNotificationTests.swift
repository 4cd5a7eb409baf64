import AppStoreFormats
import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import OpenStoreKit
import OpenStoreKitTest
import Synchronization
import Testing

@Suite("Notifications of a session")
struct SessionNotificationTests {
    /// A backend that keeps what is posted to it.
    private final class Backend: Sendable {
        let url: URL
        private let posted: Posted
        private let task: Task<Void, any Error>

        private final class Posted: Sendable {
            let bodies = Mutex<[Data]>([])
        }

        init() async throws {
            let (ports, port) = AsyncStream<Int>.makeStream()
            let posted = Posted()
            let router = Router()
            router.post("notifications") { request, _ in
                let body = try await request.body.collect(upTo: 1 << 20)
                posted.bodies.withLock { $0.append(Data(body.readableBytesView)) }
                return HTTPResponse.Status.ok
            }
            let application = Application(
                router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
                onServerRunning: { port.yield($0.localAddress?.port ?? 0) })
            task = Task.detached { try await application.run() }
            self.posted = posted
            let number = try #require(await ports.first { _ in true })
            url = try #require(URL(string: "http://127.0.0.1:\(number)/notifications"))
        }

        /// Verifies the posted notifications, and returns them in the order of their arrival.
        func notifications(of session: SKTestSession) throws -> [NotificationPayload] {
            let verifier = try JWSVerifier(trustedRoots: [Array(try session.rootCertificate)])
            return try posted.bodies.withLock { $0 }.map { body in
                let object = try JSONSerialization.jsonObject(with: body) as? [String: Any]
                return try verifier.verify(
                    try #require(object?["signedPayload"] as? String), as: NotificationPayload.self)
            }
        }

        deinit { task.cancel() }
    }

    @Test("Changes are posted signed, in their order, before the wait for them ends")
    func order() async throws {
        let backend = try await Backend()
        try await Fixtures.withSession { session in
            // Nothing is told of what was before.
            try await session.buyProduct(identifier: Fixtures.silver)
            try await session.setNotificationURL(backend.url)
            let product = try #require(try await Product.products(for: [Fixtures.weekly]).first)
            guard case .success(.verified(let bought)) = try await product.purchase() else {
                Issue.record("no verified purchase")
                return
            }
            try session.clock.advance(by: .seconds(8 * 86_400))
            try session.refundTransaction(identifier: UInt(bought.id))
            try await session.deliverNotifications()
            let posted = try backend.notifications(of: session)
            #expect(posted.map(\.notificationType.rawValue) == ["SUBSCRIBED", "DID_RENEW", "REFUND"])
            #expect(posted.allSatisfy { $0.data?.environment.rawValue == "Xcode" })
            #expect(posted.allSatisfy { $0.data?.bundleId == session.bundleIdentifier })
        }
    }

    @Test("Clearing the transactions keeps the URL; without one nothing is posted")
    func clear() async throws {
        let backend = try await Backend()
        try await Fixtures.withSession { session in
            try await session.setNotificationURL(backend.url)
            session.clearTransactions()
            try await session.requestTestNotification()
            try await session.deliverNotifications()
            #expect(try backend.notifications(of: session).map(\.notificationType.rawValue) == ["TEST"])
            try await session.setNotificationURL(nil)
            try await session.buyProduct(identifier: Fixtures.weekly)
            try await session.deliverNotifications()
            #expect(try backend.notifications(of: session).count == 1)
            await #expect(throws: SKTestError.self) { try await session.requestTestNotification() }
        }
    }

    @Test("A URL that can't be posted to is refused")
    func badURL() async throws {
        try await Fixtures.withSession { session in
            let url = try #require(URL(string: "ftp://example.com/"))
            let error = await #expect(throws: SKTestError.self) { try await session.setNotificationURL(url) }
            #expect(error?.code == .invalidURL)
        }
    }
}
