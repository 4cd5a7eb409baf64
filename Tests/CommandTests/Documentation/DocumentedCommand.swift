import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import PerennialCommand

/// A command line of `perennial` in README, CONTRIBUTING, a page of docs or of an example, or in the help of a command.
struct DocumentedCommand: Sendable, CustomTestStringConvertible {
    /// The page, or the command whose help it is.
    let place: String
    /// The line without `perennial`; what is behind a pipe is a command of its own.
    let stages: [[String]]

    var testDescription: String {
        "\(place): " + stages.map { $0.joined(separator: " ") }.joined(separator: " | ")
    }

    static let root = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent()

    /// The examples in the help of all commands.
    static let inHelp: [DocumentedCommand] = commands(below: PerennialCommand.self, ["perennial"]).flatMap {
        command, path in
        examples(in: CommandHelp.text(of: command)).compactMap {
            DocumentedCommand(line: $0, in: path.joined(separator: " "))
        }
    }

    /// Returns the command lines below *Examples:* in a printed help, as a shell reads them.
    static func examples(in help: String) -> [String] {
        let lines = help.split(separator: "\n", omittingEmptySubsequences: false).map {
            $0.trimmingCharacters(in: .whitespaces)
        }
        guard let start = lines.firstIndex(of: "Examples:") else { return [] }
        return joined(lines[(start + 1)...].prefix { !$0.isEmpty })
    }

    /// Joins lines that end with a backslash with the next one.
    private static func joined(_ lines: some Sequence<String>) -> [String] {
        var result: [String] = []
        var continues = false
        for line in lines {
            if continues, let last = result.popLast() {
                result.append(last.dropLast() + line)
            } else {
                result.append(line)
            }
            continues = line.hasSuffix("\\")
        }
        return result
    }

    /// The commands in sentences of README, CONTRIBUTING and docs: code spans that begin with `perennial`.
    static let spans: [(page: String, words: [String])] = pageNames.flatMap {
        name -> [(page: String, words: [String])] in
        guard let text = try? String(contentsOf: root.appending(path: name), encoding: .utf8) else { return [] }
        return text.matches(of: /`(?:sudo )?perennial ([^`\n]+)`/).map { (name, words(String($0.1))) }
    }

    /// The paths of the pages.
    static let pageNames: [String] = ["README.md", "CONTRIBUTING.md"] + pages(in: "docs") + pages(in: "Examples")

    private static func pages(in folder: String) -> [String] {
        let paths = FileManager.default.enumerator(atPath: root.appending(path: folder).path)
        return (paths?.compactMap { $0 as? String } ?? []).filter { $0.hasSuffix(".md") && !$0.contains(".build/") }
            .sorted().map { "\(folder)/\($0)" }
    }

    static func commands(
        below command: any ParsableCommand.Type, _ path: [String]
    ) -> [(any ParsableCommand.Type, [String])] {
        [(command, path)]
            + command.configuration.subcommands.flatMap { commands(below: $0, path + [$0._commandName]) }
    }

    /// The pages with command lines, each with its lines in their order.
    static let pages: [(page: String, commands: [DocumentedCommand])] =
        pageNames.compactMap { name in
            guard let text = try? String(contentsOf: root.appending(path: name), encoding: .utf8) else { return nil }
            let commands = codeLines(text).compactMap { DocumentedCommand(line: $0, in: name) }
            return commands.isEmpty ? nil : (name, commands)
        }

    /// The lines of code blocks, fenced or indented; one that ends with a backslash continues on the next.
    private static func codeLines(_ text: String) -> [String] {
        var lines: [String] = []
        var isFenced = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("```") {
                isFenced.toggle()
                continue
            }
            if isFenced || line.hasPrefix("    ") { lines.append(trimmed) }
        }
        return joined(lines)
    }

    private init?(line: String, in place: String) {
        var line = line.trimmingCharacters(in: .whitespaces)
        for prompt in ["$ ", "sudo "] where line.hasPrefix(prompt) { line.removeFirst(prompt.count) }
        if let inner = line.firstMatch(of: /\$\((perennial [^)]*)\)/) { line = String(inner.1) }
        guard line.hasPrefix("perennial ") else { return nil }
        let words = Self.words(line)
        self.place = place
        stages = words.split { $0 == "|" }.map(Array.init).filter { $0.first == "perennial" }.map {
            Array($0.dropFirst())
        }
    }

    /// Splits as a shell does: at spaces outside of quotes, up to a comment or a redirection.
    static func words(_ line: String) -> [String] {
        var words: [String] = []
        var word: String?
        var quote: Character?
        for character in line {
            if let open = quote {
                if character == open { quote = nil } else { word = (word ?? "") + String(character) }
            } else if character == "'" || character == "\"" {
                quote = character
                word = word ?? ""
            } else if character == " " {
                if let word { words.append(word) }
                word = nil
            } else if word == nil, "#>&".contains(character) {
                return words
            } else {
                word = (word ?? "") + String(character)
            }
        }
        return words + (word.map { [$0] } ?? [])
    }
}
