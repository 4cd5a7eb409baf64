import Hummingbird
import Logging
import NIOCore
import PerennialHTTP
import Synchronization

/// A server on a free port of this machine.
struct BenchmarkServer {
    let port: Int

    /// Runs a body against a router's server, which ends with it.
    static func run<Value: Sendable>(
        _ router: Router<BasicConnectionContext>,
        _ body: @escaping @Sendable (BenchmarkServer) async throws -> Value
    ) async throws -> Value {
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0), serverName: nil),
            onServerRunning: { channel in port.yield(channel.localAddress?.port ?? 0) },
            logger: BenchmarkStore.quiet)
        return try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await application.run() }
            var iterator = ports.makeAsyncIterator()
            guard let port = await iterator.next() else { throw BenchmarkError("the server did not start") }
            let value = try await body(BenchmarkServer(port: port))
            tasks.cancelAll()
            return value
        }
    }
}

/// The limit of the same server: a route that takes a body, or none, and answers with as many bytes as the one it
/// is compared with.
final class BareRoute: Sendable {
    static let path = "/bare"
    /// The most that verifyReceipt reads.
    private static let maximumBodyBytes = 3_145_728

    private let answer = Mutex(ByteBuffer())

    func add(to router: Router<BasicConnectionContext>) {
        router.post("bare") { [self] request, _ in
            _ = try await request.body.collect(upTo: Self.maximumBodyBytes)
            return response
        }
        router.get("bare") { [self] _, _ in response }
    }

    private var response: Response {
        let body = answer.withLock { $0 }
        return Response(
            status: .ok,
            headers: [.contentType: "application/json", .contentLength: String(body.readableBytes)],
            body: ResponseBody(byteBuffer: body))
    }

    /// Makes the answer so long, in bytes.
    func answer(with size: Int) {
        let frame = #"{"padding":""}"#
        let padding = String(repeating: "x", count: max(0, size - frame.utf8.count))
        answer.withLock { $0 = ByteBuffer(string: #"{"padding":"\#(padding)"}"#) }
    }
}
