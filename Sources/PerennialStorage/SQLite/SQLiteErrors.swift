import CSQLite
import Foundation

extension StorageError {
    /// Reads the error of the last call on a connection.
    init(sqlite handle: OpaquePointer?, during subject: String) {
        let code = sqlite3_extended_errcode(handle)
        var message = sqlite3_errmsg(handle).map { String(cString: $0) } ?? "unknown error"
        if [SQLITE_IOERR, SQLITE_FULL, SQLITE_CANTOPEN].contains(code & 0xff) {
            let cause = sqlite3_system_errno(handle)
            message += " (SQLite \(code)" + (cause == 0 ? ")" : ", \(String(cString: strerror(cause))))")
        }
        self.init(sqliteCode: code, message: message, subject: subject)
    }

    /// Turns an error that occurred while a file was opened into one about the file.
    init(opening path: String, _ error: StorageError) {
        switch error.code {
        case .busy, .corrupt, .resources: self.init(error.code, path, error.reason)
        default: self.init(.cannotOpen, path, "\(error.reason). Its folder must exist and let this process write.")
        }
    }

    /// Maps a result code to a code of ours by its low byte (https://www.sqlite.org/rescode.html).
    private init(sqliteCode: Int32, message: String, subject: String) {
        switch sqliteCode & 0xff {
        case SQLITE_CONSTRAINT: self.init(.constraint, Self.constraint(in: message) ?? subject, message)
        case SQLITE_BUSY, SQLITE_LOCKED, SQLITE_PROTOCOL: self.init(.busy, subject, message)
        case SQLITE_READONLY: self.init(.readOnly, subject, message)
        case SQLITE_FULL, SQLITE_IOERR, SQLITE_NOMEM: self.init(.resources, subject, message)
        case SQLITE_CORRUPT, SQLITE_NOTADB: self.init(.corrupt, subject, message)
        case SQLITE_CANTOPEN, SQLITE_PERM, SQLITE_AUTH: self.init(.cannotOpen, subject, message)
        default: self.init(.statement, subject, message)
        }
    }

    /// Returns the subject of a message: `accounts.name` for `UNIQUE constraint failed: accounts.name`.
    private static func constraint(in message: String) -> String? {
        message.firstRange(of: "failed: ").map { String(message[$0.upperBound...]) }
    }
}
