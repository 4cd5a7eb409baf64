import CPostgreSQL
import Dispatch
import Foundation
import Synchronization

/// Commands on their way to a server in libpq's pipeline mode: several are sent as one request, and answered together.
///
/// A server that is suspended, has a hanging disk or has lost its machine keeps the connection open and sends nothing. libpq's
/// own calls would wait for ever, so every wait here has an end.
final class PostgreSQLPipeline {
    /// The server has sent nothing for too long.
    struct TimedOut: Error {}

    /// The first command of a request that failed. Those behind it weren't run.
    struct Failure: Error {
        let error: StorageError
        /// The command, if it is one that begins or ends a transaction.
        let control: PostgreSQLChannel.Control?
        /// True if the server itself has answered with the error: what was sent behind the command didn't happen.
        let isFromServer: Bool

        /// True if nothing is committed for certain. The server ran nothing behind a command that it refused, and one that ended
        /// a transaction because its node slept ran nothing at all.
        var isUncommitted: Bool { isFromServer && (control != .commit || error.reason.hasSuffix("(25P03)")) }
    }

    /// A command whose answer is outstanding, or the end of a request.
    private enum Expected {
        case answer(to: SQL, PostgreSQLChannel.Control?)
        case end
    }

    /// The polling interval: with TLS, libpq may have buffered bytes that the socket doesn't report.
    private static let sliceMilliseconds: Int64 = 250

    let connection: OpaquePointer
    private let counters: PostgreSQLCounters
    private var expected: [Expected] = []

    /// - Parameter connection: A connection in non-blocking mode.
    init(_ connection: OpaquePointer, _ counters: PostgreSQLCounters) {
        self.connection = connection
        self.counters = counters
    }

    /// True if commands have no answer yet.
    var isAwaited: Bool { !expected.isEmpty }
    /// The number of commands without an answer.
    var awaitedCount: Int { expected.reduce(0) { if case .answer = $1 { $0 + 1 } else { $0 } } }

    /// Adds a command to the request that the next ``wait(milliseconds:)`` or ``end()`` sends.
    ///
    /// - Parameter send: A call of libpq that adds the command, and returns 0 if it can't.
    /// - Throws: ``StorageError``, of libpq.
    func add(_ sql: SQL, _ control: PostgreSQLChannel.Control? = nil, _ send: (OpaquePointer) -> Int32) throws {
        guard send(connection) == 1 else { throw StorageError(postgres: nil, on: connection, during: sql.text) }
        counters.statements.add(1, ordering: .relaxed)
        expected.append(.answer(to: sql, control))
    }

    /// Sends the request without waiting for its answer, which the next one finds before its own.
    func end() {
        guard PQpipelineSync(connection) == 1 else { return }
        expected.append(.end)
        _ = PQflush(connection)
    }

    /// Sends the request and returns the result of its last command.
    /// - Throws: ``Failure``, ``TimedOut``.
    func wait(milliseconds: Int) throws -> PostgreSQLResult {
        var last: PostgreSQLResult?
        try wait(milliseconds: milliseconds) { last = $0 }
        guard let last else { throw lost() }
        return last
    }

    /// Sends the request and returns the results of all commands.
    /// - Throws: ``Failure``, ``TimedOut``.
    func waitForAll(milliseconds: Int) throws -> [PostgreSQLResult] {
        var results: [PostgreSQLResult] = []
        try wait(milliseconds: milliseconds) { if let result = $0 { results.append(result) } }
        return results
    }

    private func wait(milliseconds: Int, take: (PostgreSQLResult?) -> Void) throws {
        counters.roundTrips.add(1, ordering: .relaxed)
        let end = DispatchTime.now() + .milliseconds(milliseconds)
        self.end()
        try flush(until: end)
        var failure: Failure?
        for expectation in expected {
            switch expectation {
            case .end: _ = try next(until: end)
            case .answer(let sql, let control):
                let result = try answer(until: end)
                take(result)
                guard failure == nil, result?.succeeded != true else { continue }
                failure = Failure(
                    error: StorageError(postgres: result?.pointer, on: connection, during: sql.text),
                    control: control, isFromServer: result?.isFromServer == true)
            }
            if PQstatus(connection) == CONNECTION_BAD { break }
        }
        expected.removeAll(keepingCapacity: true)
        if let failure {
            if failure.error.code == .busy { counters.lockTimeouts.add(1, ordering: .relaxed) }
            throw failure
        }
        if PQstatus(connection) == CONNECTION_BAD { throw lost() }
    }

    private func lost() -> Failure {
        Failure(
            error: StorageError(postgres: nil, on: connection, during: "request"), control: nil, isFromServer: false)
    }

    /// Returns the last result of a command, which a null pointer follows.
    private func answer(until end: DispatchTime) throws -> PostgreSQLResult? {
        var last: PostgreSQLResult?
        while let result = try next(until: end) {
            last = result
            guard PQstatus(connection) != CONNECTION_BAD else { break }
        }
        return last
    }

    private func flush(until end: DispatchTime) throws {
        while PQflush(connection) == 1 {
            try wait(for: POLLIN | POLLOUT, until: end)
            // The server may have to send something before it accepts more.
            guard PQconsumeInput(connection) == 1 else { return }
        }
    }

    private func next(until end: DispatchTime) throws -> PostgreSQLResult? {
        while PQisBusy(connection) == 1 {
            try wait(for: POLLIN, until: end)
            // The next result reports the error of the connection.
            guard PQconsumeInput(connection) == 1 else { break }
        }
        return PQgetResult(connection).map(PostgreSQLResult.init)
    }

    private func wait(for events: Int32, until end: DispatchTime) throws {
        let now = DispatchTime.now()
        guard now < end else { throw TimedOut() }
        let left = Int64((end.uptimeNanoseconds - now.uptimeNanoseconds) / 1_000_000) + 1
        var descriptor = pollfd(fd: PQsocket(connection), events: Int16(events), revents: 0)
        _ = poll(&descriptor, 1, Int32(min(left, Self.sliceMilliseconds)))
    }
}
