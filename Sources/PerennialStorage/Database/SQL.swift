/// A statement in the SQL that both engines understand.
///
/// Placeholders are `$1`, `$2`, … numbered in the order of their first appearance: SQLite numbers them by appearance,
/// PostgreSQL by their digits, and only in this order do both agree. A text that breaks this rule is refused when it is
/// prepared.
///
/// Comments mark clauses for one engine; the other reads them as comments:
/// * `/*FOR UPDATE*/`, `/*FOR UPDATE OF customers*/`, `/*FOR UPDATE SKIP LOCKED*/`, `/*FOR KEY SHARE OF accounts*/`: PostgreSQL
///   locks the rows. SQLite has one writer at a time.
/// * `/*WITHOUT ROWID*/`: SQLite stores the table in the order of its key.
/// * `/*RETURNING position*/`: PostgreSQL returns the value at once. On SQLite a second statement reads it, which is faster
///   than the temporary table that SQLite makes for `RETURNING`.
/// * `/*COLLATE "C"*/`: PostgreSQL compares a text by its bytes, as SQLite always does.
/// * `/*only $3*/`: all rows that the statement reads or changes have the value of `$3`, so that changes of other rows may wait
///   (``PendingChanges``).
/// * `/*OR FAIL*/`: SQLite doesn't prepare to undo the rows of this insert one by one. A statement that fails rolls back its
///   body anyway.
package struct SQL: Sendable, ExpressibleByStringLiteral {
    private enum Source {
        /// A literal, identified by its address: looking up a prepared statement doesn't read the text.
        case program(StaticString)
        /// A text built at run time.
        case made(String)
    }

    private let source: Source

    package init(_ text: String) { source = .made(text) }

    package init(stringLiteral text: StaticString) {
        // A literal of one character has no address, and is no statement.
        source = text.hasPointerRepresentation ? .program(text) : .made(text.description)
    }

    /// The text with all marks.
    package var text: String {
        switch source {
        case .program(let text): text.description
        case .made(let text): text
        }
    }

    /// True for a literal of the program, of which there are only so many.
    var isLiteral: Bool {
        if case .program = source { true } else { false }
    }

    private static let textsForSQLite = StatementFacts<String>()
    private static let textsForPostgreSQL = StatementFacts<String>()

    /// Returns the text for an engine.
    package func text(for engine: DatabaseEngine) -> String {
        let known = engine == .sqlite ? Self.textsForSQLite : Self.textsForPostgreSQL
        return known.value(of: self) { replacingMarks(for: engine) }
    }

    private func replacingMarks(for engine: DatabaseEngine) -> String {
        Self.opening(engine == .sqlite ? Self.marksForSQLite : Self.marksForPostgreSQL, in: text)
    }

    private static let marksForSQLite: Set<String> = ["WITHOUT ROWID", "OR FAIL"]
    private static let marksForPostgreSQL: Set<String> = [
        "FOR UPDATE", "FOR UPDATE OF customers", "FOR UPDATE SKIP LOCKED", "FOR KEY SHARE OF accounts",
        "RETURNING position", "COLLATE \"C\"",
    ]

    /// Returns a text without the signs of comment around those comments that are clauses.
    private static func opening(_ marks: Set<String>, in text: String) -> String {
        let bytes = Array(text.utf8)
        var opened: [UInt8] = []
        opened.reserveCapacity(bytes.count)
        var rest = bytes[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "/")) {
            opened += rest[..<start]
            rest = rest[start...]
            if let comment = comment(at: rest), marks.contains(String(decoding: comment, as: UTF8.self)) {
                opened += comment
                rest = rest[(comment.endIndex + 2)...]
            } else {
                opened.append(rest.removeFirst())
            }
        }
        return String(decoding: opened + rest, as: UTF8.self)
    }

    /// Returns what stands in the comment that a text begins with.
    private static func comment(at text: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
        let content = text.dropFirst(2)
        guard text.prefix(2).elementsEqual("/*".utf8) else { return nil }
        var end = content.startIndex
        while let star = content[end...].firstIndex(of: UInt8(ascii: "*")) {
            if content[star...].dropFirst().first == UInt8(ascii: "/") { return content[..<star] }
            end = star + 1
        }
        return nil
    }
}

extension SQL: Hashable {
    package static func == (left: SQL, right: SQL) -> Bool {
        switch (left.source, right.source) {
        case (.program(let left), .program(let right)): left.utf8Start == right.utf8Start
        case (.made(let left), .made(let right)): left == right
        default: false
        }
    }

    /// Hashes a text by its length and a sample of its bytes: texts built at run time are long, and these tell nearly all apart.
    package func hash(into hasher: inout Hasher) {
        guard case .made(var text) = source else {
            if case .program(let text) = source { hasher.combine(text.utf8Start) }
            return
        }
        text.withUTF8 { bytes in
            hasher.combine(bytes.count)
            var sample: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            withUnsafeMutableBytes(of: &sample) { sample in
                let step = Swift.max(1, bytes.count / sample.count)
                var (index, position) = (0, 0)
                while index < sample.count, position < bytes.count {
                    sample[index] = bytes[position]
                    (index, position) = (index + 1, position + step)
                }
                hasher.combine(bytes: UnsafeRawBufferPointer(sample))
            }
        }
    }
}
