import CPostgreSQL

extension StorageError {
    /// Reads the error of a result, from the server or from libpq.
    init(postgres result: OpaquePointer?, on connection: OpaquePointer?, during subject: String) {
        let message = Self.field(PostgreSQLField.message, of: result)
        guard PQstatus(connection) != CONNECTION_BAD else {
            self.init(connectionLost: connection, during: subject, message)
            return
        }
        // An error of libpq has no state: an empty statement, or too many parameters.
        let state = Self.field(PostgreSQLField.state, of: result) ?? "no state"
        // The message's detail is left out, because it quotes values of rows.
        let rule = Self.field(PostgreSQLField.constraint, of: result) ?? Self.field(PostgreSQLField.column, of: result)
        let code = Self.code(state: state)
        self.init(code, code == .constraint ? rule ?? subject : subject, "\(message ?? "no message") (\(state))")
    }

    private init(connectionLost connection: OpaquePointer?, during subject: String, _ message: String?) {
        let said = PQerrorMessage(connection).map { String(cString: $0) } ?? "no message"
        self.init(.connectionLost, subject, message ?? said.trimmingLineEnds)
    }

    /// Reads the error of a connection that couldn't be established.
    init(connecting connection: OpaquePointer?, to place: String) {
        let said = PQerrorMessage(connection).map { String(cString: $0) } ?? "out of memory"
        self.init(.connectionLost, place, said.trimmingLineEnds)
    }

    /// Maps an SQLSTATE to a code of ours (https://www.postgresql.org/docs/current/errcodes-appendix.html).
    private static func code(state: String) -> Code {
        switch state {
        case "40001", "40P01": return .serialization
        case "55P03", "57014": return .busy
        case "25006": return .readOnly
        case "22021": return .invalidText
        case "57P01", "57P02", "57P03", "57P05", "25P03", "25P04", "26000": return .connectionLost
        case "XX001", "XX002": return .corrupt
        default: break
        }
        switch state.prefix(2) {
        case "08": return .connectionLost
        case "23": return .constraint
        case "53", "58": return .resources
        default: return .statement
        }
    }

    private static func field(_ field: Unicode.Scalar, of result: OpaquePointer?) -> String? {
        PQresultErrorField(result, Int32(field.value)).map { String(cString: $0) }
    }
}

/// The names of an error's fields: https://www.postgresql.org/docs/current/protocol-error-fields.html
enum PostgreSQLField {
    static let state: Unicode.Scalar = "C"
    static let message: Unicode.Scalar = "M"
    static let constraint: Unicode.Scalar = "n"
    static let column: Unicode.Scalar = "c"
    static let function: Unicode.Scalar = "R"
}

extension String {
    fileprivate var trimmingLineEnds: String {
        split(whereSeparator: \.isNewline).joined(separator: " ")
    }
}
