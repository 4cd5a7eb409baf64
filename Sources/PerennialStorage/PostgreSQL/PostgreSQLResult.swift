import CPostgreSQL

/// A complete result of libpq.
final class PostgreSQLResult {
    let pointer: OpaquePointer?

    init(_ pointer: OpaquePointer?) {
        self.pointer = pointer
    }

    deinit { PQclear(pointer) }

    var succeeded: Bool {
        let status = PQresultStatus(pointer)
        return status == PGRES_COMMAND_OK || status == PGRES_TUPLES_OK
    }

    /// True if the server made the result, not libpq: an error then has a state.
    var isFromServer: Bool { succeeded || PQresultErrorField(pointer, Int32(PostgreSQLField.state.value)) != nil }

    /// The command's tag, such as `COMMIT` or `UPDATE 3`.
    var command: String { PQcmdStatus(pointer).map { String(cString: $0) } ?? "" }

    /// Rows inserted, updated or deleted.
    var rowsChanged: Int {
        guard let count = PQcmdTuples(pointer), !command.hasPrefix("SELECT") else { return 0 }
        return Int(String(cString: count)) ?? 0
    }

    var rowCount: Int32 { PQntuples(pointer) }
}

/// A row of a result in binary form.
struct PostgreSQLRow: Row {
    let result: OpaquePointer?
    let number: Int32

    func optionalInteger(_ column: Int) throws -> Int64? {
        guard let (bytes, type) = try value(column) else { return nil }
        guard let integer = PostgreSQLType.integer(bytes, type: type) else { throw isNot("an integer", column) }
        return integer
    }

    func optionalText(_ column: Int) throws -> String? {
        guard let (bytes, type) = try value(column) else { return nil }
        switch type {
        case PostgreSQLType.text, PostgreSQLType.varchar, PostgreSQLType.bpchar, PostgreSQLType.name,
            PostgreSQLType.unknown:
            return String(decoding: bytes, as: UTF8.self)
        default: throw isNot("text", column)
        }
    }

    func optionalBlob(_ column: Int) throws -> [UInt8]? {
        guard let (bytes, type) = try value(column) else { return nil }
        guard type == PostgreSQLType.bytea else { throw isNot("bytes", column) }
        return [UInt8](bytes)
    }

    /// Returns the bytes and the type of a column; `nil` if it is null.
    private func value(_ column: Int) throws -> (UnsafeRawBufferPointer, Oid)? {
        guard column >= 0, column < Int(PQnfields(result)) else {
            throw StorageError(.wrongType, "column \(column)", "The result has no such column.")
        }
        guard PQgetisnull(result, number, Int32(column)) == 0 else { return nil }
        let count = Int(PQgetlength(result, number, Int32(column)))
        let start = UnsafeRawPointer(PQgetvalue(result, number, Int32(column)))
        return (UnsafeRawBufferPointer(start: start, count: count), PQftype(result, Int32(column)))
    }

    private func isNot(_ wanted: String, _ column: Int) -> StorageError {
        StorageError(.wrongType, "column \(column)", "It doesn't hold \(wanted).")
    }
}
