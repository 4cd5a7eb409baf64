/// An error of a database.
///
/// It never contains values bound to placeholders: they may be secrets or personal data.
package struct StorageError: Error, Equatable, CustomStringConvertible {
    package enum Code: String, Sendable, CaseIterable {
        /// A text is no valid location of a database.
        case malformedLocation
        /// The location has no database, or refuses access.
        case cannotOpen
        /// The database has been closed.
        case closed
        /// The queue of tasks is full.
        case overloaded
        /// The engine doesn't accept the statement or the values bound to it.
        case statement
        /// A text contains a NUL character, which PostgreSQL can't store.
        case invalidText
        /// A row would break a uniqueness, reference, check or not-null rule.
        case constraint
        /// A column has another type than required.
        case wrongType
        /// A read tried to write.
        case readOnly
        /// Another transaction held a lock for too long.
        case busy
        /// Transactions kept colliding after all retries.
        case serialization
        /// The server was lost and nothing was committed.
        case connectionLost
        /// The server keeps its connection and doesn't answer, or a task waited too long for a connection; nothing was committed.
        case unresponsive
        /// The commit was sent and no answer came: the transaction may or may not have happened.
        case commitUnknown
        /// The disk has failed before: the database accepts no writes until the process is started again.
        case writesStopped
        /// The disk or the memory is full, or the disk failed.
        case resources
        /// The file is not a database, or a damaged one.
        case corrupt
        /// The database was migrated by a newer version of this program.
        case newerSchema
        /// Nodes of an earlier version run that can't work beside a migration.
        case earlierNodes
        /// The database was migrated by other migrations than this program's.
        case differentSchema
    }

    package let code: Code
    /// The object of the error: a location, a constraint, a column, or the text of a statement.
    package let subject: String
    /// The explanation for a person.
    package let reason: String

    package init(_ code: Code, _ subject: String, _ reason: String) {
        self.code = code
        self.subject = subject
        self.reason = reason
    }

    package var description: String { "\(code.rawValue): \(subject): \(reason)" }

    package static func == (one: Self, other: Self) -> Bool { one.code == other.code }
}

extension StorageError {
    static var closedDatabase: StorageError { StorageError(.closed, "database", "It has been closed.") }

    init(nulInParameter number: Int32) {
        self.init(.invalidText, "$\(number)", "A text can't hold a NUL; bytes are stored as a blob.")
    }
}
