import ArgumentParser
import Foundation
import Testing

@testable import PerennialCommand

struct HelpTests {
    private static let golden = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .appending(path: "Golden/perennial.txt")

    /// Made anew with `perennial --help > Tests/CommandTests/Golden/perennial.txt`.
    @Test func `the help of the root is as in Golden`() throws {
        let help = PerennialCommand.helpMessage(columns: 80)
        #expect(help + "\n" == (try String(contentsOf: Self.golden, encoding: .utf8)), "\(help)")
    }

    private static let leaves: [any ParsableCommand.Type] = leaves(of: PerennialCommand.self)

    private static func leaves(of command: any ParsableCommand.Type) -> [any ParsableCommand.Type] {
        let below = command.configuration.subcommands
        return below.isEmpty ? [command] : below.flatMap { leaves(of: $0) }
    }

    @Test(arguments: leaves.filter { $0 is any StoreCommand.Type }.indices)
    func `the help of every store command has an overview and an example`(index: Int) {
        let command = Self.leaves.filter { $0 is any StoreCommand.Type }[index]
        let help = CommandHelp.text(of: command)
        #expect(help.hasPrefix("OVERVIEW: "))
        #expect(help.contains("Examples:\n  perennial "))
        #expect(help.contains("--url <url>"))
    }

    @Test func `every example in the help is parsed`() throws {
        var examples = 0
        for command in Self.leaves {
            for line in DocumentedCommand.examples(in: CommandHelp.text(of: command)) {
                let line = line.prefix { $0 != "|" }
                let words = line.split(separator: " ").dropFirst().map(String.init)
                _ = try Words.parse(words)
                examples += 1
            }
        }
        #expect(examples >= Self.leaves.count - 3)
    }

    @Test func `an example in the help is printed whole on a terminal of 80 columns`() {
        for (command, path) in DocumentedCommand.commands(below: PerennialCommand.self, []) {
            let lines = command.configuration.discussion.split(separator: "\n").filter { $0.hasPrefix("  ") }
            #expect(lines.filter { $0.count > ExampleLine.width } == [], "\(path)")
            let printed = DocumentedCommand.examples(in: CommandHelp.text(of: command))
            #expect(printed.filter { !$0.hasPrefix("perennial ") } == [], "\(path)")
        }
    }

    @Test(arguments: [
        ("apps list", "  perennial apps list"),
        (
            "serve --catalog \(String(repeating: "c", count: 45)) --port 9090 --in-memory",
            "  perennial serve --catalog \(String(repeating: "c", count: 45)) \\\n      --port 9090 --in-memory"
        ),
        (
            "receipts show --account ann@example.com | perennial receipts verify receipt.der",
            "  perennial receipts show --account ann@example.com \\\n      | perennial receipts verify receipt.der"
        ),
        (
            "accounts list --prefix 'two words \(String(repeating: "w", count: 60)) end'",
            "  perennial accounts list \\\n      --prefix 'two words \(String(repeating: "w", count: 60)) end'"
        ),
    ])
    func `a long example is broken before an option, with a backslash`(example: String, text: String) {
        #expect(ExampleLine.text(example) == text)
    }

    /// The placeholders of the page, with their values.
    private static let placeholders = [
        "ID": "2000000000000002", "NUMBER": "1", "APP": "com.example.magazine", "RATE": "monthlyRenewalEveryHour",
    ]

    @Test func `every command of the page of states is parsed`() throws {
        let page = Self.golden.deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent().appending(path: "docs/reference/states.md")
        let text = try String(contentsOf: page, encoding: .utf8)
        let names = Set(PerennialCommand.configuration.subcommands.map { $0._commandName })
        var commands = 0
        for code in text.matches(of: /(?:`|^ {4}perennial )([^`\n]+)/.anchorsMatchLineEndings()).map(\.1) {
            let words = code.split(separator: " ").map { Self.placeholders[String($0)] ?? String($0) }
            // A single word is the name of a command that was written out before.
            guard let name = words.first, names.contains(name), words.count > 1, words != ["clock", "advance"] else {
                continue
            }
            _ = try Words.parse(words)
            commands += 1
        }
        #expect(commands > 30)
    }

    @Test(arguments: [CompletionShell.bash, .zsh, .fish])
    func `completions know every command`(shell: CompletionShell) {
        let script = PerennialCommand.completionScript(for: shell)
        for command in PerennialCommand.configuration.subcommands {
            #expect(script.contains(command._commandName), "\(command)")
        }
    }
}
