import Foundation
import Testing

/// docs/reference/states.md: what it says is done, row by row.
struct StatesPage {
    struct Row: Sendable, CustomTestStringConvertible {
        var state: String
        /// One way or several: each a list of commands, and of what the app does.
        var ways: [[String]]
        var status: String
        var notification: String
        var testDescription: String { state }
    }

    /// The commands before the table, without `perennial`.
    let preparations: [String]
    let rows: [Row]

    static let shared = Result { try StatesPage() }

    private init() throws {
        let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/reference/states.md")
        let lines = try String(contentsOf: page, encoding: .utf8).split(separator: "\n")
        preparations = lines.filter { $0.hasPrefix("    perennial ") }.map { String($0.dropFirst(14)) }
        let start = try #require(lines.firstIndex { $0.hasPrefix("| state |") })
        rows = lines[(start + 2)...].prefix { $0.hasPrefix("|") }.map { line in
            let cells = line.split(separator: "|").map { $0.trimmingCharacters(in: .whitespaces) }
            return Row(
                state: cells[0], ways: cells[1].components(separatedBy: "` or `").map(Self.steps), status: cells[2],
                notification: cells[3])
        }
    }

    private static func steps(_ way: String) -> [String] {
        way.components(separatedBy: ", ").map { $0.replacing("`", with: "") }
    }
}
