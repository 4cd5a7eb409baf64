import ArgumentParser
import Synchronization

@testable import PerennialCommand

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
