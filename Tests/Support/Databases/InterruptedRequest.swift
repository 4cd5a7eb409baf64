import CPostgreSQL
import Foundation
import PerennialStorage

/// A session whose client has sent a part of a request and sends no more, like that of a node that was cut off: the server has run
/// the part and waits for the rest.
package final class InterruptedRequest: @unchecked Sendable {
    private struct Failed: Error {
        let reason: String
    }

    private let connection: OpaquePointer

    /// The number of the server's process.
    package var process: Int64 { Int64(PQbackendPID(connection)) }

    /// Returns when the server has run the statements.
    ///
    /// - Parameters:
    ///   - application: The `application_name`; a node's by default.
    ///   - statements: The complete messages before the incomplete one.
    package init(at location: DatabaseLocation, application: String = "perennial", _ statements: [String]) throws {
        guard case .postgres(let url) = location, let connection = PQconnectdb(url) else {
            throw Failed(reason: "no PostgreSQL server")
        }
        self.connection = connection
        PQclear(PQexec(connection, "SET application_name = '\(application)'"))
        guard PQenterPipelineMode(connection) == 1 else { throw failure }
        for statement in statements {
            guard PQsendQueryParams(connection, statement, 0, nil, nil, nil, nil, 0) == 1 else { throw failure }
        }
        // The server answers at once, and the request goes on.
        guard PQsendFlushRequest(connection) == 1, PQflush(connection) == 0 else { throw failure }
        for _ in statements {
            while let result = PQgetResult(connection) {
                defer { PQclear(result) }
                guard [PGRES_COMMAND_OK, PGRES_TUPLES_OK].contains(PQresultStatus(result)) else { throw failure }
            }
        }
        // The type of a message, its length, and nothing of the text that it announces.
        let part: [UInt8] = [UInt8(ascii: "P"), 0, 0, 1, 0]
        guard write(PQsocket(connection), part, part.count) == part.count else { throw failure }
    }

    deinit { PQfinish(connection) }

    private var failure: Failed { Failed(reason: String(cString: PQerrorMessage(connection))) }
}
