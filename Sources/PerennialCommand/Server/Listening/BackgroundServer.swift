import Hummingbird
import Logging

/// A server beside a command, such as a proxy or a receiver, until the command's cleanup.
enum BackgroundServer {
    /// Starts to listen.
    ///
    /// - Parameter port: 0 takes a free one.
    /// - Returns: The port; `nil` if the address can't be used.
    static func start(
        at host: String, port: Int = 0, label: String, _ cleanup: Cleanup,
        respond: @escaping @Sendable (Request) async throws -> Response
    ) async -> Int? {
        let (ports, opened) = AsyncStream<Int>.makeStream()
        var logger = Logger(label: label)
        logger.logLevel = .critical
        let application = Application(
            responder: CallbackResponder<BasicRequestContext> { request, _ in try await respond(request) },
            configuration: .init(address: .hostname(host, port: port), serverName: nil),
            onServerRunning: { channel in opened.yield(channel.localAddress?.port ?? 0) }, logger: logger)
        let serving = Task {
            defer { opened.finish() }
            try await application.runService(gracefulShutdownSignals: [])
        }
        cleanup.add { serving.cancel() }
        for await port in ports { return port }
        return nil
    }
}
