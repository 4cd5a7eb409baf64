import Dispatch
import Hummingbird
import HummingbirdTesting
import NIOCore
import NIOPosix
import Perennial
import PerennialHTTP
import TestSupport
import Testing

@testable import PerennialStorage

/// Limits of sign-ins: guesses are limited, hashing is bounded and ends with its client.
struct SignInLimitTests {
    @Test func `wrong passwords are limited by account, whether it is there or not`() async throws {
        try await StoreServer.run { server in
            _ = try await server.signIn("")
            for account in ["ann", "nobody"] {
                for _ in 0..<10 {
                    let reply = try await server.ask(
                        .post, "/store/v1/devices", StoreServer.device(account, password: "wrong"))
                    #expect((reply.status, reply.error?["code"]) == (401, "unauthorized"))
                }
                let reply = try await server.ask(
                    .post, "/store/v1/devices", StoreServer.device(account, password: "secret"))
                #expect((reply.status, reply.error?["code"]) == (429, "tooManyGuesses"))
                #expect(reply.headers[.retryAfter] == "30")
            }
            server.shop.clock.advance(by: .seconds(30))
            let reply = try await server.ask(
                .post, "/store/v1/devices", StoreServer.device("ann", password: "secret"))
            #expect(reply.status == 200)
            // An account of the same name in another environment is another one.
            let sandbox = try await server.ask(.post, "/sandbox/store/v1/devices", StoreServer.device("nobody"))
            #expect(sandbox.status == 200)
        }
    }

    /// A content server whose one worker is busy until the test lets it go.
    private func withBusyServer(
        capacity: Int, _ test: @escaping @Sendable (Int, PasswordHasher) async throws -> Void
    ) async throws {
        let hasher = PasswordHasher(workers: 1, capacity: capacity)
        let worker = DispatchSemaphore(value: 0)
        let busy = Task {
            try await hasher.run(for: "", isSignUp: false) {
                worker.wait()
                return []
            }
        }
        while hasher.load != .init(waiting: 0, running: 1) { await Task.yield() }
        let cost = PasswordHash.Cost(rounds: 16, blockSize: 1, parallelism: 1)
        let gate = PasswordGate(cost: cost, hasher: hasher, clock: { Instant(seconds: 0) })
        let delivery = try DeliveryServer.makeDelivery(passwords: gate)
        let application = Application(
            router: DeliveryRoutes(delivery: delivery).makeRouter(), server: ConnectionLimits.http1,
            configuration: .init(address: .hostname("127.0.0.1", port: 0)), logger: TestStore.quiet)
        do {
            try await application.test(.live) { client in try await test(try #require(client.port), hasher) }
        } catch {
            worker.signal()
            throw error
        }
        worker.signal()
        _ = try await busy.value
    }

    private static let body = #"{"bundleId":"com.example.photos","customer":"ann","password":"secret"}"#
    private static let head = """
        POST /delivery/v1/customers/session HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
        Content-Length: \(body.utf8.count)\r\n\r\n\(body)
        """

    @Test(.timeLimit(.minutes(5)))
    func `what has no room is told to come back`() async throws {
        try await withBusyServer(capacity: 0) { port, _ in
            let answer = try await RawClient.ask(port: port, head: Self.head, bodySize: 0)
            #expect(answer.hasPrefix("HTTP/1.1 503"), "\(answer)")
            #expect(answer.lowercased().contains("retry-after: 3\r\n"), "\(answer)")
            #expect(answer.contains(#""code":"unavailable""#), "\(answer)")
        }
    }

    @Test(.timeLimit(.minutes(5)))
    func `a client that hangs up is not hashed for`() async throws {
        try await withBusyServer(capacity: 4) { port, hasher in
            for _ in 0..<8 {
                let channel = try await ClientBootstrap(group: .singletonMultiThreadedEventLoopGroup)
                    .connect(host: "127.0.0.1", port: port).get()
                try await channel.writeAndFlush(ByteBuffer(string: Self.head)).get()
                while hasher.load.waiting == 0 { await Task.yield() }
                try await channel.close().get()
                while hasher.load.waiting > 0 { await Task.yield() }
            }
        }
    }
}
