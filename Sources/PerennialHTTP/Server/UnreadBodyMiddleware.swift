import HTTPTypes
import Hummingbird
import NIOCore

/// Reads a request to its end, where it asks for the connection to be closed after the answer.
///
/// Hummingbird closes such a connection once the client does. A client that is still sending an unread body, such as one
/// that is too large, never gets there. A body longer than ``drainedMaximum`` is cut off.
package struct UnreadBodyMiddleware<Context: RequestContext>: RouterMiddleware {
    package init() {}

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        guard request.headers[.connection]?.lowercased() == "close" else { return try await next(request, context) }
        let body = WatchedBody(request.body)
        let watched = Request(head: request.head, body: RequestBody(asyncSequence: body))
        do {
            let response = try await next(watched, context)
            await finish(body, context)
            return response
        } catch {
            await finish(body, context)
            throw error
        }
    }

    private func finish(_ body: WatchedBody, _ context: Context) async {
        guard await !body.drain(upTo: WatchedBody.drainedMaximum),
            let channel = (context as? any ConnectionContext)?.channel
        else { return }
        // By then the answer is with the client, if it reads at all.
        channel.eventLoop.scheduleTask(in: WatchedBody.lingering) { channel.close(promise: nil) }
    }
}

/// A body that knows how far it was read.
private struct WatchedBody: AsyncSequence, Sendable {
    /// The limit in bytes: several times the largest body that any route takes.
    static let drainedMaximum = 16 << 20
    /// The time that the connection of a longer one stays open after the answer.
    static let lingering = TimeAmount.seconds(1)

    typealias Element = ByteBuffer

    fileprivate actor Reader {
        private var iterator: RequestBody.AsyncIterator
        private var isAtEnd = false

        init(_ body: RequestBody) {
            iterator = body.makeAsyncIterator()
        }

        func next() async throws -> ByteBuffer? {
            guard !isAtEnd else { return nil }
            var iterator = iterator
            defer { self.iterator = iterator }
            let part = try await iterator.next(isolation: self)
            isAtEnd = part == nil
            return part
        }
    }

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate let reader: Reader

        func next() async throws -> ByteBuffer? { try await reader.next() }
    }

    private let reader: Reader

    init(_ body: RequestBody) {
        reader = Reader(body)
    }

    func makeAsyncIterator() -> AsyncIterator { AsyncIterator(reader: reader) }

    /// Reads the unread rest.
    ///
    /// - Returns: True if nothing is left, also because the client has gone.
    func drain(upTo limit: Int) async -> Bool {
        var size = 0
        while size <= limit {
            guard let part = try? await reader.next() else { return true }
            size += part.readableBytes
        }
        return false
    }
}
