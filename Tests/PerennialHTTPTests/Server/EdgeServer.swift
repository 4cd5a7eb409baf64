import Hummingbird
import Logging
import NIOCore
import PerennialHTTP
import ServiceLifecycle
import Synchronization
import TestSupport
import Testing

/// A whole store on a socket, with limits that end soon, and what it logs.
struct EdgeServer: Sendable {
    let port: Int
    let log: RecordedLog
    let connections: OpenConnections

    /// All limits are so short that a test sees them reached.
    static var impatient: ConnectionLimits {
        var limits = ConnectionLimits()
        // Long enough for a busy machine.
        (limits.head, limits.body, limits.answer) = (.milliseconds(800), .milliseconds(800), .milliseconds(800))
        limits.longestBody = .milliseconds(1600)
        limits.lingering = .milliseconds(200)
        return limits
    }

    /// Limits that no test reaches.
    static var patient: ConnectionLimits {
        var limits = ConnectionLimits()
        (limits.head, limits.body, limits.answer) = (.minutes(10), .minutes(10), .minutes(10))
        limits.lingering = .milliseconds(200)
        return limits
    }

    static func run(
        _ limits: ConnectionLimits = patient, policy: HostPolicy = .any,
        _ test: @escaping @Sendable (EdgeServer) async throws -> Void
    ) async throws {
        let shop = try await TestStore.make()
        let router = PerennialRouter(
            registry: shop.registry, controlToken: StoreServer.controlToken, rootCertificate: [],
            delivery: DeliveryRoutes(delivery: try DeliveryServer.makeDelivery()), nanoseconds: { 0 }
        ).make()
        router.get("large") { _, _ in
            Response(
                status: .ok,
                body: ResponseBody { writer in
                    let chunk = ByteBuffer(repeating: UInt8(ascii: "x"), count: 1 << 20)
                    for _ in 0..<64 { try await writer.write(chunk) }
                    try await writer.finish(nil)
                })
        }
        let log = RecordedLog()
        let connections = OpenConnections()
        // Not through HummingbirdTesting: its client has a connection, too.
        let (ports, port) = AsyncStream.makeStream(of: Int.self)
        let application = Application(
            responder: HostPolicyResponder(policy, router.buildResponder()), server: limits.http1(connections),
            configuration: .init(address: .hostname("127.0.0.1", port: 0)),
            onServerRunning: { port.yield($0.localAddress?.port ?? 0) }, logger: log.logger)
        try await withThrowingTaskGroup(of: Void.self) { tasks in
            tasks.addTask { try await application.run() }
            var iterator = ports.makeAsyncIterator()
            try await test(EdgeServer(port: await iterator.next() ?? 0, log: log, connections: connections))
            tasks.cancelAll()
        }
    }

    func connect(reads: Bool = true) async throws -> RawConnection {
        try await RawConnection(port: port, reads: reads)
    }

    /// Returns the answer up to the end of the connection.
    func ask(_ text: String) async throws -> String {
        try await RawClient.ask(port: port, head: text, bodySize: 0)
    }
}

/// The log messages at warning and above.
final class RecordedLog: Sendable {
    private let lines = Mutex<[String]>([])

    var recorded: [String] { lines.withLock { $0 } }

    var logger: Logger {
        var logger = Logger(label: "test") { [self] _ in Handler(log: self) }
        logger.logLevel = .warning
        return logger
    }

    private struct Handler: LogHandler {
        let log: RecordedLog
        var metadata: Logger.Metadata = [:]
        var logLevel = Logger.Level.warning

        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { metadata[key] }
            set { metadata[key] = newValue }
        }

        func log(event: LogEvent) {
            log.lines.withLock { $0.append("\(event.level) \(event.message) \(event.metadata ?? [:])") }
        }
    }
}
