/// A statement, in words that both engines understand.
///
/// Placeholders are `$1`, `$2`, … numbered in the order of their first appearance: SQLite numbers them by appearance,
/// PostgreSQL by their digits, and only so do both agree. A text that breaks this rule is refused when it is prepared.
///
/// `/*FOR UPDATE*/` and `/*FOR UPDATE SKIP LOCKED*/` mark where PostgreSQL locks rows; SQLite, which has one writer
/// at a time, reads them as comments. `/*WITHOUT ROWID*/` marks tables that SQLite keeps in the order of their key.
package struct SQL: Sendable, Hashable, ExpressibleByStringLiteral {
    /// The text as it was written.
    package let text: String

    package init(_ text: String) { self.text = text }
    package init(stringLiteral text: String) { self.text = text }

    /// The text as an engine receives it.
    package func text(for engine: DatabaseEngine) -> String {
        switch engine {
        case .sqlite: text.replacing("/*WITHOUT ROWID*/", with: "WITHOUT ROWID")
        case .postgres:
            text.replacing("/*FOR UPDATE*/", with: "FOR UPDATE")
                .replacing("/*FOR UPDATE OF customers*/", with: "FOR UPDATE OF customers")
                .replacing("/*FOR UPDATE SKIP LOCKED*/", with: "FOR UPDATE SKIP LOCKED")
        }
    }
}

extension SQL {
    /// A statement is looked up each time it runs, and its text is long: its length and a sample of its bytes tell it from
    /// nearly all others. Equality looks at the whole text.
    package func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { bytes in
            hasher.combine(bytes.count)
            var sample: (UInt64, UInt64, UInt64, UInt64) = (0, 0, 0, 0)
            withUnsafeMutableBytes(of: &sample) { sample in
                let step = Swift.max(1, bytes.count / sample.count)
                for (index, position) in zip(sample.indices, stride(from: 0, to: bytes.count, by: step)) {
                    sample[index] = bytes[position]
                }
                hasher.combine(bytes: UnsafeRawBufferPointer(sample))
            }
        }
    }
}
