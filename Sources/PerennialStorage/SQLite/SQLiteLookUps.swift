import Foundation
import Synchronization

/// Look-ups of a SQLite file on the threads that ask for them, one at a time.
///
/// A look-up of cached pages takes a few microseconds, and waking a thread for it and then the one that asked takes longer. A
/// disk that stalls holds one of Swift's concurrency threads at most: while a look-up runs, others go to the threads of the
/// database, and where there is one processor, all of them do.
final class SQLiteLookUps: Sendable {
    private struct State {
        /// Opened for the first look-up.
        var connection: SQLiteConnection?
        var isClosed: Bool
    }

    private let path: String
    private let options: DatabaseOptions
    private let state: Mutex<State>

    init(path: String, _ options: DatabaseOptions) {
        self.path = path
        self.options = options
        state = Mutex(State(isClosed: !options.looksUpInPlace))
    }

    /// Runs a look-up on this thread.
    ///
    /// - Returns: False if it has to be queued: another one runs, the connection can't be opened, or the database is closed.
    func run(_ task: DatabaseTask) -> Bool {
        let hasRun = state.withLockIfAvailable { state in
            guard !state.isClosed,
                let connection = try? state.connection ?? SQLiteConnection(readingFrom: path, nil, options)
            else { return false }
            state.connection = connection
            connection.read(task)
            return true
        }
        return hasRun ?? false
    }

    /// Closes the connection, after the look-up that runs.
    func close() {
        state.withLock { $0 = State(isClosed: true) }
    }
}
