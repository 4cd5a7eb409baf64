import ArgumentParser
import Foundation
import Testing

@testable import PerennialCommand

/// One thing has one spelling on the command line, in all commands.
struct SpellingTests {
    /// A meaning with its spelling, and those that other programs have for it.
    private typealias Spelling = (meaning: String, word: String, others: [String])

    private static let options: [Spelling] = OptionSpelling.all.map { ($0.meaning, $0.word, $0.others) }

    private static let verbs: [Spelling] = [
        ("print one thing", "show", ["get", "view", "describe", "info"]), ("print several", "list", ["ls", "all"]),
        ("make", "create", ["new", "make"]), ("change fields", "edit", ["update", "modify", "alter"]),
        ("remove for good", "delete", ["destroy", "drop", "erase"]), ("read a file", "import", ["load", "read"]),
        ("write a file", "export", ["dump", "save"]), ("answer no", "decline", ["deny", "refuse"]),
        ("replace settings", "set", ["put", "configure"]), ("make invalid", "revoke", ["invalidate"]),
        ("end an arrangement", "cancel", ["abort", "stop"]), ("take out of a set", "remove", ["rm", "unset"]),
    ]

    /// Options whose values differ in kind, each with the reason.
    private static let severalValues = [
        "from": "a date or a time", "to": "a date or a time", "after": "a cursor, or a position of a journal",
        "reason": "a text, or a word of a list", "period": "a duration, or one of a subscription's periods",
        "database": "a URL, or the engine of a database that is made", "keep": "a side, or the demo's folder",
        "environment": "a name, or the kind in a notification that no store has made",
        "device": "the ID in a receipt may be a MAC address",
    ]

    @Test func `each meaning has one spelling among options and verbs`() throws {
        let (options, verbs) = try (
            Set(Self.described().flatMap(\.options).map(\.name)), Set(Self.described().map(\.verb))
        )
        for (spellings, known) in [(Self.options, options), (Self.verbs, verbs)] {
            for spelling in spellings {
                #expect(known.contains(spelling.word), "\(spelling.meaning): \(spelling.word)")
                let others = spelling.others.filter(known.contains)
                #expect(others == [], "\(spelling.meaning) is \(spelling.word)")
            }
        }
        #expect(options.filter { $0.hasPrefix("max-") || $0.hasPrefix("min-") } == [])
        // ArgumentParser's own option prints the version of the program.
        #expect(try Self.described().flatMap(\.options).filter { $0.name == "version" && $0.takesValue }.isEmpty)
    }

    /// The verbs that end a command.
    static let allVerbs: Set<String> = [
        "accept", "add", "adjust", "advance", "approve", "buy", "cancel", "change", "check", "clear", "close", "create",
        "create-link", "deactivate", "decline", "delete", "deliver", "demo", "diff", "edit", "exercise", "expire",
        "export", "extend", "extend-all", "import", "inspect", "lint", "list", "listen", "open", "order", "preview",
        "rebuild", "reconcile", "record", "redeem", "reject", "release", "remove", "renew", "request", "resend",
        "reset",
        "resolve", "restore", "resume", "reverse", "revoke", "rotate", "run", "schedule", "search", "seed", "serve",
        "set", "show", "simulate", "start", "submit", "test", "transfer", "upload", "use", "verify", "withdraw",
    ]

    /// Other words that end a command, each with the reason, and whether the command only prints.
    static let nouns: [String: (reason: String, isPrinted: Bool)] = [
        "status": ("as in git status", true), "snippets": ("it prints programs, one after the other", false),
        "sales": ("report and explain are verbs before it", true), "financial": ("as sales", true),
        "subscription": ("as sales", true), "subscription-event": ("as sales", true), "subscriber": ("as sales", true),
        "offer-code-redemption": ("as sales", true), "statistics": ("as sales", true), "payments": ("as sales", true),
        "transaction": ("as sales", true),
        "off-sale": ("put on sale, take off sale", false), "on-sale": ("as off-sale", false),
    ]

    @Test func `a command ends with a verb`() throws {
        let words = Set(try Self.described().map(\.verb))
        #expect(words.subtracting(Self.allVerbs).filter { Self.nouns[$0] == nil } == [])
        #expect(Self.allVerbs.union(Self.nouns.keys).subtracting(words) == [], "words that no command has")
    }

