/// A property of a database that a store can't work with, or shouldn't, found before it is used.
package struct DatabaseFinding: Hashable, Sendable {
    package enum Severity: Sendable {
        /// The store would fail: it doesn't start.
        case refusal
        /// The store works, with the risk that the text names.
        case warning
    }

    package let severity: Severity
    /// The finding and its cure, for the operator.
    package let text: String

    static func refusal(_ text: String) -> DatabaseFinding { DatabaseFinding(severity: .refusal, text: text) }
    static func warning(_ text: String) -> DatabaseFinding { DatabaseFinding(severity: .warning, text: text) }
}

extension DatabaseLocation {
    /// Looks at a database before a node uses it. A SQLite database has no settings to look at.
    ///
    /// - Parameter options: Those with which the node will open it.
    /// - Throws: ``StorageError`` with `cannotOpen` if there is no connection.
    package func findings(options: DatabaseOptions = DatabaseOptions()) throws -> [DatabaseFinding] {
        guard case .postgres(let url) = self else { return [] }
        return try ServerInspection(url: url, place: description).facts().findings(connections: options.connectionsMax)
    }
}
