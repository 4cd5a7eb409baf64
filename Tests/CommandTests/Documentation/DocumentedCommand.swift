import ArgumentParser
import Foundation
import TestSupport
import Testing

@testable import PerennialCommand

/// A command line of `perennial` in README, in a page of docs, or in the help of a command.
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
        command.configuration.discussion.split(separator: "\n").compactMap {
            DocumentedCommand(line: String($0), in: path.joined(separator: " "))
        }
    }

    static func commands(
        below command: any ParsableCommand.Type, _ path: [String]
    ) -> [(any ParsableCommand.Type, [String])] {
        [(command, path)]
            + command.configuration.subcommands.flatMap { commands(below: $0, path + [$0._commandName]) }
    }

    /// The pages with command lines, each with its lines in their order.
    static let pages: [(page: String, commands: [DocumentedCommand])] = {
        let files = FileManager.default.enumerator(at: root.appending(path: "docs"), includingPropertiesForKeys: nil)
        let pages = (files?.allObjects as? [URL] ?? []).filter { $0.pathExtension == "md" }.sorted { $0.path < $1.path }
        return ([root.appending(path: "README.md")] + pages).compactMap { page in
            let name = page.path.replacing(root.path + "/", with: "")
            guard let text = try? String(contentsOf: page, encoding: .utf8) else { return nil }
            let commands = codeLines(text).compactMap { DocumentedCommand(line: $0, in: name) }
            return commands.isEmpty ? nil : (name, commands)
        }
    }()

    /// The lines of code blocks, fenced or indented; one that ends with a backslash continues on the next.
    private static func codeLines(_ text: String) -> [String] {
        var lines: [String] = []
        var isFenced = false
        var continues = false
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.hasPrefix("```") {
                isFenced.toggle()
                continue
            }
            guard isFenced || line.hasPrefix("    ") else { continue }
            if continues, let last = lines.popLast() {
                lines.append(last.dropLast() + trimmed)
            } else {
                lines.append(trimmed)
            }
            continues = trimmed.hasSuffix("\\")
        }
        return lines
    }

    private init?(line: String, in place: String) {
        var line = line.trimmingCharacters(in: .whitespaces)
        if line.hasPrefix("$ ") { line.removeFirst(2) }
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
