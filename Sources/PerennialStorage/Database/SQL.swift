/// A statement, in words that both engines understand.
///
/// Placeholders are `$1`, `$2`, … numbered in the order of their first appearance: SQLite numbers them by appearance,
/// PostgreSQL by their digits, and only so do both agree. A text that breaks this rule is refused when it is prepared.
///
/// `/*FOR UPDATE*/` and `/*FOR UPDATE SKIP LOCKED*/` mark where PostgreSQL locks rows; SQLite, which has one writer
/// at a time, reads them as comments. `/*WITHOUT ROWID*/` marks tables that SQLite keeps in the order of their key.
/// `/*RETURNING position*/` marks what PostgreSQL answers at once and SQLite is asked afterwards: SQLite makes a table for
/// what a statement returns, and throws it away, which takes longer than another look.
/// `/*OR FAIL*/` marks inserts of many rows that SQLite doesn't prepare to undo one by one: a statement that fails dooms its
/// body, and all of it is undone.
package struct SQL: Sendable, ExpressibleByStringLiteral {
    private enum Source {
        /// Written into the program, and known by its place there: a statement is looked up each time it runs, and so nobody
        /// has to look at what it says.
        case program(StaticString)
        case made(String)
    }

    private let source: Source

    package init(_ text: String) { source = .made(text) }

    package init(stringLiteral text: StaticString) {
        // A text of one character has no place, and is no statement.
        source = text.hasPointerRepresentation ? .program(text) : .made(text.description)
    }

    /// The text as it was written.
    package var text: String {
        switch source {
        case .program(let text): text.description
        case .made(let text): text
        }
    }

    /// The text as an engine receives it.
    package func text(for engine: DatabaseEngine) -> String {
        switch engine {
        case .sqlite:
            text.replacing("/*WITHOUT ROWID*/", with: "WITHOUT ROWID").replacing("/*OR FAIL*/", with: "OR FAIL")
        case .postgres:
            text.replacing("/*FOR UPDATE*/", with: "FOR UPDATE")
                .replacing("/*FOR UPDATE OF customers*/", with: "FOR UPDATE OF customers")
                .replacing("/*FOR UPDATE SKIP LOCKED*/", with: "FOR UPDATE SKIP LOCKED")
                .replacing("/*RETURNING position*/", with: "RETURNING position")
        }
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

    /// Texts that are put together are long: their length and a sample of their bytes tell one from nearly all others.
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
