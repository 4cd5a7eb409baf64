/// The query of a list in control/v1.
enum ListQuery {
    /// Returns the fields that have a value, behind a question mark; empty if none has.
    static func text(_ fields: KeyValuePairs<String, String?>) -> String {
        text(fields.map { ($0.key, $0.value) })
    }

    static func text(_ fields: [(name: String, value: String?)]) -> String {
        let given = fields.compactMap { field in field.value.map { "\(field.name)=\($0.percentEncoded)" } }
        return given.isEmpty ? "" : "?" + given.joined(separator: "&")
    }
}

/// A page of a list in words: a table, and the option that continues it.
enum ListWords {
    /// - Parameters:
    ///   - none: The sentence for a list without rows.
    ///   - cursor: The option that takes `next`.
    static func text(
        _ headings: [String], _ rows: [[String]], next: String?, none: String, cursor: String = "after"
    ) -> String {
        let table = rows.isEmpty ? none : TextTable(headings, rows).text
        return next.map { "\(table)\n\nMore may follow: --\(cursor) \($0)" } ?? table
    }
}
