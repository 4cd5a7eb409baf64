import ArgumentParser
import Foundation

/// The one spelling of an option, with those that other programs and earlier versions have for it.
struct OptionSpelling: Sendable {
    let meaning: String
    let word: String
    /// Spellings that no command has.
    let others: [String]
    /// Spellings that have another meaning in other commands.
    var elsewhere: [String] = []
    /// The name of the value, if the spelling has several meanings; `nil` for any.
    var valueName: String?

    static let all = [
        OptionSpelling("the beginning of a span", "from", ["since", "begin", "start", "position", "from-date"]),
        OptionSpelling("the end of a span", "to", ["until", "end", "through", "to-date"]),
        OptionSpelling(
            "the position to go on after", "after", [], elsewhere: ["from", "since", "start", "position"],
            valueName: "position"),
        OptionSpelling("the page to go on with", "after", ["cursor", "offset", "page", "next"], valueName: "cursor"),
        OptionSpelling("the rows of a page", "limit", ["max", "top", "page-size"]),
        OptionSpelling("an app", "app", ["bundle", "bundle-id", "app-id"]),
        OptionSpelling("a customer", "account", ["customer"]),
        OptionSpelling("a product", "product", ["product-id", "sku"]),
        OptionSpelling("an environment", "environment", ["env"]),
        OptionSpelling("how fast subscriptions renew", "renewal-rate", ["time-rate", "pace", "rate"]),
        OptionSpelling("a kind of device", "device-family", ["device-type", "family"], elsewhere: ["device"]),
        OptionSpelling(
            "makes repeating harmless", "idempotency-key", ["request", "request-identifier", "key"]),
        OptionSpelling("why something is done", "reason", ["note", "why", "comment"]),
        OptionSpelling("the length of a row's period", "frequency", ["interval", "every"]),
        OptionSpelling("a file to write", "output", ["out", "file", "o"]),
        OptionSpelling("no question", "yes", ["force", "confirm"]),
        OptionSpelling("a type of products or notifications", "type", ["product-type"]),
        OptionSpelling("the number of a certificate", "serial-number", ["serial", "certificate"]),
        OptionSpelling("a state", "state", ["status"]),
        OptionSpelling("the catalog as it was read", "revision", ["if-match", "etag"]),
        OptionSpelling("how long a shutdown may take", "shutdown-timeout", ["shutdown-seconds", "grace"]),
        OptionSpelling("the life of a cached answer", "cache-time", ["cache-seconds", "ttl"]),
        OptionSpelling("when a reminder is made", "remind-before", ["remind-days"]),
        OptionSpelling("the length of a grace period", "grace-period", ["grace-period-days"]),
        OptionSpelling("a greatest number", "maximum-renewals", ["max-renewals", "renewal-limit"]),
        OptionSpelling("the most connections", "maximum-connections", ["max-connections"]),
        OptionSpelling("the most steps of a search", "maximum-steps", ["max-steps"], elsewhere: ["limit"]),
    ]

    init(
        _ meaning: String, _ word: String, _ others: [String], elsewhere: [String] = [], valueName: String? = nil
    ) {
        (self.meaning, self.word, self.others) = (meaning, word, others)
        (self.elsewhere, self.valueName) = (elsewhere, valueName)
    }
}

/// Answers an unknown option with the command's own option for it.
enum OptionSuggestion {
    /// Returns a message in which ArgumentParser's guess, if it is about an unknown option, is replaced: by the option that
    /// means the same, by those that are spelled alike, or by nothing.
    static func adding(
        to message: String, _ arguments: [String], below root: any ParsableCommand.Type
    ) -> String {
        let form = /Unknown option '--(?<name>[^'=]+)[^']*'(?<guess>\. Did you mean '[^']*'\?)?/
        guard let found = message.firstMatch(of: form) else { return message }
        var command = CommandPath.command(of: arguments, below: root).command
        if let usual = command.configuration.defaultSubcommand { command = usual }
        let names = meant(by: String(found.name), options(of: command))
        let hint = names.isEmpty ? "" : ". Did you mean \(names.map { "'--\($0)'" }.joined(separator: " or "))?"
        let end = found.guess?.startIndex ?? found.range.upperBound
        return message[..<end] + hint + message[found.range.upperBound...]
    }

    /// Returns the names of a command's options that are likely meant by an unknown one, the likeliest first.
    static func meant(by name: String, _ options: [(name: String, valueName: String)]) -> [String] {
        let spellings = OptionSpelling.all.filter { spelling in
            options.contains {
                $0.name == spelling.word && (spelling.valueName == nil || spelling.valueName == $0.valueName)
            }
        }
        let known = spellings.filter { $0.others.contains(name) } + spellings.filter { $0.elsewhere.contains(name) }
        if let first = known.first { return [first.word] }
        return NearMatches.of(name, in: options.map(\.name))
    }

    /// Returns the long options of a command with the names of their values.
    static func options(of command: any ParsableCommand.Type) -> [(name: String, valueName: String)] {
        let dump = try? JSONDecoder().decode(Dump.self, from: Data(command._dumpHelp().utf8))
        return (dump?.command.arguments ?? []).filter { $0.kind != "positional" }.flatMap { argument in
            (argument.names ?? []).filter { $0.kind == "long" }.map { ($0.name, argument.valueName ?? "") }
        }
    }

    private struct Dump: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable {
                var kind: String
                var name: String
            }

            var kind: String
            var names: [Name]?
            var valueName: String?
        }

        struct Command: Decodable { var arguments: [Argument]? }

        var command: Command
    }
}
