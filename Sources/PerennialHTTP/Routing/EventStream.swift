import HTTPTypes
import Hummingbird
import NIOCore
import ServiceLifecycle

/// An answer of server-sent events (HTML Living Standard, "Server-sent events").
///
/// It ends when its source does, when the client leaves, or when the server is asked to stop. A comment goes out where the
/// source is silent, so that a dead connection is noticed. A client that doesn't read makes the source wait.
package struct EventStream: Sendable {
    /// An event: its data is one line.
    package struct Event: Sendable {
        package var id: String?
        package var data: String
        private var others: [Event] = []

        package init(id: String? = nil, data: String) {
            self.id = id
            self.data = data
        }

        /// Makes one of several, which are sent together; `nil` of none.
        package init?(_ events: [Event]) {
            guard let first = events.first else { return nil }
            self = first
            others += events.dropFirst()
        }

        var text: String { others.reduce(into: own) { $0 += $1.text } }

        private var own: String {
            let lines = data.split(omittingEmptySubsequences: false) { $0.isNewline }
            let name = id.map { "id: \($0.filter { !$0.isNewline && $0 != "\0" })\n" } ?? ""
            return name + lines.map { "data: \($0)\n" }.joined() + "\n"
        }
    }

    /// Events that wait for the connection at most, before their source does.
    private static let capacity = 16
    private static let fullPause = Duration.milliseconds(5)
    private static let silence = Duration.seconds(15)

    private let context: any ConnectionContext
    private let heartbeat: @Sendable () async throws -> Void

    /// - Parameter heartbeat: Waits until the next comment is due.
    package init(
        _ context: some ConnectionContext,
        heartbeat: @escaping @Sendable () async throws -> Void = { try await Task.sleep(for: silence) }
    ) {
        self.context = context
        self.heartbeat = heartbeat
    }

    /// Makes the answer.
    ///
    /// - Parameter source: Calls its argument with each event. It is cancelled when the answer ends.
    package func response(
        _ source: @escaping @Sendable (_ send: @Sendable (Event) async throws -> Void) async throws -> Void
    ) -> Response {
        let (context, heartbeat) = (context, heartbeat)
        let body = ResponseBody { writer in
            let (chunks, tell) = AsyncStream<String>.makeStream(bufferingPolicy: .bufferingOldest(Self.capacity))
            let work = Task {
                defer { tell.finish() }
                _ = try? await context.untilHangUp {
                    try await withThrowingTaskGroup(of: Void.self) { group in
                        group.addTask { try await source { try await Self.put($0.text, into: tell) } }
                        group.addTask {
                            while true {
                                try await heartbeat()
                                tell.yield(":\n\n")
                            }
                        }
                        defer { group.cancelAll() }
                        try await group.next()
                    }
                }
            }
            defer { work.cancel() }
            let backpressure = WriteBackpressure(context.channel.eventLoop)
            // A first comment, so that the client knows that the stream is open.
            try await writer.write(ByteBuffer(string: "retry: 2000\n\n"))
            try await withGracefulShutdownHandler {
                for await chunk in chunks {
                    try await writer.write(ByteBuffer(string: chunk))
                    try await backpressure.pass()
                }
            } onGracefulShutdown: {
                work.cancel()
            }
            try await writer.finish(nil)
        }
        return Response(
            status: .ok,
            headers: [
                .contentType: "text/event-stream; charset=utf-8", .cacheControl: "no-store",
                HTTPField.Name("X-Accel-Buffering")!: "no",
            ],
            body: body)
    }

    private static func put(_ text: String, into tell: AsyncStream<String>.Continuation) async throws {
        while true {
            switch tell.yield(text) {
            case .enqueued: return
            case .dropped: try await Task.sleep(for: fullPause)
            case .terminated: throw CancellationError()
            @unknown default: throw CancellationError()
            }
        }
    }
}
