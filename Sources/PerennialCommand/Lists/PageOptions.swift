import ArgumentParser
import PerennialStore

/// The page of a list: its size and its beginning.
struct PageOptions: ParsableArguments {
    @Option(help: ArgumentHelp("At most so many rows, 1 to 200 (100 if omitted).", valueName: "count"))
    var limit: Int?

    @Option(help: ArgumentHelp("The cursor with which the page before ended.", valueName: "cursor"))
    var after: String?

    func validate() throws {
        guard let limit, !PerennialStore.ListLimit.allowed.contains(limit) else { return }
        throw ValidationError(
            "--limit is \(PerennialStore.ListLimit.allowed.lowerBound) to \(PerennialStore.ListLimit.allowed.upperBound)."
        )
    }

    /// Returns the query of a page, with the question mark; empty if nothing is asked for.
    func query(_ filters: KeyValuePairs<String, String?> = [:]) -> String {
        let given = filters.compactMap { name, value in value.map { (name, $0) } }
        let page = [limit.map { ("limit", "\($0)") }, after.map { ("after", $0) }].compactMap(\.self)
        let fields = (given + page).map { "\($0.0)=\($0.1.percentEncoded)" }
        return fields.isEmpty ? "" : "?" + fields.joined(separator: "&")
    }
}

/// A page of a list in words: a table, and how to read on.
enum ListWords {
    /// - Parameter none: The sentence for a list without rows.
    static func text(_ headings: [String], _ rows: [[String]], next: String?, none: String) -> String {
        let table = rows.isEmpty ? none : TextTable(headings, rows).text
        return next.map { "\(table)\n\nMore may follow: --after \($0)" } ?? table
    }
}
