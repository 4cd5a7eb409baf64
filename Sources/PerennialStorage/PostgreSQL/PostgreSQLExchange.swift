import CPostgreSQL
import Dispatch
import Foundation

/// A request to the server and its complete answer, within a time limit.
///
/// A server that is suspended, has a hanging disk or has lost its machine keeps the connection open and sends nothing.
/// libpq's own calls would wait for ever.
struct PostgreSQLExchange {
    /// The server has sent nothing for too long.
    struct TimedOut: Error {}

    /// The polling interval: with TLS, libpq may have buffered bytes that the socket doesn't report.
    private static let sliceMilliseconds: Int64 = 250

    let connection: OpaquePointer
    private let end: DispatchTime

    /// - Parameter connection: A connection in non-blocking mode.
    init(_ connection: OpaquePointer, milliseconds: Int) {
        self.connection = connection
        end = .now() + .milliseconds(milliseconds)
    }

    /// Sends a request and returns the last result of its answer.
    /// - Parameter send: A call of libpq that sends a request, and returns 0 if it can't.
    /// - Throws: ``TimedOut``.
    func answer(to send: () -> Int32) throws -> PostgreSQLResult {
        guard send() == 1 else { return PostgreSQLResult(nil) }
        try flush()
        // A statement that fails is the last of its request.
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
            // The server may have to send something before it accepts more.
            guard PQconsumeInput(connection) == 1 else { return }
        }
    }

    private func next() throws -> PostgreSQLResult? {
        while PQisBusy(connection) == 1 {
            try wait(for: POLLIN)
            // The next result reports the error of the connection.
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
