import CSQLite

/// Opens SQLite files past the store's own code, as another program would.
package enum RawSQLite {
    package struct Failure: Error, CustomStringConvertible {
        package let description: String
    }

    /// Runs statements on a file and returns the first column of their rows, as text.
    @discardableResult
    package static func run(_ statements: String, on path: String) throws -> [String] {
        var connection: OpaquePointer?
        defer { sqlite3_close(connection) }
        guard sqlite3_open(path, &connection) == SQLITE_OK else { throw Failure(description: message(of: connection)) }
        var values: [String] = []
        let code = withUnsafeMutablePointer(to: &values) { values in
            sqlite3_exec(
                connection, statements,
                { context, count, columns, _ in
                    guard count > 0, let columns, let text = columns[0] else { return 0 }
                    context?.assumingMemoryBound(to: [String].self).pointee.append(String(cString: text))
                    return 0
                }, values, nil)
        }
        guard code == SQLITE_OK else { throw Failure(description: message(of: connection)) }
        return values
    }

    private static func message(of connection: OpaquePointer?) -> String {
        sqlite3_errmsg(connection).map { String(cString: $0) } ?? "unknown error"
    }
}
