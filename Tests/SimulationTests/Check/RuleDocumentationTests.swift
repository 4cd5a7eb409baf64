import Foundation
import Testing

@testable import PerennialSimulation

/// The pages of the simulator and the checker state the rules in the words of the one list that both apply.
///
/// Record the tables anew with `PERENNIAL_RECORD=1 swift test --filter RuleDocumentationTests`.
struct RuleDocumentationTests {
    private static let docs = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs")

    @Test func `the simulator's page has its rules`() throws {
        try expect(
            "simulation.md", "| Rule | Meaning |",
            StoreRule.allCases.compactMap { rule in rule.inSimulation.map { "| `\(rule.rawValue)` | \($0) |" } })
    }

    @Test func `the checker's page has its rules`() throws {
        try expect(
            "reference/checker.md", "| Rule | Promise | In a history |",
            StoreRule.allCases.compactMap { rule in
                rule.inHistories.map { "| `\(rule.rawValue)` | \(rule.promise) | \($0) |" }
            })
    }

    @Test func `every rule is tested by the simulator or the checker`() {
        for rule in StoreRule.allCases { #expect(rule.inSimulation != nil || rule.inHistories != nil) }
    }

    /// Compares the rows of a table with what they should be, or writes them.
    private func expect(_ page: String, _ head: String, _ rows: [String]) throws {
        let file = Self.docs.appending(path: page)
        var lines = try String(contentsOf: file, encoding: .utf8).split(
            separator: "\n", omittingEmptySubsequences: false
        ).map(String.init)
        let start = try #require(lines.firstIndex(of: head)) + 2
        let end = lines[start...].firstIndex { !$0.hasPrefix("|") } ?? lines.endIndex
        if ProcessInfo.processInfo.environment["PERENNIAL_RECORD"] != nil {
            lines.replaceSubrange(start..<end, with: rows)
            return try Data(lines.joined(separator: "\n").utf8).write(to: file)
        }
        #expect(Array(lines[start..<end]) == rows)
    }
}
