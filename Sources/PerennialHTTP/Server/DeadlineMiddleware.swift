import Hummingbird
import NIOCore
import PerennialStorage

/// Gives each request one deadline for all that it waits for in the database.
///
/// Without it a request that waits for a connection, then for a lock and then for another may take many times each limit. When
/// the time is over, it is answered with 503 and `Retry-After`. Work that may take long lifts it (``RequestDeadline/lift()``).
package struct DeadlineMiddleware<Context: RequestContext>: RouterMiddleware {
    /// The time for a request, in milliseconds: a connection's own limit on statements, so that a request which waits for
    /// nothing else needs no lower one.
    package static var standardMilliseconds: Int { 12_000 }

    /// Bodies up to this length, in bytes, come with the head as a rule.
    private static var shortBody: Int { 4_096 }

    private let milliseconds: Int

    package init(milliseconds: Int = Self.standardMilliseconds) {
        self.milliseconds = milliseconds
    }

    package func handle(
        _ request: Request, context: Context, next: (Request, Context) async throws -> Response
    ) async throws -> Response {
        let deadline = RequestDeadline(milliseconds: milliseconds)
        let timed =
            Self.comesLater(request)
            ? Request(head: request.head, body: RequestBody(asyncSequence: TimedBody(request.body, deadline)))
            : request
        return try await RequestDeadline.$current.withValue(deadline) { try await next(timed, context) }
    }

    private static func comesLater(_ request: Request) -> Bool {
        if request.headers[.transferEncoding] != nil { return true }
        return request.headers[.contentLength].flatMap { Int($0) }.map { $0 > shortBody } ?? false
    }
}

/// A body whose last byte begins its request's time: a slow client is no slow database.
private struct TimedBody: AsyncSequence, Sendable {
    typealias Element = ByteBuffer

    struct AsyncIterator: AsyncIteratorProtocol {
        fileprivate var base: RequestBody.AsyncIterator
        fileprivate let deadline: RequestDeadline

        mutating func next() async throws -> ByteBuffer? {
            let part = try await base.next()
            if part == nil { deadline.restart() }
            return part
        }
    }

    private let base: RequestBody
    private let deadline: RequestDeadline

    init(_ base: RequestBody, _ deadline: RequestDeadline) {
        self.base = base
        self.deadline = deadline
    }

    func makeAsyncIterator() -> AsyncIterator {
        AsyncIterator(base: base.makeAsyncIterator(), deadline: deadline)
    }
}
