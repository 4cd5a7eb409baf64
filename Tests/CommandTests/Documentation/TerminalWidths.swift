import ArgumentParser
import Testing

@testable import PerennialCommand

/// Answers in terminals of several widths.
enum TerminalWidths {
    static let columns = [40, 60, 80]

    /// Words of commands that print what is there and change nothing, so that they can be run for each width.
    static let reading: Set<String> = Set(["list", "show", "preview", "diff", "search", "reconcile"])
        .union(SpellingTests.nouns.filter { $0.value.isPrinted }.keys)

    /// Words of all other commands.
    static let changing: Set<String> = SpellingTests.allVerbs.union(SpellingTests.nouns.keys).subtracting(reading)

    /// Runs a command for each width if it only reads, and for the narrowest if it changes something.
    ///
    /// - Returns: The answer without a terminal; in the narrowest for a command that changes something.
    static func run(
        _ command: any ParsableCommand, _ words: [String], _ run: () async throws -> String
    ) async throws -> String {
        guard reading.contains(type(of: command)._commandName) else {
            return try await narrow(words, columns[0], run)
        }
        for width in columns { _ = try await narrow(words, width, run) }
        return try await run()
    }

    private static func narrow(
        _ words: [String], _ width: Int, _ run: () async throws -> String
    ) async throws -> String {
        let text = try await Terminal.$columnsOfTask.withValue(width) { try await run() }
        #expect(tooWide(text, width) == [], "\(words.joined(separator: " ")) in \(width) columns")
        return text
    }

    /// Returns the lines of tables, which have gaps, that are wider than a terminal. A word that is alone on its line may be, and so
    /// may a sentence, which the terminal breaks.
    static func tooWide(_ text: String, _ width: Int) -> [String] {
        text.split(separator: "\n").map(String.init).filter { line in
            line.displayWidth > width && line.drop { $0 == " " }.contains("  ")
        }
    }
}

struct TerminalWidthsTests {
    @Test func `every command is known to read or to change`() throws {
        let verbs = Set(try SpellingTests.described().map(\.verb))
        #expect(verbs == TerminalWidths.reading.union(TerminalWidths.changing))
        #expect(TerminalWidths.reading.isDisjoint(with: TerminalWidths.changing))
    }

    @Test(arguments: [
        ("ID      NAME", 11, true), ("ID      NAME", 12, false), ("a-word-that-is-long", 10, false),
        ("  a-word-that-is-long", 10, false), ("  two words", 10, false), ("  two  words", 10, true),
        ("This is a sentence.", 10, false),
        ("王小明  名", 9, true), ("王小明  名", 10, false),
    ])
    func `a line of a table that is too wide is recognised`(line: String, width: Int, isTooWide: Bool) {
        #expect(TerminalWidths.tooWide(line, width) == (isTooWide ? [line] : []))
    }
}
