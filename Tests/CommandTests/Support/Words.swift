import ArgumentParser

@testable import PerennialCommand

/// Command lines as tests write them.
enum Words {
    /// Parses like `PerennialCommand.parseAsRoot`, which in debug builds first examines every command there is: a quarter of
    /// a second each time.
    static func parse(_ arguments: [String]) throws -> any ParsableCommand {
        var command: any ParsableCommand.Type = PerennialCommand.self
        var rest = arguments[...]
        while let word = rest.first,
            let next = command.configuration.subcommands.first(where: { $0._commandName == word })
        {
            command = next
            rest.removeFirst()
        }
        return try command.parseAsRoot(Array(rest))
    }
}
