import ServiceLifecycle

/// Announces once that the listeners are open. The server ends if that fails: a waiting program would wait for ever.
struct ReadinessService<Ports: Sendable>: Service {
    private let opened: AsyncStream<Ports>
    private let opening: AsyncStream<Ports>.Continuation
    private let publish: @Sendable (Ports) throws -> Void

    init(publish: @escaping @Sendable (Ports) throws -> Void) {
        (opened, opening) = AsyncStream.makeStream()
        self.publish = publish
    }

    /// Reports that the listeners are open.
    func open(_ ports: Ports) { opening.yield(ports) }

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await ports in opened { try publish(ports) }
        }
    }
}
