import ArgumentParser
import Foundation

/// An error of the command line itself, in the form that the store's errors have.
enum UsageError {
    /// True if `--json` stands before a `--` terminator.
    static func wantsJSON(_ arguments: [String]) -> Bool {
        arguments.prefix { $0 != "--" }.contains("--json")
    }

    /// `{"error": {"code": "usage", "message": "…"}}`; the code is `failed` for an error that is not about usage.
    static func json(_ message: String, code: ExitCode) -> String {
        StoreClientError(.refused, code == .validationFailure ? "usage" : "failed", message.oneLine).json
    }
}

/// The words that lead to a subcommand.
enum CommandPath {
    /// Fails if a word names no subcommand of the group before it, with the commands that are spelled alike.
    ///
    /// ArgumentParser calls such a word an unexpected argument. A default subcommand of a group takes options only, so
    /// the first word after a group is always a subcommand.
    ///
    /// - Throws: `ValidationError`.
    static func check(_ arguments: [String], below root: any ParsableCommand.Type) throws {
        var command = root
        var path = [name(of: root)]
        for word in arguments {
            let subcommands = command.configuration.subcommands
            guard !subcommands.isEmpty, !word.hasPrefix("-") else { return }
            if let next = subcommands.first(where: { isName(word, of: $0) }) {
                command = next
                path.append(name(of: next))
                continue
            }
            guard !isBuiltIn(word) else { return }
            let group = path.joined(separator: " ")
            let similar = suggestions(for: word, below: command, path, root)
            let rest =
                command == root
                ? "\(group) --help lists them." : "It has: \(subcommands.map(name).joined(separator: ", "))."
            let hint =
                similar.isEmpty
                ? rest
                : "Did you mean \(similar.map { "`\($0)`" }.joined(separator: " or "))?"
            throw ValidationError("“\(word)” is no command of \(group). \(hint)")
        }
    }

    /// Commands below the group that a word names; then those of the group that are spelled alike or mean the same; of the root, then commands anywhere whose name it
    /// is: to a group's own verbs those of others would be no help.
    private static func suggestions(
        for word: String, below command: any ParsableCommand.Type, _ path: [String], _ root: any ParsableCommand.Type
    ) -> [String] {
        let names = command.configuration.subcommands.map(name)
        if command != root {
            let below = paths(below: command, path).filter { $0.last == word }
            guard below.isEmpty else { return below.map { $0.joined(separator: " ") } }
        }
        let near = NearMatches.of(word, in: names).map { (path + [$0]).joined(separator: " ") }
        guard near.isEmpty else { return near }
        let meant = synonyms.filter { $0.contains(word) }.flatMap { words in names.filter(words.contains) }
        guard meant.isEmpty, command == root else {
            return meant.map { (path + [$0]).joined(separator: " ") }
        }
        let all = paths(below: root, [name(of: root)])
        let exact = all.filter { $0.last == word }
        let similar =
            exact.isEmpty
            ? NearMatches.of(word, in: Set(all.compactMap(\.last)).sorted()).flatMap { name in
                all.filter { $0.last == name }
            } : exact
        return similar.prefix(NearMatches.maximum).map { $0.joined(separator: " ") }
    }

    /// Words that stand for each other in commands of other programs.
    private static let synonyms: [Set<String>] = [
        ["update", "edit", "change", "modify", "set"], ["delete", "remove", "revoke", "rm", "drop"],
        ["create", "add", "new", "make"], ["show", "get", "view", "describe"], ["list", "ls", "all"],
        ["buy", "purchase", "purchases", "sell"], ["accounts", "customers", "customer"],
        ["listen", "events", "follow", "watch", "tail"], ["serve", "start", "up"], ["status", "ps", "info"],
        ["transactions", "orders", "sales"], ["clock", "time"], ["report", "reports"],
    ]

    /// Returns the command to which the first words lead, with its path; a default subcommand isn't entered.
    static func command(
        of arguments: [String], below root: any ParsableCommand.Type
    ) -> (command: any ParsableCommand.Type, path: [String]) {
        var (command, path) = (root, [name(of: root)])
        for word in arguments {
            guard let next = command.configuration.subcommands.first(where: { isName(word, of: $0) }) else { break }
            command = next
            path.append(name(of: next))
        }
        return (command, path)
    }

    /// Returns an error's text with the usage of the group whose command is wrong, in place of the root's.
    static func addingUsage(
        to text: String, _ arguments: [String], below root: any ParsableCommand.Type
    ) -> String {
        let path = command(of: arguments, below: root).path.joined(separator: " ")
        let own = name(of: root)
        return text.replacing(
            "Usage: \(own) <subcommand>\n  See '\(own) --help'",
            with: "Usage: \(path) <subcommand>\n  See '\(path) --help'")
    }

    private static func paths(below command: any ParsableCommand.Type, _ path: [String]) -> [[String]] {
        command.configuration.subcommands.flatMap { child in
            let path = path + [name(of: child)]
            return [path] + paths(below: child, path)
        }
    }

    /// True for ArgumentParser's own subcommand.
    private static func isBuiltIn(_ word: String) -> Bool { word == "help" }

    private static func isName(_ word: String, of command: any ParsableCommand.Type) -> Bool {
        name(of: command) == word
    }

    private static func name(of command: any ParsableCommand.Type) -> String { command._commandName }
}
