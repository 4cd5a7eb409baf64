import PerennialStorage

/// The check of a database before a server uses it.
enum DatabaseCheck {
    /// Prints the warnings about a database's settings.
    ///
    /// - Throws: ``CommandError`` with the cures for a database that a server can't work with; `StorageError` without a
    ///   connection.
    static func run(_ location: DatabaseLocation) throws {
        let findings = try location.findings()
        let refusals = findings.filter { $0.severity == .refusal }
        guard refusals.isEmpty else {
            throw CommandError(refusals.map { "\(location): \($0.text)" }.joined(separator: "\n"))
        }
        for finding in findings { Terminal.warn("\(location): \(finding.text)") }
    }
}
