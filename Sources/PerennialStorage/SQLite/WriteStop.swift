import Logging
import Synchronization

/// Stops all writes to a database after a disk failure, until the process ends.
///
/// Linux marks pages clean that it couldn't write, so the sync after a failed one succeeds although they are lost
/// (wiki.postgresql.org/wiki/Fsync_Errors). The log still has everything acknowledged, as long as it isn't overwritten: so
/// nothing more is written. The next process makes the log durable again (``SQLiteLog``) and copies all of it.
///
/// The writer's connection stays open, because SQLite copies the log when the last connection closes, and removes it.
final class WriteStop: Sendable {
    private let path: String
    private let logger: Logger
    private let stopped = Mutex<StorageError?>(nil)

    init(path: String, logger: Logger) {
        self.path = path
        self.logger = logger
    }

    /// The error that stopped writes; `nil` while they go on.
    var reason: StorageError? { stopped.withLock { $0 } }

    /// Stops writes. Only the first failure is kept and logged.
    ///
    /// - Parameter action: The action that failed, for a person: `A commit`.
    /// - Returns: The error for callers that wanted to write.
    @discardableResult
    func stop(_ action: String, failedWith failure: StorageError) -> StorageError {
        let (reason, isFirst) = stopped.withLock { stopped -> (StorageError, Bool) in
            if let stopped { return (stopped, false) }
            let reason = StorageError(
                .writesStopped, path,
                """
                \(action) failed: \(failure.reason). The store accepts no further writes until it is started again. Nothing \
                that it has acknowledged is lost: it is in this file and in the one with -wal behind it, which belong \
                together. Mend the disk or make room, copy both, then restart.
                """)
            stopped = reason
            return (reason, true)
        }
        if isFirst { logger.critical("writes stopped", metadata: ["error": "\(reason)"]) }
        return reason
    }
}
