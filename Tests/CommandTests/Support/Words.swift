import ArgumentParser
import Synchronization

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

/// The help of each command, made once in the process: in a debug build that takes a moment.
enum CommandHelp {
    private static let known = Mutex<[ObjectIdentifier: String]>([:])

    /// Returns the help with lines of at most 100 columns.
    static func text(of command: any ParsableCommand.Type) -> String {
        let key = ObjectIdentifier(command)
        if let text = known.withLock({ $0[key] }) { return text }
        let text = PerennialCommand.helpMessage(for: command, columns: 100)
        known.withLock { $0[key] = text }
        return text
    }
}
