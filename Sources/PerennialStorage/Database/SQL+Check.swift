extension SQL {
    /// Words that begin or end transactions, which is the database's own business.
    private static let reserved: Set<String> = [
        "ABORT", "BEGIN", "COMMIT", "END", "RELEASE", "ROLLBACK", "SAVEPOINT", "START",
    ]

    /// Checks what neither engine would say clearly, or both the same way.
    /// - Returns: The number of placeholders.
    /// - Throws: ``StorageError`` with `statement`.
    func check() throws -> Int {
        guard text.contains(where: { !$0.isWhitespace && $0 != ";" }) else {
            throw StorageError(.statement, text, "A statement says something.")
        }
        let word = text.drop { $0.isWhitespace }.prefix { $0.isLetter }.uppercased()
        guard !Self.reserved.contains(word) else {
            throw StorageError(.statement, text, "A body is a transaction already: it can't begin or end one.")
        }
        return try placeholderCount()
    }

    /// Checks that each placeholder has a value.
    func check(_ values: [SQLValue], placeholders: Int) throws {
        guard values.count == placeholders else {
            throw StorageError(.statement, text, "It has \(placeholders) placeholders and got \(values.count) values.")
        }
    }
}
