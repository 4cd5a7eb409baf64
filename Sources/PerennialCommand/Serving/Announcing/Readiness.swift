import ServiceLifecycle

/// Says once that a server is ready, as one of its services: where that can't be said, the server ends, since whoever waits
/// for it would wait for ever.
struct Readiness<Ports: Sendable>: Service {
    private let opened: AsyncStream<Ports>
    private let opening: AsyncStream<Ports>.Continuation
    private let announce: @Sendable (Ports) throws -> Void

    init(announce: @escaping @Sendable (Ports) throws -> Void) {
        (opened, opening) = AsyncStream.makeStream()
        self.announce = announce
    }

    /// The listeners are there.
    func open(_ ports: Ports) { opening.yield(ports) }

    func run() async throws {
        try await cancelWhenGracefulShutdown {
            for await ports in opened { try announce(ports) }
        }
    }
}