    /// Groups whose settings no command shows alone, each with the reason.
    private static let shownElsewhere = [
        "prices": "prices list shows them", "users password": "a password isn't shown",
    ]

    @Test func `settings are shown by show and set by set, and no command does both`() throws {
        let commands = try Self.described()
        func group(_ command: Command) -> String {
            command.path.split(separator: " ").dropLast().joined(separator: " ")
        }
        let (shown, set) = (
            Set(commands.filter { $0.verb == "show" }.map(group)), Set(commands.filter { $0.verb == "set" }.map(group))
        )
        #expect(set.count > 6)
        #expect(set.subtracting(shown) == Set(Self.shownElsewhere.keys))
        // A command that prints says so first, and its words are no change.
        for command in commands {
            let verbs = command.abstract.lowercased().split { !$0.isLetter }.map(String.init)
            let prints = ["show", "list", "print"].contains(verbs.first ?? "")
            let changes = ["set", "change", "choose", "edit", "remove", "delete", "upload"]
            let both = prints && command.abstract.contains(/^\w+(?:, \w+)*,? (?:or|and) (\w+)/.ignoresCase())
            #expect(!both || Set(verbs.prefix(5)).isDisjoint(with: changes), "\(command.path): \(command.abstract)")
            guard ["show", "list"].contains(command.verb) else { continue }
            #expect(command.options.allSatisfy { !["revision", "yes"].contains($0.name) }, "\(command.path)")
        }
    }

    /// Commands with spans of a journal by position.
    private static let journals = ["journal list", "listen", "catalog changes list"]

    @Test func `a span of a journal begins after a position`() throws {
        for command in try Self.described() {
            let position = command.options.filter { $0.valueName == "position" }.map(\.name)
            #expect(Self.journals.contains(command.path) == position.contains("after"), "\(command.path)")
            #expect(Set(position).isSubset(of: ["after", "before"]), "\(command.path)")
        }
    }

    @Test func `the unit of a time is its value's name, not a part of the option`() throws {
        // Months are counted, as periods that are paid.
        let units = ["milliseconds", "seconds", "minutes", "hours", "days"]
        let options = try Self.described().flatMap(\.options)
        #expect(options.filter { option in units.contains { option.name.hasSuffix("-\($0)") } }.map(\.name) == [])
        for name in ["timeout", "shutdown-timeout", "cache-time", "for", "remind-before", "grace-period"] {
            let values = Set(options.filter { $0.name == name }.map(\.valueName))
            #expect(!values.isEmpty && values.isSubset(of: units), "\(name): \(values)")
        }
    }

    @Test func `a spelling for scripts isn't printed`() throws {
        _ = try Words.parse(["serve", "--in-memory", "--storekit", "a.storekit", "--bundle-id", "a.b"])
        let help = DocumentedCommand.commands(below: PerennialCommand.self, []).map { CommandHelp.text(of: $0.0) }
        #expect(help.allSatisfy { !$0.contains("--bundle-id") })
        #expect(try Self.described().flatMap(\.options).allSatisfy { $0.name != "bundle-id" })
    }

    @Test func `a group has one name`() {
        let commands = DocumentedCommand.commands(below: PerennialCommand.self, [])
        #expect(commands.filter { !$0.0.configuration.aliases.isEmpty }.map(\.1) == [])
    }

    @Test func `an option takes the same kind of value in all commands`() throws {
        var values: [String: Set<String>] = [:]
        for option in try Self.described().flatMap(\.options) {
            values[option.name, default: []].insert(option.takesValue ? option.valueName : "a flag")
        }
        let several = values.filter { $0.value.count > 1 }
        #expect(several.filter { Self.severalValues[$0.key] == nil }.map { "\($0.key): \($0.value.sorted())" } == [])
        #expect(Self.severalValues.keys.filter { several[$0] == nil } == [], "options that need no reason")
    }

