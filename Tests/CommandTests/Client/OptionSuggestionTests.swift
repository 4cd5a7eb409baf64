import ArgumentParser
import Testing

@testable import PerennialCommand

/// Unknown options are answered with the command's own option for it, and wrong commands with the usage of their group.
struct OptionSuggestionTests {
    private static func text(of line: String) -> String {
        let words = line.split(separator: " ").map(String.init)
        do {
            try CommandPath.check(words, below: PerennialCommand.self)
            _ = try PerennialCommand.parseAsRoot(words)
            return ""
        } catch {
            return PerennialCommand.withHints(PerennialCommand.fullMessage(for: error), words)
        }
    }

    @Test(arguments: [
        ("accounts edit ann --time-rate none", "--renewal-rate"), ("accounts edit ann --pace none", "--renewal-rate"),
        ("serve --max-connections 5", "--maximum-connections"), ("check a.jsonl --limit 5", "--maximum-steps"),
        ("listen --from 0", "--after"), ("listen --since 0", "--after"), ("listen --env staging", "--environment"),
        ("clock show --env staging", "--environment"), ("accounts --limt 5", "--limit"),
        ("accounts list --page-size 5", "--limit"), ("accounts list --cursor c", "--after"),
        ("environments delete lab --force", "--yes"), ("subscriptions list --status active", "--state"),
        ("report statistics mrr --since 2026-01-01", "--from"), ("report statistics mrr --until 2026-01-01", "--to"),
        ("products list --customer=ann", nil), ("listen --until 5", nil), ("listen --zzzzzz 5", nil),
    ])
    func `an unknown option is answered with the command's own for it`(line: String, option: String?) throws {
        let text = Self.text(of: line)
        let wrong = try #require(line.split(separator: " ").first { $0.hasPrefix("--") }?.split(separator: "=").first)
        let hint = option.map { ". Did you mean '\($0)'?\n" } ?? "\n"
        #expect(text.hasPrefix("Error: Unknown option '\(wrong)'\(hint)"), "\(text)")
    }

    @Test(arguments: [
        ("downloads record", "device", ["device-family"]), ("listen", "from", ["after"]),
        ("accounts list", "from", []), ("accounts list", "sort", []),
    ])
    func `a spelling stands for an option only where the command has it`(
        line: String, name: String, expected: [String]
    ) throws {
        let words = line.split(separator: " ").map(String.init)
        let command = CommandPath.command(of: words, below: PerennialCommand.self).command
        let options = OptionSuggestion.options(of: command).filter { $0.name != name }
        #expect(options.count > 4)
        #expect(OptionSuggestion.meant(by: name, options) == expected)
    }

    @Test(arguments: [
        ("accounts lst", "perennial accounts <subcommand>", "perennial accounts --help"),
        ("report nothing", "perennial report <subcommand>", "perennial report --help"),
        ("nothing", "perennial <subcommand>", "perennial --help"),
    ])
    func `a wrong command of a group is answered with the group's usage`(line: String, usage: String, help: String) {
        let text = Self.text(of: line)
        #expect(text.contains("Usage: \(usage)\n  See '\(help)' for more information."), "\(text)")
    }
}
