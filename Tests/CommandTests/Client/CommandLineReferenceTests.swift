import ArgumentParser
import Foundation
import Testing

@testable import PerennialCommand

/// `docs/reference/command-line.md` is the help of every command.
///
/// Record it anew with `PERENNIAL_RECORD=1 swift test --filter CommandLineReferenceTests`.
struct CommandLineReferenceTests {
    private static let page = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appending(path: "docs/reference/command-line.md")

    @Test func `the page has the help of every command`() throws {
        let text = Self.text
        if ProcessInfo.processInfo.environment["PERENNIAL_RECORD"] != nil {
            try text.write(to: Self.page, atomically: true, encoding: .utf8)
        }
        let recorded = try String(contentsOf: Self.page, encoding: .utf8)
        #expect(recorded == text)
    }

    @Test func `the page has a heading for every command`() {
        let headings = Self.text.split(separator: "\n").filter { $0.hasPrefix("## ") || $0.hasPrefix("### ") }
        #expect(headings.count > 30)
        #expect(Set(headings).count == headings.count)
    }

    private static let text: String = {
        var parts = [
            """
            # Command line

            The help of every command, as `perennial help COMMAND` prints it.

            ```text
            \(help(PerennialCommand.self))
            ```
            """
        ]
        for command in visible(PerennialCommand.self) { parts += sections(command, "perennial", "##") }
        return parts.joined(separator: "\n\n") + "\n"
    }()

    private static func sections(
        _ command: any ParsableCommand.Type, _ parent: String, _ heading: String
    ) -> [String] {
        let name = "\(parent) \(command._commandName)"
        let section = "\(heading) \(name)\n\n```text\n\(help(command))\n```"
        return [section] + visible(command).flatMap { sections($0, name, "###") }
    }

    private static func visible(_ command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        command.configuration.subcommands.filter { $0.configuration.shouldDisplay }
    }

    /// The help of a command without spaces at the ends of lines.
    private static func help(_ command: any ParsableCommand.Type) -> String {
        CommandHelp.text(of: command).split(separator: "\n", omittingEmptySubsequences: false)
            .map { line in String(line.reversed().drop { $0 == " " }.reversed()) }.joined(separator: "\n")
            .trimmingCharacters(in: .newlines)
    }
}