    @Test func `the value of an option that lists them is spelled in lower case with hyphens`() throws {
        let words = try Self.described().flatMap { command in
            command.options.flatMap { option in option.values.map { "\(command.path) --\(option.name) \($0)" } }
        }
        #expect(words.count > 100)
        let odd = words.filter { line in
            let value = line.split(separator: " --").last?.drop { $0 != " " }.dropFirst() ?? ""
            let isPlain = value.wholeMatch(of: /[a-z0-9]+(?:-[a-z0-9]+)*/) != nil
            return !isPlain && !Self.named.contains { line.contains(" --\($0) ") }
        }
        #expect(odd == [])
    }

    @Test func `every default that the help prints is a value of its option`() throws {
        var count = 0
        for command in try Self.described() {
            for option in command.options where option.takesValue {
                guard let value = option.defaultValue else { continue }
                count += 1
                #expect(option.values.isEmpty || option.values.contains(value), "\(command.path) --\(option.name)")
                do {
                    let words = command.path.split(separator: " ").map(String.init)
                    _ = try Words.parse(words + ["--\(option.name)", value])
                } catch {
                    // Other arguments may be missing.
                    let message = PerennialCommand.message(for: error)
                    #expect(!message.contains("'\(value)' is invalid"), "\(command.path) --\(option.name): \(message)")
                }
            }
        }
        #expect(count > 100)
    }

    @Test func `no value in the help has an empty description`() {
        for (command, path) in DocumentedCommand.commands(below: PerennialCommand.self, []) {
            let lines = CommandHelp.text(of: command).split(separator: "\n")
            #expect(lines.filter { $0.wholeMatch(of: /\s{6,}[\w-]+\s{2,}-\s*/) != nil } == [], "\(path)")
        }
    }

    @Test func `the default command of a group needs no arguments`() throws {
        let access = ["--url", "http://127.0.0.1:1", "--token", "t"]
        let groups = DocumentedCommand.commands(below: PerennialCommand.self, []).filter {
            $0.0.configuration.defaultSubcommand != nil
        }
        #expect(groups.count > 20)
        for (_, path) in groups { _ = try Words.parse(path + access) }
    }

    /// Options whose values are names of environments.
    private static let named = ["environment", "kind"]

    // MARK: - The commands as ArgumentParser describes them

    struct Command: Sendable {
        struct Option: Sendable {
            var name: String
            var valueName: String
            var takesValue: Bool
            var values: [String]
            /// The default as the help prints it; `nil` without one.
            var defaultValue: String?
        }

        var path: String
        var verb: String
        var abstract: String
        var options: [Option]
        var arguments: [String]
    }

    /// Returns the commands without subcommands.
    static func described() throws -> [Command] { try all.get() }

    /// Made once: ArgumentParser takes seconds to describe all commands in a debug build.
    private static let all = Result {
        try JSONDecoder().decode(Dump.self, from: Data(PerennialCommand._dumpHelp().utf8)).command.leaves([])
    }

    private struct Dump: Decodable {
        struct Argument: Decodable {
            struct Name: Decodable { var name: String }

            var kind: String
            var names: [Name]?
            var valueName: String?
            var allValues: [String]?
            var defaultValue: String?
            var shouldDisplay: Bool
        }

        struct Described: Decodable {
            var commandName: String
            var abstract: String?
            var subcommands: [Described]?
            var arguments: [Argument]?

            func leaves(_ above: [String]) -> [Command] {
                let children = (subcommands ?? []).filter { $0.commandName != "help" }
                let path = above + [commandName]
                guard children.isEmpty else { return children.flatMap { $0.leaves(path) } }
                let named = (arguments ?? []).filter { $0.kind != "positional" && $0.shouldDisplay }
                let options = named.flatMap { argument in
                    (argument.names ?? []).map { name in
                        Command.Option(
                            name: name.name, valueName: argument.valueName ?? "", takesValue: argument.kind == "option",
                            values: argument.allValues ?? [], defaultValue: argument.defaultValue)
                    }
                }
                return [
                    Command(
                        path: path.dropFirst().joined(separator: " "), verb: commandName,
                        abstract: abstract ?? "", options: options,
                        arguments: (arguments ?? []).filter { $0.kind == "positional" }.compactMap(\.valueName))
                ]
            }
        }

        var command: Described
    }
}
