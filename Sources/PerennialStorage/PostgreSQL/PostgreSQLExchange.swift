import CPostgreSQL
import Dispatch
import Foundation

/// A request to the server and its whole answer, within a limit.
///
/// A server that is stopped, whose disk hangs or whose machine is gone keeps its connection open and says nothing. libpq's own
/// calls would wait for it for ever.
struct PostgreSQLExchange {
    /// The server said nothing for too long.
    struct TimedOut: Error {}

    /// libpq may hold bytes of an answer that no socket tells of, where it is encrypted: it is asked so often.
    private static let sliceMilliseconds: Int64 = 250

    let connection: OpaquePointer
    private let end: DispatchTime

    /// - Parameter connection: One that doesn't block.
    init(_ connection: OpaquePointer, milliseconds: Int) {
        self.connection = connection
        end = .now() + .milliseconds(milliseconds)
    }

    /// - Parameter send: A call of libpq's that sends a request, and says 0 where it can't.
    /// - Throws: ``TimedOut``.
    func answer(to send: () -> Int32) throws -> PostgreSQLResult {
        guard send() == 1 else { return PostgreSQLResult(nil) }
        try flush()
        // Of several statements the last one's result counts, or the one that failed, which is the last.
        var last: PostgreSQLResult?
        while let result = try next() {
            last = result
            guard PQstatus(connection) != CONNECTION_BAD else { break }
        }
        return last ?? PostgreSQLResult(nil)
    }

    private func flush() throws {
        while PQflush(connection) == 1 {
            try wait(for: POLLIN | POLLOUT)
            // The server may have to say something before it takes more.
            guard PQconsumeInput(connection) == 1 else { return }
        }
    }

    private func next() throws -> PostgreSQLResult? {
        while PQisBusy(connection) == 1 {
            try wait(for: POLLIN)
            // What is wrong with the connection is the next result.
            guard PQconsumeInput(connection) == 1 else { break }
        }
        return PQgetResult(connection).map(PostgreSQLResult.init)
    }

    private func wait(for events: Int32) throws {
        let now = DispatchTime.now()
        guard now < end else { throw TimedOut() }
        let left = Int64((end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000) + 1
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        _ = poll(&descriptor, 1, Int32(min(left, Self.sliceMilliseconds)))
    }
}
