/// A page of a list in words: a table, and the option that continues it.
enum ListWords {
    /// - Parameters:
    ///   - none: The sentence for a list without rows.
    ///   - cursor: The option that takes `next`.
    static func text(
        _ headings: [String], _ rows: [[String]], next: String?, none: String, cursor: String = "after"
    ) -> String {
        let table = rows.isEmpty ? none : TerminalTable(headings, rows).text
        return next.map { "\(table)\n\nMore may follow: --\(cursor) \($0)" } ?? table
    }
}
