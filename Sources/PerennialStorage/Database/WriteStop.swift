import Logging
import Synchronization

/// Stops the writes to a database for as long as the process lives, once its disk has failed.
///
/// Linux marks pages clean that it couldn't write, so a sync that follows one that failed succeeds although they are lost
/// (wiki.postgresql.org/wiki/Fsync_Errors). The log still has everything that was acknowledged, as long as nothing is written over
/// it: so nothing is written any more. The next process makes the log durable again (``SQLiteLog``) and copies all of it.
final class WriteStop: Sendable {
    private struct State {
        var reason: StorageError?
        var onStop: (@Sendable () -> Void)?
    }

    private let path: String
    private let logger: Logger
    private let state: Mutex<State>

    /// - Parameter onStop: Called once, when writes stop.
    init(path: String, logger: Logger, onStop: @escaping @Sendable () -> Void) {
        self.path = path
        self.logger = logger
        state = Mutex(State(onStop: onStop))
    }

    /// Why writes have stopped; nil while they go on.
    var reason: StorageError? { state.withLock { $0.reason } }

    /// Stops writes. Only the first failure is kept and logged.
    ///
    /// - Parameter action: What failed, for a person: `A commit`.
    /// - Returns: What callers that wanted to write are told.
    @discardableResult
    func stop(_ action: String, failedWith failure: StorageError) -> StorageError {
        let (reason, onStop) = state.withLock { state -> (StorageError, (@Sendable () -> Void)?) in
            if let reason = state.reason { return (reason, nil) }
            let reason = StorageError(
                .writesStopped, path,
                """
                \(action) failed: \(failure.reason). The store accepts no further writes until it is started again. Nothing \
                that it has acknowledged is lost: it is in this file and in the one with -wal behind it, which belong \
                together. Mend the disk or make room, copy both, then restart.
                """)
            defer { state.onStop = nil }
            state.reason = reason
            return (reason, state.onStop)
        }
        if let onStop {
            onStop()
            logger.critical("writes stopped", metadata: ["error": "\(reason)"])
        }
        return reason
    }
}
